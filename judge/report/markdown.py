"""A report as Markdown for a comment on a pull request: short, foldable, and safe to post under one's own name."""

from __future__ import annotations

import re
from collections.abc import Iterable

from judge.report.exhibits import place
from judge.report.markup import shorten
from judge.report.model import Report, RequirementReport, RunReport, State, TaskReport
from judge.report.words import (
    MARKS,
    NAMES,
    compared,
    cost,
    described,
    label,
    numbers,
    outcome,
    part,
    percent,
    short_part,
    tokens,
    undecided,
)
from judge.text import plural, printable

LIMIT = 65_536
"""The longest comment that GitHub takes, in characters; bytes are counted here, which are never fewer."""
_ROOM = 1_500
_TASK_ROWS = 80
_JOINER = "\u2060"
_SPECIAL = re.compile(r"[&<>\"'`*_\[\](){}#+|~@:!$=\\^-]")
_CONNECTS = re.compile(r"([@#]|\bGH-|:(?=[\w+-]+:))|\b(?=www\.)", re.IGNORECASE)
_CODE = re.compile(r"`([^`]{1,200})`")
_COMMIT = re.compile(r"[0-9a-fA-F]{7,}")


def text(value: str, limit: int = 600) -> str:
    """User text on one line of Markdown that shows exactly this text and does nothing else.

    What has a meaning in Markdown or HTML is written as a character reference. GitHub makes links of mentions, issue
    numbers and commit ids after that, in the finished page; an invisible joiner inside them prevents it.
    """
    flat = printable(re.sub(r"\s+", " ", shorten(value, limit)))
    parted = _CONNECTS.sub(lambda match: match[0] + _JOINER, flat)
    parted = parted.replace("://", f":{_JOINER}//").replace("www.", f"www{_JOINER}.")
    parted = _COMMIT.sub(lambda match: _JOINER.join(_pieces(match[0])), parted)
    return _SPECIAL.sub(lambda match: f"&#{ord(match[0])};", parted)


def prose(value: str, limit: int) -> str:
    """The same, with what stands in back-ticks as code."""
    parts = _CODE.split(" ".join(shorten(value, limit).split()))
    return "".join(
        f"<code>{text(part)}</code>" if index % 2 else text(part, limit + 100) for index, part in enumerate(parts)
    )


def _pieces(word: str) -> Iterable[str]:
    return (word[start : start + 6] for start in range(0, len(word), 6))


def to_markdown(report: Report, limit: int = LIMIT) -> str:
    """The report within ``limit`` bytes.

    Totals come first, then tasks, those with problems first. When it does not all fit, tasks at the end become shorter,
    then single lines, and what is left out after that is counted.
    """
    head = _head(report)
    several = len(report.runs) > 1
    entries = [
        (task, f"{run.name}: {task.name}" if several else task.name) for run in report.runs for task in run.tasks
    ]
    entries.sort(key=lambda entry: _urgency(entry[0]))
    room = limit - _bytes(head) - _ROOM
    blocks: list[str] = []
    for task, title in entries:
        line = _line(task, title)
        if _bytes(line) + 1 > room:
            break
        blocks.append(line)
        room -= _bytes(line) + 1
    short = dict.fromkeys(range(len(blocks)), "listed")
    for level in ("shortened", ""):
        for index, (task, title) in enumerate(entries[: len(blocks)]):
            longer = _task(task, title, brief=bool(level))
            grown = _bytes(longer) - _bytes(blocks[index])
            if grown > room:
                break
            room -= grown
            blocks[index], short[index] = longer, level
    counts = {word: list(short.values()).count(word) for word in ("shortened", "listed")}
    return "\n".join([head, *blocks, _tail(report, len(entries) - len(blocks), counts)])


def _bytes(text: str) -> int:
    return len(text.encode("utf-8"))


def _urgency(task: TaskReport) -> tuple[bool, bool, bool]:
    differs = any(item.agrees is False for item in task.requirements)
    counts = task.counts
    return not differs, not counts.errors, not (counts.unsatisfied or counts.pending)


def _head(report: Report) -> str:
    lines = [f"### judge: {_headline(report)}", ""]
    columns = ["Run", "(I) met", "(D) met", "(D+) met", "(T) solved", "Errors"]
    columns += ["Agreement"] if report.labels else []
    lines += [_row(columns), _row(["---"] + ["---:"] * (len(columns) - 1))]
    for run in report.runs[:_TASK_ROWS]:
        counts = run.counts
        shares = (counts.independent, counts.dependent, counts.transitive, counts.solved)
        cells = [text(run.name, 120), *(f"{percent(share.rate)} ({part(share)})" for share in shares)]
        cells.append(str(counts.errors))
        if report.labels:
            cells.append(percent(run.agreement.rate) if run.agreement else "–")
        lines.append(_row(cells))
    if len(report.runs) > _TASK_ROWS:
        lines.append(_row([f"… and {len(report.runs) - _TASK_ROWS} more runs", *[""] * (len(columns) - 1)]))
    lines.append("")
    for run in report.runs[:_TASK_ROWS]:
        lines += [f"- {item}" for item in _remarks(run, named=len(report.runs) > 1)]
    return "\n".join([*lines, ""])


def _headline(report: Report) -> str:
    if len(report.runs) != 1:
        return f"{plural(len(report.runs), 'run')}, {plural(report.requirements, 'requirement')}"
    counts = report.runs[0].counts
    return f"{part(counts.independent)} requirements met, {part(counts.solved)} tasks solved"


def _remarks(run: RunReport, *, named: bool) -> list[str]:
    start = f"{text(run.name, 120)}: " if named else ""
    found = []
    if described(run):
        found.append(start + text(described(run), 200))
    if undecided(run.counts):
        found.append(f"{start}**not judged:** {undecided(run.counts)}")
    if run.agreement is not None:
        found.append(f"{start}labels: {compared(run.agreement)}")
    if run.usage is not None and run.usage.calls:
        found.append(
            f"{start}{plural(run.usage.calls, 'model call')}, {tokens(run.usage)} tokens, cost {cost(run.usage)}"
        )
    return found


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _title(task: TaskReport, title: str) -> str:
    signs = "".join(MARKS[item.state] for item in task.requirements[:100])
    counts = task.counts
    return f"{text(title, 200)} · {short_part(counts.independent)} met, {short_part(counts.dependent)} (D) · {signs}"


def _line(task: TaskReport, title: str) -> str:
    return f"- {_title(task, title)}"


def _task(task: TaskReport, title: str, *, brief: bool) -> str:
    lines = ["", f"<details><summary>{_title(task, title)}</summary>", ""]
    for item in task.requirements:
        lines += _requirement(item, brief=brief)
    return "\n".join([*lines, "", "</details>", ""])


def _requirement(item: RequirementReport, *, brief: bool) -> list[str]:
    met = item.state == State.SATISFIED
    criteria = prose(item.criteria, 160 if brief else 400)
    line = f"- {MARKS[item.state]} **{NAMES[item.state]}** R{item.requirement_id}: {criteria}"
    if item.label is not None:
        word = "differs" if item.agrees is False else "agrees" if item.agrees else "not compared"
        line += f" (label: {label(item.label)}, {'**differs**' if word == 'differs' else word})"
    if item.unmet:
        line += f" · blocked by R{numbers(item.unmet).replace(', ', ', R')}"
    rows = [line]
    reason = outcome(item)
    if reason and not (brief and met):
        rows.append(f"  - {prose(reason, 200 if brief else 700)}")
    if not brief and item.citations:
        places = dict.fromkeys(place(cited) for cited in item.citations[:6])
        more = f" and {len(item.citations) - 6} more" if len(item.citations) > 6 else ""
        wrong = " (**a quote was not found**)" if item.citations_verified is False else ""
        rows.append(f"  - Cited: {', '.join(text(where, 120) for where in places)}{more}{wrong}")
    return rows


def _tail(report: Report, left_out: int, short: dict[str, int]) -> str:
    words = [f"{plural(number, 'task')} only {word}" for word, number in short.items() if number]
    words += [f"{plural(left_out, 'task')} left out"] if left_out else []
    note = f"**To fit into a comment: {', '.join(words)}.** The HTML report has everything." if words else ""
    return "\n".join(["", note, "", f"<sub>judge {report.version}</sub>", ""])
