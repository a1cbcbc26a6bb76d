"""The long tables of an alignment report: groups, and single requirements."""

from __future__ import annotations

from collections.abc import Iterator

from judge.report.alignment import numbers as n
from judge.report.alignment.table import Table, table
from judge.results import AlignmentReport, DriftItem, Group

_LABELS = {True: "met", False: "unmet", None: n.NONE}


def list_tables(report: AlignmentReport) -> tuple[Table, ...]:
    """The long tables, empty ones too."""
    return (
        *(_groups(report, *kind) for kind in (("category", "by_category"), ("task", "by_task"))),
        _differing(report),
        _disagreements(report),
        _uncompared(report),
        _drift(report),
    )


def _groups(report: AlignmentReport, name: str, field: str) -> Table:
    def rows() -> Iterator[tuple[str, ...]]:
        for agent in report.agents:
            for judge in agent.judges:
                groups: tuple[Group, ...] = getattr(judge, field)
                for it in groups:
                    yield (
                        agent.agent or n.NONE,
                        judge.name,
                        it.name,
                        str(it.n),
                        n.share(it.alignment),
                        n.percent(it.always_no),
                        n.of(it.judge_met, it.n),
                        n.of(it.human_met, it.n),
                        str(it.errors),
                        str(it.missing),
                    )

    columns = f"<agent|<judge|<{name}|n|alignment|always no|judge met|label met|ERROR|no verdict"
    return table(f"By {name}", columns, rows(), note="Worst first.", long=True)


def _differing(report: AlignmentReport) -> Table:
    rows = (
        (
            agent.agent or n.NONE,
            it.first,
            it.second,
            split.task,
            str(split.requirement_id),
            str(split.first),
            str(split.second),
            _LABELS[split.label],
            split.criteria,
        )
        for agent in report.agents
        for it in agent.comparisons
        for split in it.differing
    )
    columns = "<agent|<first|<second|<task|id|<first says|<second says|<label|<requirement"
    return table("Where two judges differ", columns, rows, long=True)


def _disagreements(report: AlignmentReport) -> Table:
    rows = (
        (
            agent.agent or n.NONE,
            judge.name,
            split.task,
            str(split.requirement_id),
            str(split.first),
            _LABELS[split.label],
            n.number(split.score),
            split.criteria,
        )
        for agent in report.agents
        for judge in agent.judges
        for split in judge.disagreements
    )
    columns = "<agent|<judge|<task|id|<verdict|<label|probability of met|<requirement"
    return table("Where verdict and label differ", columns, rows, long=True)


def _uncompared(report: AlignmentReport) -> Table:
    rows = (
        (agent.agent or n.NONE, judge.name, what, task)
        for agent in report.agents
        for judge in agent.judges
        for what, tasks in (
            ("labelled, not judged", judge.coverage.not_judged_tasks),
            ("judged, not labelled", judge.coverage.unlabeled_tasks),
        )
        for task in tasks
    )
    return table("Tasks that are only on one side", "<agent|<judge|<where|<task", rows, long=True)


def _drift(report: AlignmentReport) -> Table:
    def row(agent: str, who: str, it: DriftItem) -> tuple[str, ...]:
        return (agent or n.NONE, who, it.task, str(it.requirement_id), it.kind, it.detail)

    def rows() -> Iterator[tuple[str, ...]]:
        for agent in report.agents:
            yield from (row(agent.agent, "labels", it) for it in agent.drift)
            for judge in agent.judges:
                yield from (row(agent.agent, judge.name, it) for it in judge.drift)

    return table("Drift of texts and ids", "<agent|<of|<task|id|<kind|<detail", rows(), long=True)
