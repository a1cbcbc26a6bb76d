"""The judges that ask nobody: ``majority``, a panel of finished runs, and ``human``, labels as verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain
from typing import Any

from judge import __version__
from judge.engine.folder import RunFolder
from judge.engine.judgments import write_judgments
from judge.engine.panel import Key, Panel
from judge.engine.progress import Progress, Silent
from judge.engine.recorder import Recorder
from judge.engine.run import RunResult, TaskResult
from judge.engine.stop import Stop
from judge.engine.votes import Tie
from judge.errors import InputError
from judge.schemas import Citation, Judgment, RunHeader, Usage, VerdictValue

_CITED = 8


def panel_header(panel: Panel, judge: str, tie: Tie | None = None) -> RunHeader:
    """The header of a run that is made of finished verdicts.

    Args:
        panel: The verdicts.
        judge: ``majority`` or ``human``.
        tie: Of a majority.
    """
    options: dict[str, Any] = {"panel": [member.about() for member in panel.members]}
    if tie is not None:
        options["tie"] = tie.value
    return RunHeader(
        version=__version__,
        judge=judge,
        model="",
        setting=panel.setting,
        modules=(),
        options=options,
        inputs=dict(panel.inputs),
        created=datetime.now(UTC).astimezone().isoformat(timespec="seconds"),
    )


def majority_judgments(panel: Panel, tie: Tie) -> Iterator[Judgment]:
    """What most members say of each requirement.

    ERROR and missing verdicts are no votes; without any vote the verdict is ERROR.

    Args:
        panel: The finished runs.
        tie: What an equal number of votes for and against means.

    Yields:
        One verdict a requirement; its confidence is the share of the votes that are for it.
    """
    for key in _keys(panel):
        yield _decide(panel, key, tie)


def _decide(panel: Panel, key: Key, tie: Tie) -> Judgment:
    votes = {member.name: member.verdicts[key] for member in panel.members if key in member.verdicts}
    sides = {value: [name for name, vote in votes.items() if vote == value] for value in VerdictValue}
    met, unmet = len(sides[VerdictValue.SATISFIED]), len(sides[VerdictValue.UNSATISFIED])
    said = _said(sides, [member.name for member in panel.members if key not in member.verdicts])
    fields: dict[str, Any] = {
        "task": key[0],
        "requirement_id": key[1],
        "votes": tuple(votes.values()),
        "judge": "majority",
    }
    if not met + unmet:
        why = f"no member of the panel decided it: {said}" if said else "no member of the panel decided it"
        return Judgment(verdict=VerdictValue.ERROR, reason="", confidence=0.0, error=why, **fields)
    if met == unmet and tie is Tie.ERROR:
        why = f"the panel is tied: {said}"
        return Judgment(verdict=VerdictValue.ERROR, reason="", confidence=0.0, error=why, **fields)
    verdict = VerdictValue.SATISFIED if met > unmet else VerdictValue.UNSATISFIED
    records = [member.records[key] for member in panel.members if key in member.records]
    tied = "A tie counts as unmet. " if met == unmet else ""
    return Judgment(
        verdict=verdict,
        reason=f"{tied}{said}.",
        confidence=round(max(met, unmet) / (met + unmet), 4),
        citations=tuple(_cited(item for item in records if item.verdict == verdict)),
        injection=tuple(dict.fromkeys(chain.from_iterable(item.injection for item in records))),
        redacted=tuple(dict.fromkeys(chain.from_iterable(item.redacted for item in records))),
        **fields,
    )


def _said(sides: dict[VerdictValue, list[str]], absent: Sequence[str]) -> str:
    parts = [f"{value.value} by {', '.join(names)}" for value, names in sides.items() if names]
    return "; ".join([*parts, *([f"no verdict by {', '.join(absent)}"] if absent else [])])


def _cited(records: Iterable[Judgment]) -> list[Citation]:
    """What the winning side rests on, without quotes that were not found."""
    found = dict.fromkeys(item for record in records for item in record.citations if item.verified is not False)
    return list(found)[:_CITED]


def label_judgments(panel: Panel) -> Iterator[Judgment]:
    """The labels of one person, or of a consensus, as verdicts; what has no label has no verdict.

    Args:
        panel: One folder of labels.
    """
    (member,) = panel.members
    for key in _keys(panel):
        value = member.verdicts.get(key)
        if value is not None:
            yield Judgment(
                task=key[0],
                requirement_id=key[1],
                verdict=value,
                reason=f"Label by {member.name}.",
                confidence=1.0,
                votes=(value,),
                judge="human",
            )


def _keys(panel: Panel) -> list[Key]:
    return [(task.name, item.requirement_id) for task in panel.tasks for item in task.requirements]


def record(
    panel: Panel, judgments: Iterable[Judgment], folder: RunFolder, progress: Progress | None = None
) -> RunResult:
    """Writes verdicts into a run folder as a run does; those that are there already stay.

    Args:
        panel: For the tasks.
        judgments: The verdicts.
        folder: The open run folder.
        progress: Who is told.

    Returns:
        All verdicts in the folder for these tasks.

    Raises:
        InputError: The run folder cannot be written.
    """
    recorder = Recorder(folder, progress or Silent())
    for judgment in judgments:
        if recorder.kept(judgment.task, judgment.requirement_id) is None:
            recorder.record(judgment)
    for task in panel.tasks:
        try:
            write_judgments(folder.path, task, recorder.verdicts(task.name))
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror or error}", where=str(folder.path)) from error
    results = [TaskResult(task, recorder.verdicts(task.name)) for task in panel.tasks]
    return RunResult(folder.header, results, Usage(), folder.spent(), Stop())
