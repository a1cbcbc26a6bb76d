"""A sweep as text, Markdown and one HTML file that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from judge.report.alignment.markdown import escape as markdown_text
from judge.report.alignment.markdown import table_lines
from judge.report.alignment.page import closing, opening, section
from judge.report.alignment.plain import render
from judge.report.alignment.table import table
from judge.report.alignment.tables import settings_line
from judge.report.sweep.figure import curves
from judge.report.sweep.tables import sweep_tables
from judge.results import CellPlan, CostEstimate, SweepReport
from judge.text import printable


def plan_text(cells: Sequence[CellPlan], total: CostEstimate) -> str:
    """The cells of a sweep and what they are expected to use.

    Args:
        cells: The plan.
        total: The sum of the estimates.
    """
    rows = [
        (
            item.cell.agent,
            item.cell.title,
            item.cell.setting.value if item.cell.setting is not None else "-",
            str(item.tasks),
            str(item.requirements),
            str(item.finished),
            *_expected(item.estimate),
            item.absent,
        )
        for item in cells
    ]
    rows.append(("all", "", "", "", "", "", *_expected(total), ""))
    columns = "<agent|<judge|<setting|tasks|requirements|finished|calls|tokens|of them cached|cost, $|at most, $"
    columns += "|<absent"
    note = (
        "Calls, tokens and cost of what is not finished: estimates, from a sample of prompts. At most: when nothing is"
        " cached, votes do not agree and answers are long."
    )
    return render(table(f"Plan: {len(cells)} cells", columns, rows, note=note))


def _expected(item: CostEstimate) -> tuple[str, ...]:
    if not item.calls:
        return ("0", "0", "0", "0.00", "0.00")
    costs = ("unknown" if cost is None else f"{cost:,.2f}" for cost in (item.cost, item.most_cost))
    return (str(item.calls), f"{item.tokens:,}", f"{item.cached:,}", *costs)


def sweep_text(report: SweepReport) -> str:
    """All tables as text with aligned columns."""
    return "\n\n".join([*(render(item) for item in sweep_tables(report)), "\n".join(sweep_notes(report))])


def sweep_notes(report: SweepReport) -> list[str]:
    """What stands below the tables, line by line."""
    return [*_settings(report), *(f"note: {line}" for line in report.notes)]


def sweep_markdown(report: SweepReport) -> str:
    """All tables as Markdown."""

    def lines() -> Iterator[str]:
        yield f"# Sweep {markdown_text(report.name)}"
        for line in _settings(report):
            yield ""
            yield line
        for item in sweep_tables(report):
            yield from ("", f"## {item.title}", "")
            yield from table_lines(item)
        if report.notes:
            yield from ("", "## Notes", "")
            yield from (f"- {markdown_text(note)}" for note in report.notes)

    return "\n".join(lines()) + "\n"


def sweep_html(report: SweepReport) -> str:
    """The page, with the curves as one figure."""

    def lines() -> Iterator[str]:
        yield from opening(f"Sweep {report.name}")
        yield from (f"<p>{escape(printable(line))}</p>" for line in _settings(report))
        figure = curves(report)
        for number, item in enumerate(sweep_tables(report)):
            yield from section(item, opened=True)
            if not number and figure:
                yield f'<div class="figures">{figure}</div>'
        yield from closing(report.notes, report.version)

    return "\n".join(lines()) + "\n"


def _settings(report: SweepReport) -> list[str]:
    return [settings_line(report.alignment)] if report.alignment is not None else []
