"""How spans hang together: who is a sub-agent, and which spans two instrumentations wrote for the same thing."""

from __future__ import annotations

from collections.abc import Sequence

from judge.trajectories.formats.otel_messages import kind_of
from judge.trajectories.formats.otel_spans import Span
from judge.trajectories.values import string

_ABOVE = 100
_GROUPS = ("invoke_workflow", "create_agent")


class SpanTree:
    """The spans of one conversation by their parents; a parent that is missing or goes in circles ends the way up."""

    def __init__(self, spans: Sequence[Span]) -> None:
        """Takes the spans in the order of their beginning."""
        self._by_id: dict[str, Span] = {}
        for span in spans:
            if span.id:
                self._by_id.setdefault(span.id, span)
        self._kinds = {id(span): kind_of(span) for span in spans}
        outer = {names[-1] for span in spans if self.kind(span) == "chat" and (names := self._names(span))}
        self._several = len(outer) > 1
        self.sub_agents: set[str] = set()

    def kind(self, span: Span) -> str:
        """What kind a span is of."""
        return self._kinds[id(span)]

    def _above(self, span: Span) -> list[Span]:
        found: list[Span] = []
        seen = {span.id}
        while (above := self._by_id.get(span.parent)) is not None and above.id not in seen and len(found) < _ABOVE:
            found.append(above)
            seen.add(above.id)
            span = above
        return found

    def _names(self, span: Span) -> list[str]:
        """The agents that a span works for, the innermost first; one that is wrapped twice counts once."""
        names: list[str] = []
        for above in self._above(span):
            if self.kind(above) != "agent" or above.attributes.get("gen_ai.operation.name") in _GROUPS:
                continue
            given = above.attributes.get("gen_ai.agent.name", above.attributes.get("agent_name"))
            name = string(given) or above.name.removeprefix("invoke_agent ")
            if name.startswith("ai."):  # the AI SDK's own outer spans
                continue
            if not names or names[-1] != name:
                names.append(name)
        return names

    def agent(self, span: Span) -> tuple[str | None, bool]:
        """The name to show for the agent of a span, when there are several, and whether another agent called it."""
        names = self._names(span)
        if len(names) > 1:
            self.sub_agents.add(names[0])
            return names[0], True
        return (names[0] if self._several and names else None), False

    def repeats(self, span: Span) -> bool:
        """Whether a span stands inside one of its kind that says the same: a wrapper and what it wraps."""
        kind = self.kind(span)
        for above in self._above(span):
            other = self.kind(above)
            if other == kind:
                return kind == "chat" or _tool(above) == _tool(span)
            if other in ("agent", "tool", "chat"):
                return False
        return False


def _tool(span: Span) -> str:
    at = span.attributes
    return string(at.get("gen_ai.tool.call.id")) or string(at.get("gen_ai.tool.name")) or span.name
