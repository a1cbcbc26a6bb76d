"""The requirements of a task as a picture: what needs what, what is met, and what an unmet one blocks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from judge.report.icons import name
from judge.report.layers import Edge, layered
from judge.report.markup import Html, Value, element, join, shorten
from judge.report.model import RequirementReport, State, TaskReport
from judge.report.words import NAMES

_COLUMN, _ROW = 118, 46
_WIDTH, _HEIGHT = 70, 32
_MARGIN = 8


def draw(task: TaskReport, anchor: str) -> Html:
    """The picture of one task, or nothing when no requirement needs another.

    Args:
        task: The task.
        anchor: What the ids of its requirements begin with.
    """
    by_id = {item.requirement_id: item for item in task.requirements}
    edges = [(other, item.requirement_id) for item in task.requirements for other in item.prerequisites]
    laid = layered(list(by_id), edges)
    if not laid.routes:
        return Html("")
    width = (laid.width - 1) * _COLUMN + _WIDTH + 2 * _MARGIN
    height = round((laid.height - 1) * _ROW + _HEIGHT + 2 * _MARGIN)
    ranked = sorted(laid.routes, key=lambda edge: (_kind(by_id[edge[0]]) == "blocked", edge not in laid.implied))
    lines = [_edge(edge, laid.routes[edge], by_id, edge in laid.implied or edge in laid.back) for edge in ranked]
    nodes = [_node(item, *_centre(*laid.nodes[item.requirement_id]), anchor) for item in task.requirements]
    drawing = element(
        "svg",
        {"class": "graph", "viewBox": f"0 0 {width} {height}", "width": width, "height": height, "role": "group",
         "aria-label": "Requirements and their prerequisites, from left to right"},
        join(lines),
        join(nodes),
    )  # fmt: skip
    scroll = element("div", {"class": "scroll", "tabindex": 0, "role": "region", "aria-label": "Graph"}, drawing)
    return element("figure", {"class": "dag"}, scroll, _legend(task))


def _kind(source: RequirementReport) -> str:
    """What passes along an edge that leaves a requirement."""
    if source.state == State.UNSATISFIED or source.blocked:
        return "blocked"
    return "met" if source.state == State.SATISFIED else "open"


def _centre(layer: float, row: float) -> tuple[float, float]:
    return _MARGIN + _WIDTH / 2 + layer * _COLUMN, _MARGIN + _HEIGHT / 2 + row * _ROW


def _edge(edge: Edge, route: Sequence[tuple[float, float]], by_id: dict[int, RequirementReport], faint: bool) -> Html:
    kind = _kind(by_id[edge[0]])
    points = [_centre(*place) for place in route]
    points[0] = (points[0][0] + _WIDTH / 2, points[0][1])
    points[-1] = (points[-1][0] - _WIDTH / 2 - 1, points[-1][1])
    path = f"M{_xy(points[0])}"
    for (x0, y0), (x1, y1) in pairwise(points):
        bend = max(18.0, abs(x1 - x0) / 2)
        path += f"C{_xy((x0 + bend, y0))} {_xy((x1 - bend, y1))} {_xy((x1, y1))}"
    classes = f"edge {kind}{' faint' if faint else ''}"
    return element("path", {"class": classes, "d": path, "marker-end": f"url(#arrow-{kind})"})


def _xy(point: tuple[float, float]) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"


def _node(item: RequirementReport, x: float, y: float, anchor: str) -> Html:
    left, top = x - _WIDTH / 2, y - _HEIGHT / 2
    stuck = " stuck" if item.blocked else ""
    words = f"Requirement {item.requirement_id}: {NAMES[item.state]}{', blocked' if item.blocked else ''}"
    box: dict[str, Value] = {"x": f"{left:.1f}", "y": f"{top:.1f}", "width": _WIDTH, "height": _HEIGHT, "rx": 8}
    return element(
        "a",
        {"href": f"#{anchor}-{item.requirement_id}", "class": f"node {name(item.state)}{stuck}", "aria-label": words},
        element("title", None, f"{words}\n{shorten(item.criteria, 300)}"),
        element("rect", {"class": "box", **box}),
        element("use", {"href": f"#i-{item.state.value.lower()}", "x": f"{left + 9:.1f}", "y": f"{y - 8:.1f}",
                        "width": 16, "height": 16, "class": f"icon {name(item.state)}"}),
        element("text", {"x": f"{left + 32:.1f}", "y": f"{y + 5:.1f}"}, f"R{item.requirement_id}"),
    )  # fmt: skip


def _legend(task: TaskReport) -> Html:
    words = ["An arrow leads from a prerequisite to what needs it."]
    if any(item.blocked for item in task.requirements):
        words.append("Dashed: blocked, because a prerequisite on the way is not met.")
    return element("figcaption", None, " ".join(words))
