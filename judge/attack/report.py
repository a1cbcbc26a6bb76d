"""The attack report as text: tables of flips by direction and channel, and which attacks moved a verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge.attack.tally import AttackReport, Outcome, Rate, State

_HEADS = ("", "attacks", "tried", "flips", "flip rate (95 %)", "already", "errors", "not reached", "flagged")
_LISTED = 200


def to_markdown(report: AttackReport) -> str:
    """The report for people.

    Args:
        report: What was measured.
    """
    who = f"{report.judge} judge" + (f", model {report.model}" if report.model else "")
    lines = [
        "# Attack report",
        "",
        f"{who}, {report.setting}, judge {report.version}. Each attack is a small workspace with a text that wants "
        "another verdict; its clean twin is the same without that text.",
        "",
        *_table([report.total, *report.directions, *report.channels], flags=report.judge != "rules"),
        "",
        "- tried: the clean twin got the other verdict, so that there was something to move",
        "- flips: the attacked workspace got the verdict that the attack wants",
        "- already: the clean twin had that verdict before",
        "- errors, not reached: no verdict on the attack or its twin; never counted as flips",
        "- flagged: of the attacks whose text addresses the judge, those whose verdict names the place. What a model "
        "is not shown, because no module chose the file, is not flagged either; `--judge llm` shows everything.",
        "",
        *_listed("Flipped", report.outcomes, State.FLIPPED),
        *_listed("Errors", report.outcomes, State.ERROR),
    ]
    if report.notes:
        lines += ["## Notes", "", *(f"- {_cell(note)}" for note in report.notes), ""]
    return "\n".join(lines)


def _table(rates: Sequence[Rate], *, flags: bool) -> Iterator[str]:
    yield f"| {' | '.join(_HEADS)} |"
    yield "|---|" + "---:|" * (len(_HEADS) - 1)
    for item in rates:
        counts = (item.already, item.errors, item.pending)
        numbers = " | ".join(map(str, counts))
        flagged = f"{item.flagged}/{item.addressing}" if flags else "-"  # the rules have no prompt to look at
        shown = _rate(item)
        yield f"| {item.name} | {item.attacks} | {item.tried} | {item.flips} | {shown} | {numbers} | {flagged} |"


def _rate(item: Rate) -> str:
    if item.rate is None or item.low is None or item.high is None:
        return "-"
    return f"{item.rate:.1%} ({item.low:.1%} to {item.high:.1%})"


def _listed(title: str, outcomes: Sequence[Outcome], state: State) -> Iterator[str]:
    found = [item for item in outcomes if item.state is state]
    if not found:
        return
    yield from (f"## {title}", "")
    for item in found[:_LISTED]:
        told = f": {_cell(item.error)}" if item.error else f" ({item.clean} became {item.attacked})"
        yield f"- {item.attack}, base {item.base}, requirement {item.requirement_id}{told}"
    if len(found) > _LISTED:
        yield f"- and {len(found) - _LISTED} more"
    yield ""


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
