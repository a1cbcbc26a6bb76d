"""An alignment as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from judge.report.alignment.table import Table
from judge.report.alignment.tables import settings_line, tables
from judge.results import AlignmentReport
from judge.text import printable

# Everything that could start markup, a table cell, a mention or a link.
_ACTIVE = re.compile(r"([\\`*_{}\[\]#!|~<>&@$]|:(?=//))")


def alignment_markdown(report: AlignmentReport) -> str:
    """All tables; the long ones folded.

    Args:
        report: What was measured.
    """
    return "\n".join(_lines(report)) + "\n"


def _lines(report: AlignmentReport) -> Iterator[str]:
    yield "# Alignment with labels"
    yield ""
    yield settings_line(report)
    for item in tables(report):
        yield ""
        if item.long:
            yield f"<details><summary>{item.title} ({len(item.rows)})</summary>"
            yield ""
            yield from table_lines(item)
            yield ""
            yield "</details>"
        else:
            yield f"## {item.title}"
            yield ""
            yield from table_lines(item)
    if report.notes:
        yield ""
        yield "## Notes"
        yield ""
        yield from (f"- {escape(note)}" for note in report.notes)


def table_lines(item: Table) -> Iterator[str]:
    """The note and the rows of a table."""
    if item.note:
        yield escape(item.note)
        yield ""
    yield _row(item.heads)
    yield "|" + "|".join("---" if left else "--:" for left in item.left) + "|"
    yield from (_row(row) for row in item.rows)


def _row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(escape(cell) for cell in cells) + " |"


def escape(text: str) -> str:
    """Text that stays text in Markdown, on one line."""
    return _ACTIVE.sub(_entity, printable(" ".join(text.split())))


def _entity(match: re.Match[str]) -> str:
    char = match.group()
    return f"&#{ord(char)};" if char in "<>&@|:" else f"\\{char}"
