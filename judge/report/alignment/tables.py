"""The tables of an alignment report."""

from __future__ import annotations

from collections.abc import Iterator

from judge.report.alignment import numbers as n
from judge.report.alignment.lists import list_tables
from judge.report.alignment.table import Table, table
from judge.results import AgentAlignment, AlignmentReport, JudgeAlignment, MetRate, Scores, SubjectKind

STATEMENTS = (("(I)", "independent"), ("(D)", "dependent"), ("(D+)", "transitive"), ("(T)", "solved"))
_SCORES = ("alignment", "kappa", "precision", "recall", "f1", "macro_f1", "balanced_accuracy")
_NEVER = "  always no, on the same"
_SHARES = {"alignment", "precision", "recall", "balanced_accuracy"}


def tables(report: AlignmentReport) -> tuple[Table, ...]:
    """All tables that have something to show, the most important first."""
    found = [_summary(report), _rates(report), _scores(report), _counts(report), _coverage(report)]
    found += [_agreements(report), _pairs(report), _comparisons(report), _confidence(report), _bins(report)]
    return tuple(item for item in (*found, *list_tables(report)) if item.rows)


def settings_line(report: AlignmentReport) -> str:
    """How intervals were made."""
    if not report.resamples:
        return "No intervals: resampling is off."
    return (
        f"In brackets: {100 * report.level:g}% intervals from {report.resamples} resamples of whole tasks"
        f" (seed {report.seed}); none where tasks give no spread."
    )


def subjects(report: AlignmentReport) -> Iterator[tuple[AgentAlignment, JudgeAlignment]]:
    """Every judge, rater and majority with its agent."""
    for agent in report.agents:
        for judge in agent.judges:
            yield agent, judge


def title_of(judge: JudgeAlignment) -> str:
    """The name, with what it is when it is a person."""
    return f"{judge.name} (rater)" if judge.kind is SubjectKind.RATER else judge.name


def agent_of(agent: AgentAlignment) -> str:
    """The agent's name, or a dash."""
    return agent.agent or n.NONE


def _summary(report: AlignmentReport) -> Table:
    rows = (
        (
            agent_of(agent),
            title_of(judge),
            str(judge.coverage.compared),
            n.share(judge.scores.alignment),
            n.percent(judge.always_no.alignment.value),
            n.coefficient(judge.scores.kappa),
            *(n.points(getattr(judge.rates, field).shift.value) for _, field in STATEMENTS),
        )
        for agent, judge in subjects(report)
    )
    columns = "<agent|<judge|n|alignment|always no|kappa|shift (I)|shift (D)|shift (D+)|shift (T)"
    note = "Alignment: share of verdicts equal to the label. Shift: distance of the met rates, in percentage points."
    return table("Alignment and judge shift", columns, rows, note=note)


def _rates(report: AlignmentReport) -> Table:
    def row(agent: AgentAlignment, judge: JudgeAlignment, name: str, rate: MetRate) -> tuple[str, ...]:
        return (
            agent_of(agent),
            title_of(judge),
            name,
            str(rate.n),
            str(rate.judge_met),
            n.share(rate.judge),
            str(rate.human_met),
            n.share(rate.human),
            n.difference(rate.difference),
            n.points(rate.shift.value),
            n.points(rate.human.value),
        )

    rows = (
        row(agent, judge, name, getattr(judge.rates, field))
        for agent, judge in subjects(report)
        for name, field in STATEMENTS
    )
    columns = (
        "<agent|<judge|<rate|n|judge met|judge rate|label met|label rate|judge - label, points|shift|always-no shift"
    )
    note = (
        "(I) requirements met, (D) with all direct prerequisites met, (D+) with prerequisites of these too,"
        " (T) tasks with every requirement met; over what verdicts and labels both decide."
    )
    return table("Met rates side by side", columns, rows, note=note)


def _scores(report: AlignmentReport) -> Table:
    def row(agent: str, name: str, count: int, scores: Scores) -> tuple[str, ...]:
        made = ((n.share if field in _SHARES else n.coefficient)(getattr(scores, field)) for field in _SCORES)
        return (agent, name, str(count), *made)

    def both() -> Iterator[tuple[str, ...]]:
        for agent, judge in subjects(report):
            count = judge.coverage.compared
            yield row(agent_of(agent), title_of(judge), count, judge.scores)
            yield row(agent_of(agent), _NEVER, count, judge.always_no)

    columns = "<agent|<judge|n|alignment|kappa|precision|recall|F1|macro F1|balanced accuracy"
    return table("Scores", columns, both(), note='Positive is "met".')


def _counts(report: AlignmentReport) -> Table:
    def both() -> Iterator[tuple[str, ...]]:
        for agent, judge in subjects(report):
            c = judge.confusion
            found = (c.true_positive, c.false_positive, c.false_negative, c.true_negative)
            never = (0, 0, c.true_positive + c.false_negative, c.false_positive + c.true_negative)
            for name, cells in ((title_of(judge), found), (_NEVER, never)):
                yield (agent_of(agent), name, str(judge.coverage.compared), *map(str, cells))

    columns = "<agent|<judge|n|both met|judge met, label unmet|judge unmet, label met|both unmet"
    return table("Confusion counts", columns, both())


def _coverage(report: AlignmentReport) -> Table:
    rows = (
        (
            agent_of(agent),
            title_of(judge),
            *(
                str(getattr(judge.coverage, field))
                for field in ("requirements", "compared", "errors", "missing", "not_judged", "unlabeled", "tasks")
            ),
            n.share(judge.alignment_of_all),
            str(judge.alignment_of_all.n),
        )
        for agent, judge in subjects(report)
    )
    columns = (
        "<agent|<judge|requirements|compared|ERROR|no verdict|in tasks not judged|no label|tasks compared"
        "|alignment, ERROR and no verdict as wrong|n"
    )
    note = "Rates are over the compared requirements; the others are counted here and are in no rate but the last."
    return table("What was compared", columns, rows, note=note)


def _agreements(report: AlignmentReport) -> Table:
    rows = (
        (
            agent_of(agent),
            f"{it.kind}s: {', '.join(it.names)}",
            str(it.alpha.n),
            n.coefficient(it.alpha),
            n.share(it.unanimous),
        )
        for agent in report.agents
        for it in agent.agreements
    )
    return table("Agreement among several", "<agent|<of|n|Krippendorff's alpha|all agree", rows)


def _pairs(report: AlignmentReport) -> Table:
    rows = (
        (
            agent_of(agent),
            pair.first,
            pair.second,
            str(pair.disagreement.n),
            n.share(pair.disagreement),
            n.coefficient(pair.kappa),
        )
        for agent in report.agents
        for it in agent.agreements
        for pair in it.pairs
    )
    return table("Pairwise disagreement", "<agent|<one|<other|n|disagreement|kappa", rows)


def _comparisons(report: AlignmentReport) -> Table:
    rows = (
        (
            agent_of(agent),
            it.first,
            it.second,
            str(it.n),
            n.percent(it.first_alignment.value),
            n.percent(it.second_alignment.value),
            n.difference(it.difference),
            str(it.first_only),
            str(it.second_only),
            n.probability(it.mcnemar_p),
        )
        for agent in report.agents
        for it in agent.comparisons
    )
    columns = "<agent|<first|<second|n|first|second|difference, points|only first right|only second right|McNemar p"
    return table("Judges against each other", columns, rows, note="Alignment on the same labels; exact McNemar test.")


def _confidence(report: AlignmentReport) -> Table:
    def cells(judge: JudgeAlignment) -> tuple[str, ...]:
        curve, calibration, point = judge.curve, judge.calibration, judge.point
        return (
            n.percent(point.precision) if point else n.NONE,
            n.percent(point.recall) if point else n.NONE,
            str(curve.n) if curve else n.NONE,
            n.coefficient(curve.average_precision) if curve else n.NONE,
            n.coefficient(calibration.error) if calibration else n.NONE,
            n.coefficient(calibration.brier) if calibration else n.NONE,
            n.number(curve.positives / curve.n) if curve else n.NONE,
        )

    rows = ((agent_of(agent), title_of(judge), *cells(judge)) for agent, judge in subjects(report))
    columns = (
        "<agent|<judge|precision|recall|n with confidence|average precision|calibration error|Brier score"
        "|average precision by chance"
    )
    note = "Average precision, calibration and Brier score need a stated confidence, or several votes."
    return table("Precision, recall and confidence", columns, rows, note=note)


def _bins(report: AlignmentReport) -> Table:
    rows = (
        (
            agent_of(agent),
            title_of(judge),
            f"{it.low:.1f} to {it.high:.1f}",
            str(it.n),
            n.number(it.mean_score),
            n.number(it.met),
        )
        for agent, judge in subjects(report)
        for it in (judge.calibration.bins if judge.calibration else ())
    )
    columns = "<agent|<judge|<stated probability of met|n|mean stated|met by label"
    return table("Calibration", columns, rows)
