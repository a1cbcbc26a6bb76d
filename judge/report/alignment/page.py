"""An alignment as one HTML file that needs nothing else: no network, no script."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape

from judge.report.alignment.figures import figures
from judge.report.alignment.style import STYLE
from judge.report.alignment.table import Table
from judge.report.alignment.tables import settings_line, tables
from judge.results import AlignmentReport
from judge.text import printable

_INTERVAL = re.compile(r"(\S+) (\[[^\[\]]+\])")
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def alignment_html(report: AlignmentReport) -> str:
    """The page.

    Args:
        report: What was measured.
    """
    return "\n".join(_lines(report)) + "\n"


def _lines(report: AlignmentReport) -> Iterator[str]:
    yield from opening("Alignment with labels")
    yield f"<p>{_text(settings_line(report))}</p>"
    yield "<ul>"
    for agent in report.agents:
        met = f"{agent.human_met} of {agent.labeled} met"
        yield (
            f"<li><strong>{_text(agent.agent or 'agent without a name')}</strong>: {agent.tasks} tasks,"
            f" {agent.requirements} requirements, {met}; labels: <code>{_text(agent.labels)}</code></li>"
        )
    yield "</ul>"
    drawn = [figure for agent in report.agents for figure in figures(agent)]
    short = [item for item in tables(report) if not item.long]
    yield from section(short[0], opened=True)
    yield f'<div class="figures">{"".join(drawn)}</div>'
    for item in short[1:]:
        yield from section(item, opened=True)
    for item in tables(report):
        if item.long:
            yield from section(item, opened=False)
    yield from closing(report.notes, report.version)


def opening(title: str) -> Iterator[str]:
    """The page up to its first heading; nothing may be loaded, and no script runs."""
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<meta name="color-scheme" content="light dark">'
    yield f"<title>{_text(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{_text(title)}</h1>"


def closing(notes: Sequence[str], version: str) -> Iterator[str]:
    """Notes, and the end of the page."""
    if notes:
        yield "<h2>Notes</h2>\n<ul>"
        yield from (f"<li>{_text(note)}</li>" for note in notes)
        yield "</ul>"
    yield f"<footer>judge {_text(version)}</footer>\n</main>\n</body>\n</html>"


def section(item: Table, *, opened: bool) -> Iterator[str]:
    """A table with its heading, or folded."""
    if opened:
        yield f"<section><h2>{_text(item.title)}</h2>"
    else:
        yield f"<details><summary>{_text(item.title)} ({len(item.rows)})</summary>"
    if item.note:
        yield f"<p>{_text(item.note)}</p>"
    yield '<div class="wide" tabindex="0"><table><thead>'
    yield _row(item.heads, item.left, "th")
    yield "</thead><tbody>"
    yield from (_row(row, item.left, "td") for row in item.rows)
    yield "</tbody></table></div>"
    yield "</section>" if opened else "</details>"


def _row(cells: tuple[str, ...], left: tuple[bool, ...], tag: str) -> str:
    scope = ' scope="col"' if tag == "th" else ""
    made = (
        f"<{tag}{scope}{'' if is_left else ' class=r'}>{_text(cell) if is_left else _number(cell)}</{tag}>"
        for cell, is_left in zip(cells, left, strict=True)
    )
    return f"<tr>{''.join(made)}</tr>"


def _number(cell: str) -> str:
    """A number with its interval on a line of its own, so that a wide table fits a page."""
    found = _INTERVAL.fullmatch(cell)
    return f"{_text(found[1])}<small>{_text(found[2])}</small>" if found else _text(cell)


def _text(text: str) -> str:
    return escape(printable(text))
