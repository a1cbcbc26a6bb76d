"""An alignment as plain text."""

from __future__ import annotations

from collections.abc import Iterator

from judge.report.alignment.table import Table
from judge.report.alignment.tables import settings_line, tables
from judge.results import AlignmentReport
from judge.text import one_line

LONGEST = 100
"""Characters of a cell; more of a criterion would only wrap."""


def alignment_text(report: AlignmentReport, limit: int = 0) -> str:
    """All tables as text with aligned columns.

    Args:
        report: What was measured.
        limit: At most so many rows of a long table; 0 for all.
    """
    parts = [render(item.first(limit)) for item in tables(report)]
    notes = [f"note: {line}" for line in report.notes]
    return "\n\n".join([*parts, "\n".join([settings_line(report), *notes])])


def render(item: Table) -> str:
    """One table."""
    rows = [tuple(one_line(cell, LONGEST) for cell in row) for row in item.rows]
    widths = [max(len(row[place]) for row in (item.heads, *rows)) for place in range(len(item.heads))]

    def line(row: tuple[str, ...]) -> str:
        cells = (
            cell.ljust(width) if left else cell.rjust(width)
            for cell, width, left in zip(row, widths, item.left, strict=True)
        )
        return "  ".join(cells).rstrip()

    def lines() -> Iterator[str]:
        yield item.title
        if item.note:
            yield item.note
        yield line(item.heads)
        yield "  ".join("-" * width for width in widths)
        yield from (line(row) for row in rows)

    return "\n".join(lines())
