"""One requirement in the HTML report: the verdict first, then why, then what it rests on."""

from __future__ import annotations

import re

from judge.report.exhibits import Exhibits, citations
from judge.report.icons import icon, name
from judge.report.markup import Child, Html, Value, element, escape, join
from judge.report.model import RequirementReport, State
from judge.report.words import NAMES, cost, duration, label, outcome, tokens
from judge.text import plural

_CODE = re.compile(r"`([^`\n]{1,200})`")
_PROSE = 6_000


def prose(text: str) -> Html:
    """Text with what stands in back-ticks as code; everything else as it is, line breaks kept by the style."""
    parts = _CODE.split(text if len(text) <= _PROSE else "")
    if len(text) > _PROSE:
        return escape(text, _PROSE)
    return join(*(element("code", None, part) if index % 2 else part for index, part in enumerate(parts)))


def card(item: RequirementReport, exhibits: Exhibits, category: int, *, opened: bool) -> Html:
    """One requirement.

    Args:
        item: The requirement.
        exhibits: The evidence of its task.
        category: Number of its category, for the filter.
        opened: Whether its citations are open.
    """
    anchor = f"{exhibits.anchor}-{item.requirement_id}"
    attributes: dict[str, Value] = {
        "class": f"card {name(item.state)}",
        "id": anchor,
        "data-state": item.state.value.lower(),
        "data-category": category,
        "data-differs": item.agrees is False,
    }
    return element("article", attributes, *_visible(item, anchor, exhibits.anchor), *_folded(item, exhibits, opened))


def _visible(item: RequirementReport, anchor: str, base: str) -> tuple[Html | None, ...]:
    head = element(
        "header",
        None,
        verdict(item.state),
        element("a", {"class": "number", "href": f"#{anchor}",
                      "aria-label": f"Link to requirement {item.requirement_id}"}, f"R{item.requirement_id}"),
        element("span", {"class": "category"}, escape(item.category, 120)) if item.category else None,
        _confidence(item),
    )  # fmt: skip
    criteria = element("h4", None, prose(item.criteria) if item.criteria else "(the criterion is not recorded)")
    text = outcome(item)
    reason = element("p", {"class": "reason"}, prose(text)) if text else None
    return head, criteria, reason, _facts(item, base), _label(item), *_warnings(item)


def verdict(state: State) -> Html:
    """A verdict as sign and word."""
    return element("span", {"class": f"verdict {name(state)}"}, icon(state), NAMES[state])


def _confidence(item: RequirementReport) -> Html | None:
    if item.confidence is None or item.state not in {State.SATISFIED, State.UNSATISFIED}:
        return None
    share = f"{item.confidence * 100:.0f}%"
    bar = element(
        "svg",
        {"class": "meter", "viewBox": "0 0 48 6", "width": 48, "height": 6, "aria-hidden": "true"},
        element("rect", {"class": "track", "width": 48, "height": 6, "rx": 3}),
        element("rect", {"class": "fill", "width": f"{48 * item.confidence:.1f}", "height": 6, "rx": 3}),
    )
    return element("span", {"class": "confidence"}, bar, f"{share} confident")


def _facts(item: RequirementReport, base: str) -> Html | None:
    """What it rests on, and what blocks it."""
    parts: list[Html] = []
    needs = tuple(number for number in item.prerequisites if number != item.requirement_id)
    if needs:
        parts.append(element("span", None, "Needs ", _links(needs, base)))
    if item.unmet:
        how = "Not judged: blocked by " if item.gated else "Blocked by "
        parts.append(element("span", {"class": "blocked"}, how, _links(item.unmet, base)))
    elif item.blocked:
        parts.append(element("span", {"class": "blocked"}, "Blocked by an unmet prerequisite further up"))
    return element("p", {"class": "facts"}, *parts) if parts else None


def _links(ids: tuple[int, ...], base: str) -> Html:
    links = [element("a", {"href": f"#{base}-{number}"}, f"R{number}") for number in ids]
    return join(*(child for index, link in enumerate(links) for child in ((", " if index else None), link)))


def _label(item: RequirementReport) -> Html | None:
    if item.label is None:
        return None
    state = State.SATISFIED if item.label else State.UNSATISFIED
    words = {True: "the judge agrees", False: "the judge disagrees", None: "there is no verdict to compare"}[
        item.agrees
    ]
    note = element("span", {"class": "dim"}, f" · {item.label_note}") if item.label_note else None
    classes = "label differs" if item.agrees is False else "label"
    return element(
        "p", {"class": classes}, icon(state), f"Label: {label(item.label)}", element("b", None, f" · {words}"), note
    )


def _warnings(item: RequirementReport) -> list[Html]:
    found = []
    if item.injection:
        places = "; ".join(item.injection[:5])
        found.append(element("p", {"class": "warn"}, f"Text that addresses the judge stands in {places}."))
    return found


def _folded(item: RequirementReport, exhibits: Exhibits, opened: bool) -> tuple[Html | None, ...]:
    raw = None
    if item.raw_answer:
        body = element("pre", {"tabindex": 0}, escape(item.raw_answer, 4_000))
        raw = element("details", None, element("summary", None, "The model's answer, which could not be used"), body)
    shown = citations(item.citations, item.citations_verified, opened=opened)
    return shown, raw, exhibits.beside(item), _usage(item)


def _usage(item: RequirementReport) -> Html | None:
    rows: list[tuple[str, Child]] = []
    usage = item.usage
    if usage is not None and usage.calls:
        rows += [("Model calls", f"{usage.calls:,}"), ("Tokens", tokens(usage)), ("Cost", cost(usage))]
    if item.seconds is not None:
        rows.append(("Time", duration(item.seconds)))
    if len(item.votes) > 1:
        rows.append(("Votes", ", ".join(item.votes)))
    if item.judge:
        rows.append(("Judge", " · ".join(dict.fromkeys(word for word in (item.judge, item.model) if word))))
    if item.redacted:
        rows.append(("Secrets masked in", "; ".join(item.redacted[:8])))
    for title, digest in (("Prompt", item.prompt_hash), ("Evidence", item.evidence_hash)):
        if digest:
            rows.append((title, element("code", None, escape(digest[:16], 40))))
    if not rows:
        return None
    brief = [plural(usage.calls, "call") if usage is not None and usage.calls else "no model call"]
    brief += [duration(item.seconds)] if item.seconds is not None else []
    return element(
        "details",
        {"class": "usage"},
        element("summary", None, "Usage", element("span", {"class": "dim"}, f" · {', '.join(brief)}")),
        facts(rows),
    )


def facts(rows: list[tuple[str, Child]]) -> Html:
    """Names and values."""
    return element("dl", None, *((element("dt", None, title), element("dd", None, value)) for title, value in rows))
