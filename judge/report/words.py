"""How numbers and verdicts are written, the same in every format."""

from __future__ import annotations

from judge.report.model import Agreement, Counts, Part, RequirementReport, RunReport, State
from judge.schemas import Usage
from judge.text import plural

NAMES = {
    State.SATISFIED: "Satisfied",
    State.UNSATISFIED: "Unsatisfied",
    State.ERROR: "Error",
    State.PENDING: "Not reached",
}
MARKS = {State.SATISFIED: "✓", State.UNSATISFIED: "✗", State.ERROR: "!", State.PENDING: "○"}


def percent(rate: float | None) -> str:
    """A rate with two decimals, as the terminal prints it.

    >>> percent(0.9016393), percent(None)
    ('90.16%', '–')
    """
    return "–" if rate is None else f"{rate * 100:.2f}%"


def part(share: Part) -> str:
    """So many of so many."""
    return f"{share.met} of {share.of}" if share.of else "nothing decided"


def short_part(share: Part) -> str:
    """``3/7``, or a dash of nothing."""
    return f"{share.met}/{share.of}" if share.of else "–"


def cost(usage: Usage | None) -> str:
    """US dollars, or a word where that is not known."""
    if usage is None:
        return "not recorded"
    if usage.cost is None:
        return "unknown"
    if usage.cost == 0:
        return "$0"
    return f"${usage.cost:.2f}" if usage.cost >= 1 else f"${usage.cost:.4f}"


def tokens(usage: Usage) -> str:
    """Tokens by kind; kinds that did not occur are left out."""
    parts = [f"{usage.input_tokens:,} in"]
    if usage.cache_read_tokens:
        parts.append(f"{usage.cache_read_tokens:,} from cache")
    if usage.cache_write_tokens:
        parts.append(f"{usage.cache_write_tokens:,} into cache")
    parts.append(f"{usage.output_tokens:,} out")
    return ", ".join(parts)


def all_tokens(usage: Usage) -> int:
    """Tokens of all kinds."""
    return usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens + usage.output_tokens


def duration(seconds: float) -> str:
    """A time in the unit that fits.

    >>> duration(0.25), duration(75), duration(7300)
    ('0.2 s', '1 min 15 s', '2 h 1 min')
    """
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"


def label(value: bool | None) -> str:
    """A label as a word."""
    return "unlabelled" if value is None else "satisfied" if value else "unsatisfied"


def numbers(values: tuple[int, ...]) -> str:
    """Requirement ids as a list."""
    return ", ".join(str(value) for value in values)


def described(run: RunReport) -> str:
    """Who judged, how: one line."""
    who = {"rules": "offline rules"}.get(run.judge, f"{run.judge} judge" if run.judge else "judgments")
    model = run.model if run.model and run.model != run.judge else ""
    return " · ".join(word for word in (who, model, run.setting, "gated" if run.gate else "") if word)


def undecided(counts: Counts) -> str:
    """What stands in no share, as a sentence; empty when everything was judged."""
    parts = []
    if counts.errors:
        parts.append(plural(counts.errors, "error"))
    if counts.pending:
        parts.append(f"{counts.pending:,} not reached")
    return f"{' and '.join(parts)} of {plural(counts.requirements, 'requirement')}, in no share" if parts else ""


def compared(agreement: Agreement) -> str:
    """The comparison with labels, in one line."""
    text = f"{agreement.agree} of {agreement.compared} compared; {agreement.too_lenient} judged met but labelled unmet"
    text += f", {agreement.too_strict} judged unmet but labelled met"
    if agreement.unlabelled:
        text += f"; {agreement.unlabelled} without a label"
    if agreement.unjudged:
        text += f"; {agreement.unjudged} labelled but not judged"
    return text


def outcome(item: RequirementReport) -> str:
    """Why a requirement stands as it does: the reason, or the error."""
    if item.state == State.PENDING:
        return "The run did not reach this requirement."
    if item.state == State.ERROR:
        return item.error or item.reason or "It could not be judged."
    return item.reason or ""
