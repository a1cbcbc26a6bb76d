"""The curves of an alignment report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from judge.report.alignment import numbers as n
from judge.report.alignment import svg
from judge.report.alignment.tables import title_of
from judge.results import AgentAlignment, Curve, JudgeAlignment, SubjectKind

_SHAPES = {
    SubjectKind.JUDGE: "circle",
    SubjectKind.RATER: "square",
    SubjectKind.RATERS: "diamond",
    SubjectKind.JUDGES: "diamond",
}


def figures(agent: AgentAlignment) -> tuple[str, ...]:
    """The figures of one agent as HTML elements."""
    shown = [judge for judge in agent.judges if judge.point is not None or judge.curve is not None]
    found = [_precision_recall(agent, shown)] if shown else []
    found += [_reliability(agent, judge) for judge in agent.judges if judge.calibration is not None]
    return tuple(found)


def figure(caption: str, drawing: str, legend: str = "") -> str:
    """A drawing with its legend and caption."""
    return f"<figure><figcaption>{escape(caption)}</figcaption>{drawing}{legend}</figure>"


def _of(agent: AgentAlignment) -> str:
    return f" on {agent.agent}" if agent.agent else ""


def _precision_recall(agent: AgentAlignment, judges: Sequence[JudgeAlignment]) -> str:
    caption = f"Precision and recall{_of(agent)}"
    base = agent.human_met / agent.labeled if agent.labeled else 0.0
    parts = [svg.axes("recall", "precision"), svg.line([(0, base), (1, base)], "chance", "share of met labels")]
    legend = []
    for number, judge in enumerate(judges):
        style, shape, name = f"c{number % svg.COLORS}", _SHAPES[judge.kind], title_of(judge)
        if judge.curve is not None:
            about = f"{name}: average precision {n.number(judge.curve.average_precision.value)}"
            parts.append(svg.line(list(steps(judge.curve)), style, about))
        if judge.point is not None:
            p, r = n.percent(judge.point.precision), n.percent(judge.point.recall)
            spot = (judge.point.recall, judge.point.precision)
            parts.append(svg.mark(spot, shape, style, f"{name}: precision {p}, recall {r}"))
        text = f"{name}, AP {n.number(judge.curve.average_precision.value)}" if judge.curve is not None else name
        legend.append(f"<li>{svg.sample(shape, style, with_line=judge.curve is not None)} {escape(text)}</li>")
    legend.append(f"<li>{_dash()} chance: {n.percent(base)} of the labels are met</li>")
    return figure(caption, svg.drawing(caption, parts), f'<ul class="legend">{"".join(legend)}</ul>')


def _dash() -> str:
    return '<svg width="28" height="16" aria-hidden="true"><path class="line chance" d="M1 8H27"/></svg>'


def steps(curve: Curve) -> Iterator[svg.Point]:
    """The curve as the steps whose area is the average precision, from the first recall that is reached."""
    last = 0.0
    for point in curve.points:
        if point.threshold is None:
            continue  # the point that stands for taking nothing
        if point.recall > last:
            yield last, point.precision
        yield point.recall, point.precision
        last = point.recall


def _reliability(agent: AgentAlignment, judge: JudgeAlignment) -> str:
    found = judge.calibration
    assert found is not None  # the caller asks only for judges that have one
    caption = (
        f"Calibration of {title_of(judge)}{_of(agent)}: error {n.number(found.error.value)},"
        f" Brier score {n.number(found.brier.value)}"
    )
    parts = [svg.axes("stated probability of met", "met by label"), svg.line([(0, 0), (1, 1)], "chance")]
    for it in found.bins:
        about = f"{it.n} requirements: {n.number(it.mean_score)} stated, {n.number(it.met)} met"
        parts.append(svg.bar(it.low, it.high, it.met, "c0", about))
    line = [(it.mean_score, it.met) for it in found.bins]
    parts += [svg.line(line, "c0"), *(svg.mark(point, "circle", "c0") for point in line)]
    return figure(caption, svg.drawing(caption, parts))
