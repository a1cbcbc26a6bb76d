"""The tables of a sweep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from judge.report.alignment import numbers as n
from judge.report.alignment.table import Table, table
from judge.report.alignment.tables import STATEMENTS
from judge.results import CellResult, CellState, JudgeAlignment, SweepJudge, SweepReport

_SHOWN = 160
_WORKING = frozenset({SweepJudge.AGENT, SweepJudge.LLM, SweepJudge.RULES})


def sweep_tables(report: SweepReport) -> tuple[Table, ...]:
    """All tables that have something to show, the most important first."""
    made = (_alignment(report), _ablation(report), _costs(report), _cells(report))
    return tuple(item for item in made if item.rows)


def measured(report: SweepReport) -> dict[str, JudgeAlignment]:
    """The measurement of each cell that has one, by the cell's name."""
    agents = report.alignment.agents if report.alignment is not None else ()
    names = {item.cell.name for item in report.cells}
    return {judge.name: judge for agent in agents for judge in agent.judges if judge.name in names}


def setting_of(item: CellResult) -> str:
    """The setting, or a dash for people."""
    return item.cell.setting.value if item.cell.setting is not None else n.NONE


def _alignment(report: SweepReport) -> Table:
    known = measured(report)
    rows = (
        (item.cell.agent, item.cell.title, setting_of(item), *_measures(known[item.cell.name]))
        for item in report.cells
        if item.cell.name in known
    )
    columns = "<agent|<judge|<setting|n|alignment|always no|kappa|shift (I)|shift (D)|shift (D+)|shift (T)"
    note = "Alignment: share of verdicts equal to the label. Shift: distance of the met rates, in percentage points."
    return table("Alignment and judge shift", columns, rows, note=note)


def _measures(judge: JudgeAlignment) -> tuple[str, ...]:
    return (
        str(judge.coverage.compared),
        n.share(judge.scores.alignment),
        n.percent(judge.always_no.alignment.value),
        n.coefficient(judge.scores.kappa),
        *(n.points(getattr(judge.rates, field).shift.value) for _, field in STATEMENTS),
    )


def _ablation(report: SweepReport) -> Table:
    """One row a module set, where there is more than one."""
    asked = [item for item in report.cells if item.cell.judge is SweepJudge.AGENT and item.requirements]
    known = measured(report)

    def rows() -> Iterator[tuple[str, ...]]:
        for _, group in groupby(sorted(asked, key=_place), key=_place):
            listed = list(group)
            if len(listed) > 1:
                yield from _steps(listed, known)

    columns = (
        "<agent|<model|<setting|<modules|<variant|n|alignment|against the row above|kappa|shift (I)|shift (D)"
        "|cost, $|tokens|shared verdicts"
    )
    note = (
        "One row a module set; the difference is in percentage points. A call that an earlier cell had made already is"
        " not made again: its tokens and cost are those of the first."
    )
    return table("Ablation", columns, rows(), note=note)


def _place(item: CellResult) -> tuple[str, str, str]:
    return (item.cell.agent, item.cell.model, setting_of(item))


def _steps(cells: list[CellResult], known: Mapping[str, JudgeAlignment]) -> Iterator[tuple[str, ...]]:
    before: tuple[str, ...] = ()
    last: float | None = None
    for number, item in enumerate(cells):
        judge = known.get(item.cell.name)
        value = judge.scores.alignment.value if judge is not None else None
        change = None if value is None or last is None or not number else value - last
        yield (
            item.cell.agent,
            item.cell.model,
            setting_of(item),
            _modules(item.cell.modules, before),
            item.cell.variant,
            str(judge.coverage.compared) if judge is not None else "0",
            n.share(judge.scores.alignment) if judge is not None else n.NONE,
            n.signed(change),
            n.coefficient(judge.scores.kappa) if judge is not None else n.NONE,
            n.points(judge.rates.independent.shift.value) if judge is not None else n.NONE,
            n.points(judge.rates.dependent.shift.value) if judge is not None else n.NONE,
            _dollars(item.usage.cost),
            f"{_tokens(item):,}",
            str(item.shared),
        )
        before, last = item.cell.modules, value


def _modules(modules: tuple[str, ...], before: tuple[str, ...]) -> str:
    """``+read`` when the set is the one above with one more, else all names."""
    added = [name for name in modules if name not in before]
    if before and len(added) == 1 and set(before) < set(modules):
        return f"+{added[0]}"
    return ", ".join(modules)


def _costs(report: SweepReport) -> Table:
    base = report.baseline
    people = base is not None and base.requirements is not None
    columns = "<agent|<judge|<setting|requirements|calls|tokens|cost, $|time"
    columns += "|people: time|people: cost, $|time saved|cost saved" if people else ""
    done = [it for it in report.cells if it.requirements and it.cell.judge in _WORKING]
    note = (
        "Time adds up the verdicts, as if they were given one after the other; calls that several cells share count"
        " where they were made. A majority costs what its members cost."
    )
    if base is not None and people:
        note += f" People: {base.hours:g} hours at ${base.wage:g} for {base.requirements} requirements."
    return table("Cost and time", columns, (_cost_row(report, it, people=people) for it in done), note=note)


def _cost_row(report: SweepReport, item: CellResult, *, people: bool) -> tuple[str, ...]:
    cells = (
        item.cell.agent,
        item.cell.title,
        setting_of(item),
        str(item.requirements),
        str(item.usage.calls),
        f"{_tokens(item):,}",
        _dollars(item.usage.cost),
        _time(item.seconds),
    )
    base = report.baseline
    if not people or base is None or base.requirements is None:
        return cells
    hours = base.hours * item.requirements / base.requirements
    cost = hours * base.wage
    saved = None if item.usage.cost is None or not cost else 1 - item.usage.cost / cost
    return (*cells, _time(hours * 3600), _dollars(cost), n.percent(1 - item.seconds / (hours * 3600)), n.percent(saved))


def _cells(report: SweepReport) -> Table:
    rows = (
        (
            item.cell.agent,
            item.cell.title,
            setting_of(item),
            item.state.value,
            str(item.tasks),
            str(item.satisfied),
            str(item.unsatisfied),
            str(item.errors),
            str(item.pending),
            item.why[:_SHOWN] if item.state is not CellState.FINISHED or item.why else "",
        )
        for item in report.cells
    )
    columns = "<agent|<judge|<setting|<state|tasks|satisfied|unsatisfied|ERROR|not reached|<why"
    return table("Cells", columns, rows)


def _tokens(item: CellResult) -> int:
    used = item.usage
    return used.input_tokens + used.cache_read_tokens + used.cache_write_tokens + used.output_tokens


def _dollars(value: float | None) -> str:
    return "unknown" if value is None else f"{value:,.4f}" if value < 1 else f"{value:,.2f}"


def _time(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.1f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
