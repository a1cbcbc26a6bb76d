"""The few signs of a report, each of another shape, so that colour is never all that tells them apart."""

from __future__ import annotations

from judge.report.markup import Html, element, join
from judge.report.model import State

_SHAPES = {
    State.SATISFIED: (
        element("circle", {"class": "shape", "cx": 8, "cy": 8, "r": 7}),
        element("path", {"class": "ink", "d": "M4.8 8.3l2.2 2.2 4.2-4.7"}),
    ),
    State.UNSATISFIED: (
        element("rect", {"class": "shape", "x": 1.4, "y": 1.4, "width": 13.2, "height": 13.2, "rx": 3}),
        element("path", {"class": "ink", "d": "M5.2 5.2l5.6 5.6M10.8 5.2l-5.6 5.6"}),
    ),
    State.ERROR: (
        element("path", {"class": "shape", "d": "M8 .9 15.6 14.4H.4z"}),
        element("path", {"class": "ink", "d": "M8 5.6v4M8 11.7v.6"}),
    ),
    State.PENDING: (element("circle", {"class": "ring", "cx": 8, "cy": 8, "r": 6}),),
}


def name(state: State) -> str:
    """The class of a state."""
    return f"s-{state.value.lower()}"


def icon(state: State) -> Html:
    """The sign of a state; it says nothing to a screen reader, words stand beside it."""
    use = element("use", {"href": f"#i-{state.value.lower()}"})
    return element("svg", {"class": f"icon {name(state)}", "viewBox": "0 0 16 16", "aria-hidden": "true"}, use)


def definitions() -> Html:
    """What the signs and arrows are drawn from; stands once on a page."""
    symbols = [
        element("symbol", {"id": f"i-{state.value.lower()}", "viewBox": "0 0 16 16"}, *shapes)
        for state, shapes in _SHAPES.items()
    ]
    arrows = [
        element(
            "marker",
            {
                "id": f"arrow-{kind}",
                "viewBox": "0 0 8 8",
                "refX": 7,
                "refY": 4,
                "markerWidth": 7,
                "markerHeight": 7,
                "markerUnits": "userSpaceOnUse",
                "orient": "auto-start-reverse",
                "class": f"arrow {kind}",
            },
            element("path", {"d": "M0 .8 7.5 4 0 7.2z"}),
        )
        for kind in ("open", "met", "blocked")
    ]
    return element("svg", {"class": "defs", "aria-hidden": "true"}, element("defs", None, join(symbols, arrows)))
