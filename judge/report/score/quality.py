"""Quality and speed of a submission on the page."""

from __future__ import annotations

from judge.report.markup import Child, Html, element, escape, join
from judge.report.score.cases import grid
from judge.report.score.charts import SpeedRow, growth, meter, speeds
from judge.report.score.words import ITEMS, speed
from judge.results.score import PerformanceResult, QualityItem, QualityResult
from judge.text import plural

_REASONS, _FINDINGS = 60, 200


def quality(result: QualityResult) -> Html:
    """The rubric with the reasons of each point lost, values set by reviewers, and the findings of the linter."""
    rows = [_item(one) for one in result.items]
    lost = sum(len(one.reasons) for one in result.items)
    changed = sum(one.overridden_from is not None for one in result.items)
    words = [f"{result.value:.2f}", plural(result.functions, "function"), plural(result.lines, "line")]
    words += [f"{plural(changed, 'value')} set by a reviewer"] if changed else []
    summary = element("summary", None, element("b", None, "Code quality"), f" {' · '.join(words)}")
    found = None
    if result.findings:
        lines = [element("li", None, escape(line, 300)) for line in result.findings[:_FINDINGS]]
        left = len(result.findings) - len(lines)
        lines += [element("li", None, f"and {left} more")] if left > 0 else []
        head = element("summary", None, f"Findings of the linter, {len(result.findings):,}, which cost nothing")
        found = element("details", None, head, element("ul", {"class": "lines"}, *lines))
    table = grid(("Criterion", "Weight", "Value", "Why"), rows, "Code quality", "rubric")
    return element("details", {"open": bool(changed) or 0 < lost <= 10}, summary, table, found)


def _item(one: QualityItem) -> list[Child]:
    reasons = [element("li", None, escape(reason, 300)) for reason in one.reasons[:_REASONS]]
    left = len(one.reasons) - len(reasons)
    reasons += [element("li", None, f"and {left} more")] if left > 0 else []
    why: list[Child] = []
    if one.overridden_from is not None:
        text = f"Set from {one.overridden_from:.2f} to {one.value:.2f} by {one.author}: {one.override_reason}"
        why.append(element("p", {"class": "warn"}, escape(text, 600)))
    if reasons:
        why.append(element("ul", {"class": "lines"}, *reasons))
    share = f"{100 * one.weight:.0f}%" if one.weight else "left out"
    return [ITEMS.get(one.name, one.name), share, join(meter(one.value), f" {one.value:.2f}"), why]


def performance(result: PerformanceResult, name: str) -> Html:
    """Speed in words, with the picture of the pairs and of growth."""
    rows = [
        SpeedRow(label, value, samples, slow=result.penalised and result.by == kind)
        for label, kind, value, samples in (
            ("CPU time", "cpu", result.cpu, result.ratios),
            ("Wall time", "wall", result.wall, result.wall_ratios),
        )
        if value is not None
    ]
    lines = [element("p", None, escape(line, 400)) for line in speed(result)]
    lines += [element("p", {"class": "dim"}, escape(note, 400)) for note in result.notes[:20]]
    title = f"Ratio to the reference, {name}"
    figures: list[Html] = []
    drawing = speeds(rows, title, label=90)
    if drawing:
        about = f"Ratio to the reference, log scale: interval, median, and the {plural(len(result.ratios), 'pair')}"
        figures.append(_figure(drawing, f"{about} of {plural(result.loops, 'input')} each."))
    if result.growth is not None:
        curve = growth(result.growth, f"Time against size, {name}")
        if curve:
            figures.append(_figure(curve, "CPU time against size, both log: dashed is the reference."))
    summary = element("summary", None, element("b", None, "Speed"), " slower than allowed" if result.penalised else "")
    notable = result.penalised or bool(result.wrong) or (result.growth is not None and result.growth.faster)
    box = element("div", {"class": "charts"}, *figures) if figures else None
    return element("details", {"open": notable}, summary, *lines, box)


def _figure(drawing: Html, words: str) -> Html:
    inside = element("div", {"class": "scroll"}, drawing)
    return element("figure", None, inside, element("figcaption", None, words))
