"""A badge: as an SVG that loads nothing, and as the JSON that shields.io draws one from."""

from __future__ import annotations

from judge.report.markup import Html, element
from judge.report.score.words import flagged, number, scored
from judge.results.score import ScoreReport
from judge.text import plural

LABEL = "judge score"
_COLORS = ((90.0, "brightgreen"), (75.0, "green"), (60.0, "yellowgreen"), (45.0, "yellow"), (30.0, "orange"))
_SHADES = {
    "brightgreen": "#2f7d1b",
    "green": "#4f7a17",
    "yellowgreen": "#6d7000",
    "yellow": "#8a6500",
    "orange": "#a84b0a",
    "red": "#b3261e",
    "lightgrey": "#63676e",
}
"""Dark enough for white letters."""
_WIDE, _NARROW = 7.2, 4.2


def score_badge_endpoint(report: ScoreReport) -> dict[str, object]:
    """The badge for the ``endpoint`` of shields.io.

    One submission shows its total; several show the lowest and the highest. Certain cheating is said, in red.
    """
    message, color = _message(report)
    return {"schemaVersion": 1, "label": LABEL, "message": message, "color": color}


def score_badge_svg(report: ScoreReport) -> str:
    """The same badge as a picture; its text is made of numbers and our own words alone."""
    message, color = _message(report)
    left, right = _width(LABEL), _width(message)
    whole = left + right
    title = f"{LABEL}: {message}"
    texts = [
        element("text", {"x": f"{at:.1f}", "y": 14, "textLength": f"{size - 12:.1f}"}, text)
        for text, at, size in ((LABEL, left / 2, left), (message, left + right / 2, right))
    ]
    drawing = element(
        "svg",
        {"xmlns": "http://www.w3.org/2000/svg", "width": f"{whole:.0f}", "height": 20, "role": "img",
         "viewBox": f"0 0 {whole:.0f} 20", "aria-label": title},
        element("title", None, title),
        element("clipPath", {"id": "r"}, element("rect", {"width": f"{whole:.0f}", "height": 20, "rx": 3})),
        element("g", {"clip-path": "url(#r)"},
                element("rect", {"width": f"{left:.1f}", "height": 20, "fill": "#3b3f46"}),
                element("rect", {"x": f"{left:.1f}", "width": f"{right + 1:.1f}", "height": 20,
                                 "fill": _SHADES[color]})),
        element("g", {"fill": "#fff", "text-anchor": "middle", "font-size": 11,
                      "font-family": "Verdana,DejaVu Sans,Geneva,sans-serif"}, *texts),
    )  # fmt: skip
    return f"{Html(drawing)}\n"


def _message(report: ScoreReport) -> tuple[str, str]:
    totals = scored(report)
    if not totals:
        return ("no submissions" if not report.submissions else "error", "lightgrey")
    low, high = min(totals), max(totals)
    if len(report.submissions) == 1:
        message = f"{number(low)} / 100"
    else:
        span = number(low) if number(low) == number(high) else f"{number(low)} to {number(high)}"
        message = f"{span}, {plural(len(report.submissions), 'submission')}"
    if len(totals) < len(report.submissions):
        return f"{message}, errors", "lightgrey"
    if flagged(report.submissions):
        return f"{message}, flagged", "red"
    return message, next((color for least, color in _COLORS if low >= least), "red")


def _width(text: str) -> float:
    """About how wide a text is in 11 pixels, with its margins."""
    return 12 + sum(_NARROW if char in " .,/il1jt:" else _WIDE for char in text)
