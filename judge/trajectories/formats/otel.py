"""OpenTelemetry spans of generative AI: the conventions of several years, OpenInference and OpenLLMetry."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from judge.schemas import StepUsage
from judge.trajectories.build import Builder
from judge.trajectories.format import CERTAIN, LIKELY, POSSIBLE, Format, Match
from judge.trajectories.formats.open_calls import OpenCalls
from judge.trajectories.formats.otel_messages import Said, answers, kind_of, prompts
from judge.trajectories.formats.otel_spans import Span, is_span, spans_in
from judge.trajectories.formats.otel_tree import SpanTree
from judge.trajectories.jsonstream import members, values
from judge.trajectories.report import Converted
from judge.trajectories.sample import Sample
from judge.trajectories.source import Source
from judge.trajectories.values import as_json, mapping, parsed, string, text_of, usage_of

NAME = "opentelemetry"
_LISTS = ("resourceSpans", "resource_spans", "spans", "batches")
_PREFIXES = ("gen_ai.", "llm.", "openinference.", "traceloop.", "ai.")
_IN_TEXT = re.compile(r'^\s*"(?:trace_id|TraceID|traceId)":', re.M)
_INPUT = ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt", "ai.usage.promptTokens")
_OUTPUT = (
    "gen_ai.usage.output_tokens",
    "gen_ai.usage.completion_tokens",
    "llm.token_count.completion",
    "ai.usage.completionTokens",
)
_COST = ("operation.cost", "gen_ai.usage.cost", "gen_ai.usage.total_cost", "llm.cost.total", "cost")
_CALL_ID = ("gen_ai.tool.call.id", "tool_call.id", "tool.id", "ai.toolCall.id")
_TOOL_NAME = ("gen_ai.tool.name", "tool.name", "ai.toolCall.name", "traceloop.entity.name")
_ARGUMENTS = (
    "gen_ai.tool.call.arguments",
    "tool_arguments",
    "ai.toolCall.args",
    "tool.parameters",
    "input.value",
    "traceloop.entity.input",
)
_RESULT = ("gen_ai.tool.call.result", "tool_response", "ai.toolCall.result", "output.value", "traceloop.entity.output")
_MODEL = ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name", "ai.model.id")


def sniff(sample: Sample) -> Match | None:
    """An object with ``resourceSpans``; spans as lines or in a list that speak of generative AI."""
    if sample.is_folder:
        return None
    records: list[Any] = list(sample.records)
    if any("resourceSpans" in mapping(item) or "resource_spans" in mapping(item) for item in records):
        return Match(CERTAIN, "an OTLP export with resourceSpans")
    spans = list(islice(spans_in(records), 200))
    if spans:
        found = any(key.startswith(_PREFIXES) for span in spans for key in span.attributes)
        return Match(CERTAIN if found else POSSIBLE, "spans with gen_ai attributes" if found else "spans")
    head = sample.head[:100_000]
    if not head.startswith(("{", "[")) and _IN_TEXT.search(head) and any(f'"{p}' in head for p in _PREFIXES):
        return Match(LIKELY, "spans between the lines that a program printed")
    return None


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
        if not span.id or (span.trace, span.id) not in seen:
            seen.add((span.trace, span.id))
            groups.setdefault(talks.get(span.trace) or span.trace, []).append(span)
    # Traces without any span of ours are those of servers and data bases around the agent.
    return {name: items for name, items in groups.items() if any(kind_of(item) for item in items)} or groups


class _Reader:
    def __init__(self, builder: Builder, spans: list[Span]) -> None:
        self._builder = builder
        self._spans = spans
        self._tree = SpanTree(spans)
        self._heard: dict[str, int] = {}
        self._open = OpenCalls()
        self._answered: set[str] = set()
        self._executed = {
            id
            for span in spans
            if self._tree.kind(span) == "tool" and (id := string(_first(span.attributes, _CALL_ID)))
        }
        self._texts = 0
        self._made = 0

    def run(self, name: str) -> Converted:
        chats = 0
        for span in self._spans:
            kind = self._tree.kind(span)
            if kind in ("chat", "tool") and self._tree.repeats(span):
                self._builder.skip(f"repeated {kind} span")
            elif kind == "chat":
                chats += 1
                self._builder.used("chat span")
                self._chat(span)
            elif kind == "tool":
                self._builder.used("tool span")
                self._tool(span)
            else:
                self._builder.skip(f"{kind or 'other'} span")
        if chats and not self._texts:
            self._builder.warn("the spans hold no texts: capture of content was switched off")
        if self._tree.sub_agents:
            self._builder.report.notes["sub-agents"] = len(self._tree.sub_agents)
        return self._builder.finish(name)

    def _chat(self, span: Span) -> None:
        agent, inner = self._tree.agent(span)
        if not inner:
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
            if not id:
                self._made += 1
                id = f"call-{self._made}"
            if self._builder.call(id, name, arguments, time=span.end):
                self._open.add(id, name)

    def _prompts(self, span: Span) -> None:
        counts: dict[str, int] = {}
        for message in prompts(span):
            self._results(message)
            if message.role not in ("user", "human"):
                continue
            text = "\n".join(part for item in message.content if (part := text_of(item, self._builder.report)))
            # The history is repeated with every call, and a person may say the same twice.
            counts[text] = counts.get(text, 0) + 1
            if text and counts[text] > self._heard.get(text, 0):
                self._heard[text] = counts[text]
                self._builder.user(text, time=span.start)

    def _results(self, message: Said) -> None:
        """Results in the history of a later call, for tools that have no span of their own."""
        for id, body in message.results:
            if id and id not in self._answered and id not in self._executed and self._builder.has_call(id):
                self._answered.add(id)
                self._open.take("", given=id)
                self._builder.result(id, text_of(body, self._builder.report))

    def _tool(self, span: Span) -> None:
        at = span.attributes
        name = string(_first(at, _TOOL_NAME)) or span.name.removeprefix("execute_tool ")
        given = string(_first(at, _CALL_ID))
        id = self._open.take(name, given=given)
        if not id:
            self._made += 1
            id = given or f"span-{self._made}"
        if not self._builder.has_call(id):
            self._builder.call(id, name, parsed(_first(at, _ARGUMENTS)), time=span.start)
        body = _first(at, _RESULT)
        error = span.message or _exception(span)
        value = parsed(body) if isinstance(body, str) and body[:1] in "[{" else body
        text = as_json(value) if isinstance(value, dict) else text_of(value, self._builder.report)
        self._answered.add(id)
        if body is None and not span.failed:
            if not any(name in at for name in _RESULT):
                self._unrecorded(id)
                return
            text = ""
        self._builder.result(id, text or (error if span.failed else ""), failed=span.failed or None, time=span.end)

    def _unrecorded(self, id: str) -> None:
        if not self._builder.report.notes.get("results not recorded"):
            self._builder.warn("results of tools were not recorded")
        notes = self._builder.report.notes
        notes["results not recorded"] = notes.get("results not recorded", 0) + 1
        self._answered.discard(id)  # a later call of the model may tell it
        self._executed.discard(id)
        self._builder.final_call(id)


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
