"""From the verdicts of a run over the corpus to a report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from judge import __version__
from judge.atomic import write_atomic
from judge.attack.model import Attack
from judge.attack.report import to_markdown
from judge.attack.tally import AttackReport, grouped, outcome, rate
from judge.engine import RunResult, TaskResult
from judge.errors import InputError
from judge.schemas import Judgment, VerdictValue


def measure(result: RunResult, attacks: Sequence[Attack], notes: Sequence[str] = ()) -> AttackReport:
    """Counts what attacks did.

    Args:
        result: A run over what ``write_corpus`` wrote.
        attacks: The attacks in it.
        notes: What was left out.
    """
    verdicts = {item.task.name: _judgment(item) for item in result.tasks}
    outcomes = tuple(outcome(attack, verdicts) for attack in attacks)
    header = result.header
    return AttackReport(
        version=__version__,
        judge=header.judge,
        model=header.model,
        setting=header.setting.value,
        total=rate("all", outcomes),
        directions=grouped(outcomes, lambda item: f"to {item.direction.value}"),
        channels=grouped(outcomes, lambda item: item.channel),
        outcomes=outcomes,
        usage=result.usage_total,
        notes=tuple(notes),
    )


def _judgment(item: TaskResult) -> Judgment | None:
    number = item.task.requirements[0].requirement_id
    if number in item.verdicts:
        return item.verdicts[number]
    if not item.error:
        return None
    return Judgment(
        task=item.task.name,
        requirement_id=number,
        verdict=VerdictValue.ERROR,
        reason="",
        confidence=0.0,
        error=item.error,
    )


def write_report(report: AttackReport, folder: Path) -> tuple[Path, Path]:
    """Writes ``attack.json`` and ``attack.md``.

    Args:
        report: What was measured.
        folder: Where; it exists.

    Returns:
        The two files.

    Raises:
        InputError: They cannot be written.
    """
    data, text = folder / "attack.json", folder / "attack.md"
    try:
        write_atomic(data, (report.model_dump_json(indent=1) + "\n").encode("utf-8", "backslashreplace"))
        write_atomic(text, to_markdown(report).encode("utf-8", "backslashreplace"))
    except OSError as error:
        what = f"cannot be written: {error.strerror or error}"
        raise InputError(what, where=str(folder), hint="the verdicts are kept; run again") from error
    return data, text
