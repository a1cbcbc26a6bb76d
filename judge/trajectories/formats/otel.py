"""OpenTelemetry spans of generative AI: the conventions of several years, OpenInference and OpenLLMetry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from judge.schemas import StepUsage
from judge.trajectories.build import Builder
from judge.trajectories.format import CERTAIN, POSSIBLE, Format, Match
from judge.trajectories.formats.otel_messages import Said, answers, kind_of, prompts
from judge.trajectories.formats.otel_spans import Span, is_span, spans_in
from judge.trajectories.jsonstream import members, values
from judge.trajectories.report import Converted
from judge.trajectories.sample import Sample
from judge.trajectories.source import Source
from judge.trajectories.values import as_json, mapping, parsed, string, text_of, usage_of

NAME = "opentelemetry"
_LISTS = ("resourceSpans", "resource_spans", "spans", "batches")
_PREFIXES = ("gen_ai.", "llm.", "openinference.", "traceloop.")
_INPUT = ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt")
_OUTPUT = ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion")
_COST = ("operation.cost", "gen_ai.usage.cost", "gen_ai.usage.total_cost", "llm.cost.total", "cost")
_MODEL = ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name")


def sniff(sample: Sample) -> Match | None:
    """An object with ``resourceSpans``; spans as lines or in a list that speak of generative AI."""
    if sample.is_folder:
        return None
    records: list[Any] = list(sample.records)
    if any("resourceSpans" in mapping(item) or "resource_spans" in mapping(item) for item in records):
        return Match(CERTAIN, "an OTLP export with resourceSpans")
    spans = [item for item in records if isinstance(item, dict) and is_span(item)]
    spans += [
        item for key in ("spans", "batches") for item in mapping(sample.root).get(key) or [] if is_span(mapping(item))
    ]
    if not spans:
        return None
    found = next((True for span in spans_in(spans) if any(key.startswith(_PREFIXES) for key in span.attributes)), False)
    return Match(CERTAIN if found else POSSIBLE, "spans with gen_ai attributes" if found else "spans")


def read(source: Source) -> Iterator[Converted]:
    """Each conversation: spans that name the same one, otherwise each trace."""
    root = Sample(source).root
    pieces = members(source, *_LISTS) if root is not None and not is_span(root) else values(source)
    found: list[Span] = []
    for piece in pieces:
        if piece.key in _LISTS and not piece.element and not piece.value:
            continue
        found += spans_in([piece.value])
    groups = _groups(found)
    for name, spans in groups.items():
        yield _Reader(Builder(NAME, source), spans).run(name if len(groups) > 1 else "")


def _groups(spans: list[Span]) -> dict[str, list[Span]]:
    talks = {
        span.trace: string(span.attributes.get("gen_ai.conversation.id"))
        for span in spans
        if span.attributes.get("gen_ai.conversation.id")
    }
    groups: dict[str, list[Span]] = {}
    seen: set[tuple[str, str]] = set()
    for span in sorted(spans, key=lambda item: item.start or 0.0):
        if (span.trace, span.id) not in seen:
            seen.add((span.trace, span.id))
            groups.setdefault(talks.get(span.trace) or span.trace, []).append(span)
    # Traces without any span of ours are those of servers and data bases around the agent.
    return {name: items for name, items in groups.items() if any(kind_of(item) for item in items)} or groups


class _Reader:
    def __init__(self, builder: Builder, spans: list[Span]) -> None:
        self._builder = builder
        self._spans = spans
        self._by_id = {span.id: span for span in spans}
        self._heard: set[str] = set()
        self._open: list[tuple[str, str]] = []
        self._answered: set[str] = set()
        self._texts = 0
        self._made = 0

    def run(self, name: str) -> Converted:
        kinds = [kind_of(span) for span in self._spans]
        for span, kind in zip(self._spans, kinds, strict=True):
            if kind == "chat":
                self._builder.used("chat span")
                self._chat(span)
            elif kind == "tool":
                self._builder.used("tool span")
                self._tool(span)
            else:
                self._builder.skip(f"{kind or 'other'} span")
        if "chat" in kinds and not self._texts:
            self._builder.warn("the spans hold no texts: capture of content was switched off")
        return self._builder.finish(name)

    def _agent(self, span: Span) -> str | None:
        """The name of the agent when it works for another one."""
        names, place = [], span
        for _ in range(100):
            above = self._by_id.get(place.parent)
            if above is None:
                break
            if kind_of(above) == "agent":
                names.append(string(above.attributes.get("gen_ai.agent.name")) or above.name)
            place = above
        return names[0] if len(names) > 1 else None

    def _chat(self, span: Span) -> None:
        agent = self._agent(span)
        if agent is None:
            self._prompts(span)
        said = answers(span)
        self._texts += len(said)
        texts = [text_of(part, self._builder.report) for message in said for part in message.content]
        if span.failed:
            self._builder.warn(f"a call of the model failed: {(span.message or _exception(span))[:200]}")
            if not said:
                return
        self._builder.turn("\n\n".join(t for t in texts if t.strip()), usage=_usage(span), agent=agent, time=span.end)
        for id, name, arguments in (call for message in said for call in message.calls):
            self._builder.call(id or None, name, arguments, time=span.end)
            self._open.append((id, name))

    def _prompts(self, span: Span) -> None:
        for message in prompts(span):
            self._results(message)
            if message.role not in ("user", "human"):
                continue
            text = "\n".join(part for item in message.content if (part := text_of(item, self._builder.report)))
            if text and text not in self._heard:
                self._heard.add(text)
                self._builder.user(text, time=span.start)

    def _results(self, message: Said) -> None:
        """Results in the history of a later call, for tools that have no span of their own."""
        for id, body in message.results:
            if id and self._builder.has_call(id) and id not in self._answered and not self._has_span(id):
                self._answered.add(id)
                self._builder.result(id, text_of(body, self._builder.report))

    def _has_span(self, id: str) -> bool:
        return any(item.attributes.get("gen_ai.tool.call.id") == id for item in self._spans if kind_of(item) == "tool")

    def _tool(self, span: Span) -> None:
        at = span.attributes
        name = string(_first(at, ("gen_ai.tool.name", "tool.name", "traceloop.entity.name"))) or span.name.removeprefix(
            "execute_tool "
        )
        given = string(_first(at, ("gen_ai.tool.call.id", "tool_call.id", "tool.id")))
        id = self._match(given, name)
        if not self._builder.has_call(id):
            arguments = _first(
                at, ("gen_ai.tool.call.arguments", "tool.parameters", "input.value", "traceloop.entity.input")
            )
            self._builder.call(id, name, parsed(arguments), time=span.start)
        body = _first(at, ("gen_ai.tool.call.result", "output.value", "traceloop.entity.output"))
        error = span.message or _exception(span)
        text = text_of(parsed(body) if isinstance(body, str) and body[:1] in "[{" else body, self._builder.report)
        if isinstance(body, dict):
            text = as_json(body)
        if body is None and not span.failed:
            self._builder.warn("results of tools were not recorded")
            self._builder.final_call(id)
            return
        self._answered.add(id)
        self._builder.result(id, text or error, failed=True if span.failed else None, time=span.end)

    def _match(self, given: str, name: str) -> str:
        for call in self._open:
            if (given and call[0] == given) or (not given and call[1] == name and call[0]):
                self._open.remove(call)
                return call[0]
        self._made += 1
        return given or f"span-{self._made}"


def _first(attributes: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((attributes[name] for name in names if attributes.get(name) not in (None, "")), None)


def _exception(span: Span) -> str:
    for name, attributes in span.events:
        if name == "exception":
            kind, text = string(attributes.get("exception.type")), string(attributes.get("exception.message"))
            return f"{kind}: {text}".strip(": ")
    return "error"


def _usage(span: Span) -> StepUsage:
    at = span.attributes
    counts = {"input_tokens": _first(at, _INPUT), "output_tokens": _first(at, _OUTPUT)}
    usage = usage_of(counts, model=_first(at, _MODEL), cost=_first(at, _COST))
    if span.start is not None and span.end is not None and span.end >= span.start:
        usage = usage.model_copy(update={"llm_inference_time": span.end - span.start})
    return usage


FORMAT = Format(
    name=NAME,
    description="OpenTelemetry spans of generative AI (OTLP JSON, console and stdout exporters)",
    sniff=sniff,
    read=read,
)
