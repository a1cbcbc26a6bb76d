"""LangSmith runs: one tree, a list, or lines; model runs give the turns, tool runs the results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from judge.schemas import StepUsage
from judge.trajectories.build import Builder
from judge.trajectories.format import CERTAIN, Format, Match
from judge.trajectories.formats.langchain_shapes import calls_of, messages_in, plain, thought_of, usage_of_message
from judge.trajectories.jsonstream import document, values
from judge.trajectories.report import Converted
from judge.trajectories.sample import Sample
from judge.trajectories.source import Source
from judge.trajectories.values import as_json, mapping, number_of, parsed, sequence, string, text_of, time_of, usage_of

NAME = "langsmith"
_MODELS = frozenset(("llm", "chat_model"))
_LISTS = ("runs", "child_runs", "data")
_MAX_RUNS = 200_000
_QUESTIONS = ("input", "question", "query", "task", "prompt")


def sniff(sample: Sample) -> Match | None:
    """Objects with ``run_type`` and ``dotted_order``, ``child_runs`` or ``trace_id``."""
    if sample.is_folder:
        return None
    records: list[Mapping[str, Any]] = list(sample.objects)
    if sample.root is not None and "run_type" not in sample.root:
        records = [mapping(item) for key in _LISTS for item in sequence(sample.root.get(key))]
    for record in records[:10]:
        if (
            isinstance(record.get("run_type"), str)
            and {"dotted_order", "child_runs", "trace_id", "parent_run_id"} & record.keys()
        ):
            return Match(CERTAIN, "runs with run_type and dotted_order or child_runs")
    return None


def read(source: Source) -> Iterator[Converted]:
    """Each trace."""
    sample = Sample(source)
    if sample.root is not None:
        data = mapping(document(source))
        roots = [data] if "run_type" in data else [mapping(r) for key in _LISTS for r in sequence(data.get(key))]
    else:
        roots = [mapping(piece.value) for piece in values(source)]
    traces: dict[str, list[Mapping[str, Any]]] = {}
    seen: set[str] = set()
    for run in _flat(roots):
        id = string(run.get("id"))
        if id and id in seen:
            continue
        seen.add(id)
        traces.setdefault(string(run.get("trace_id")), []).append(run)
    for name, runs in traces.items():
        reader = _Reader(Builder(NAME, source))
        yield reader.run(runs, name if len(traces) > 1 else "")


def _flat(roots: list[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    stack = list(reversed(roots))
    for _ in range(_MAX_RUNS):
        if not stack:
            return
        run = stack.pop()
        if isinstance(run.get("run_type"), str):
            yield run
        children = [mapping(item) for item in sequence(run.get("child_runs"))]
        trace = run.get("trace_id")
        stack += [child if "trace_id" in child else {**child, "trace_id": trace} for child in reversed(children)]


def _order(run: Mapping[str, Any]) -> tuple[str, float]:
    return (string(run.get("dotted_order")), time_of(run.get("start_time")) or 0.0)


class _Reader:
    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._heard: set[str] = set()
        self._open: list[tuple[str, str, str]] = []
        """Calls without a result: id, tool, arguments as text."""
        self._made = 0

    def run(self, runs: list[Mapping[str, Any]], name: str) -> Converted:
        dotted = all(string(run.get("dotted_order")) for run in runs)
        ordered = sorted(runs, key=_order if dotted else (lambda run: ("", time_of(run.get("start_time")) or 0.0)))
        root = ordered[0]
        if root.get("run_type") not in _MODELS:
            self._prompt(root)
        for run in ordered:
            kind = run.get("run_type")
            if kind in _MODELS:
                self._builder.used("llm")
                self._answer(run)
            elif kind == "tool":
                self._builder.used("tool")
                self._tool(run)
            else:
                self._builder.skip(kind)
        if error := string(root.get("error")):
            self._builder.report.notes["error"] = error[:500]
        stated = StepUsage()
        if root.get("run_type") not in _MODELS:
            stated = usage_of(
                {k: root.get(k) for k in ("prompt_tokens", "completion_tokens")}, cost=root.get("total_cost")
            )
        return self._builder.finish(name, stated=stated)

    def _prompt(self, run: Mapping[str, Any]) -> None:
        """Messages of the person among a run's inputs that were not heard before."""
        inputs, time = run.get("inputs"), time_of(run.get("start_time"))
        messages = messages_in(inputs)
        texts = [text_of(m.get("content"), self._builder.report) for m in messages if m.get("type") == "human"]
        if not messages and run.get("run_type") not in _MODELS:
            texts = [string(mapping(inputs).get(key)) for key in _QUESTIONS]
        for text in texts:
            if text and text not in self._heard:
                self._heard.add(text)
                self._builder.user(text, time=time)

    def _answer(self, run: Mapping[str, Any]) -> None:
        builder, start, end = self._builder, time_of(run.get("start_time")), time_of(run.get("end_time"))
        self._prompt(run)
        message = _message(run)
        usage = usage_of_message(message, run.get("total_cost"))
        if usage.input_tokens is None:
            counts = {k: run.get(k) for k in ("prompt_tokens", "completion_tokens")}
            usage = usage_of(counts, model=usage.model, cost=run.get("total_cost"))
        if start is not None and end is not None and end >= start:
            usage = usage.model_copy(update={"llm_inference_time": end - start})
        thought = thought_of(message, builder) if message else ""
        if error := string(run.get("error")):
            builder.warn(f"a call of the model failed: {error[:200]}")
            if not message:
                return
        builder.turn(thought, usage=usage, time=end)
        for id, name, arguments in calls_of(message):
            builder.call(id, name, arguments, time=end)
            if isinstance(id, str):
                self._open.append((id, string(name), as_json(parsed(arguments))))

    def _tool(self, run: Mapping[str, Any]) -> None:
        name, end = string(run.get("name")), time_of(run.get("end_time"))
        outputs = run.get("outputs")
        message = next(iter(messages_in(outputs)), {})
        arguments = _arguments(mapping(run.get("inputs")))
        id = self._match(string(message.get("tool_call_id")), name, arguments)
        if not self._builder.has_call(id):
            self._builder.call(id, name, arguments, time=time_of(run.get("start_time")))
        body = message.get("content") if message else _only(outputs)
        text = text_of(body, self._builder.report)
        error = string(run.get("error"))
        failed = True if error or message.get("status") == "error" else None
        self._builder.result(id, text or error, failed=failed, time=end)

    def _match(self, given: str, name: str, arguments: object) -> str:
        """The id of the call that a tool run answers: its own, else that of an open call that is alike."""
        shown = as_json(arguments)
        likes = [call for call in self._open if call[1] == name]
        same = [call for call in likes if call[2] == shown]
        for call in [call for call in self._open if call[0] == given] if given else (same or likes)[:1]:
            self._open.remove(call)
            return call[0]
        self._made += 1
        return given or f"run-{self._made}"


def _arguments(inputs: Mapping[str, Any]) -> Any:
    value = inputs.get("input", inputs)
    if isinstance(value, str):
        found = parsed(value)
        if isinstance(found, dict):
            return found
        import ast

        try:  # Python's own notation of a dictionary
            return ast.literal_eval(value) if len(value) < 100_000 else value
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            return value
    call = mapping(value)
    return call["args"] if call.get("type") == "tool_call" and "args" in call else value


def _only(outputs: object) -> Any:
    record = mapping(outputs)
    for key in ("output", "content", "result"):
        if key in record:
            return record[key]
    return next(iter(record.values())) if len(record) == 1 else (record or outputs)


def _message(run: Mapping[str, Any]) -> Mapping[str, Any]:
    """The answer of a model run, wherever the exporter put it."""
    outputs = mapping(run.get("outputs"))
    generations = sequence(outputs.get("generations"))
    while generations and isinstance(generations[0], list):
        generations = generations[0]
    if generations:
        first = mapping(generations[0])
        if message := plain(first.get("message")):
            return message
        return {"type": "ai", "content": first.get("text", "")}
    choices = sequence(outputs.get("choices"))
    if choices and (message := plain(mapping(choices[0]).get("message"))):
        return message
    found = [message for message in messages_in(outputs) if message.get("type") == "ai"]
    if found:
        return found[-1]
    if message := plain(outputs.get("message")):
        return message
    body = outputs.get("output", outputs.get("content"))
    return {"type": "ai", "content": body} if body is not None and number_of(body) is None else {}


FORMAT = Format(
    name=NAME,
    description="LangSmith runs: a run tree, a list of runs, or lines",
    sniff=sniff,
    read=read,
)
