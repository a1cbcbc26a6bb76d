"""Which events of an Inspect sample belong to whom: the main agent, its sub-agents, or the scorers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from judge.trajectories.values import mapping, sequence, string

_DEEPEST = 60
_SCORERS = ("scorers", "scorer")


@dataclass(slots=True)
class Shares:
    """The events of a sample, shared out.

    Attributes:
        own: Those of the main agent, in order.
        inner: Those of a sub-agent, by the id of the tool call that started it.
        names: The sub-agent's name, by the same id.
        others: How many belong to scorers.
    """

    own: list[Mapping[str, Any]] = field(default_factory=list)
    inner: dict[str, list[Mapping[str, Any]]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    others: int = 0


@dataclass(frozen=True, slots=True)
class _Span:
    kind: str
    name: str
    parent: str


def share_out(events: Sequence[Mapping[str, Any]]) -> Shares:
    """Shares the events out by the spans in which they stand."""
    spans = {
        string(event.get("id")): _Span(
            string(event.get("type")), string(event.get("name")), string(event.get("parent_id"))
        )
        for event in events
        if event.get("event") == "span_begin" and string(event.get("id"))
    }
    calls: dict[str, str] = {}
    for event in events:
        span = string(event.get("span_id"))
        if event.get("event") == "tool" and string(event.get("id")) and spans.get(span, _NONE).kind == "tool":
            calls.setdefault(span, string(event["id"]))
    shares = Shares()
    places: dict[str, tuple[str, str]] = {}
    for event in events:
        span = string(event.get("span_id"))
        if span not in places:
            places[span] = _place(span, spans, calls)
        call, name = places[span]
        if event.get("event") == "tool" and call and string(event.get("id")) == call:
            call = ""  # the call itself stands in the span that it opens
        if name in _SCORERS and not call:
            shares.others += 1
        elif call:
            shares.inner.setdefault(call, []).append(event)
            shares.names.setdefault(call, name)
        else:
            shares.own.append(event)
        _older(event, shares)
    return shares


def _older(event: Mapping[str, Any], shares: Shares) -> None:
    """Before there were spans, a tool's event held the events of the sub-agent itself."""
    inner = [mapping(item) for item in sequence(event.get("events"))]
    call = string(event.get("id"))
    if event.get("event") == "tool" and call and any(item.get("event") == "model" for item in inner):
        shares.inner.setdefault(call, []).extend(inner)
        shares.names.setdefault(call, string(event.get("agent")) or string(event.get("function")))


_NONE = _Span("", "", "")


def _place(span: str, spans: Mapping[str, _Span], calls: Mapping[str, str]) -> tuple[str, str]:
    """The outermost tool call with an agent in it, and that agent's name; for the scorers' spans their kind."""
    call, agent, found = "", "", ("", "")
    for _ in range(_DEEPEST):
        here = spans.get(span)
        if here is None:
            break
        if here.kind in _SCORERS or (here.name == "scorers" and not here.kind):
            return "", "scorers"
        if here.kind == "agent":
            agent = here.name or "agent"
        elif span in calls and agent:
            call, found = calls[span], (calls[span], agent)
        if here.parent == span:
            break
        span = here.parent
    return found if call else ("", "")
