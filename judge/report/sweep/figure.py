"""The precision-recall curves of all cells in one figure."""

from __future__ import annotations

from collections import Counter
from html import escape

from judge.report.alignment import numbers as n
from judge.report.alignment import svg
from judge.report.alignment.figures import figure, steps
from judge.report.sweep.tables import measured, setting_of
from judge.results import SweepJudge, SweepReport

_SHAPES = {SweepJudge.HUMAN: "square", SweepJudge.MAJORITY: "diamond", SweepJudge.RULES: "cross"}


def curves(report: SweepReport) -> str:
    """The figure as an HTML element; empty when nothing was measured.

    Judges that state confidence are lines, with a mark at their own verdicts; the others are marks alone.
    """
    known = measured(report)
    shown = [item for item in report.cells if item.cell.name in known]
    shown = [item for item in shown if known[item.cell.name].point or known[item.cell.name].curve]
    if not shown:
        return ""
    caption = "Precision and recall"
    parts, legend = [svg.axes("recall", "precision")], []
    used: Counter[str] = Counter()
    for item in shown:
        judge = known[item.cell.name]
        curve = judge.curve if item.cell.judge is not SweepJudge.HUMAN else None  # labels state no confidence
        shape = _SHAPES.get(item.cell.judge, "circle")
        style = f"c{used[shape] % svg.COLORS}"
        used[shape] += 1
        name = f"{item.cell.title}, {setting_of(item)}" if item.cell.setting is not None else item.cell.title
        name = f"{item.cell.agent}: {name}" if len(report.agents) > 1 else name
        if curve is not None:
            name = f"{name}, AP {n.number(curve.average_precision.value)}"
            parts.append(svg.line(list(steps(curve)), style, name))
        if judge.point is not None:
            about = f"{name}: precision {n.percent(judge.point.precision)}, recall {n.percent(judge.point.recall)}"
            parts.append(svg.mark((judge.point.recall, judge.point.precision), shape, style, about))
        legend.append(f"<li>{svg.sample(shape, style, with_line=curve is not None)} {escape(name)}</li>")
    return figure(caption, svg.drawing(caption, parts), f'<ul class="legend">{"".join(legend)}</ul>')
