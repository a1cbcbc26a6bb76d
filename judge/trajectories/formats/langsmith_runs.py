"""LangSmith runs, one by one: their order, their traces, and what inputs and outputs hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from judge.schemas import StepUsage
from judge.trajectories.formats.langchain_shapes import messages_in, plain, usage_of_message
from judge.trajectories.values import mapping, number_of, parsed, sequence, string, time_of, usage_of

MODELS = ("llm", "chat_model")
_MAX_RUNS = 200_000
_COUNTS = ("prompt_tokens", "completion_tokens")
_LONG = 100_000


def traces_in(roots: Sequence[Mapping[str, Any]], problems: list[str]) -> dict[str, list[Mapping[str, Any]]]:
    """The runs of each trace, also of those that are nested in others; each run once."""
    found: dict[str, Mapping[str, Any]] = {}
    nameless: list[Mapping[str, Any]] = []
    for run in _flat(roots, problems):
        id = string(run.get("id"))
        if not id:
            nameless.append(run)
        else:
            found.setdefault(id, run)
    names: dict[str, str] = {}
    traces: dict[str, list[Mapping[str, Any]]] = {}
    for id, run in found.items():
        traces.setdefault(_trace(id, run, found, names), []).append(run)
    for run in nameless:
        traces.setdefault(string(run.get("trace_id")), []).append(run)
    return traces


def _flat(roots: Sequence[Mapping[str, Any]], problems: list[str]) -> Iterator[Mapping[str, Any]]:
    stack = list(reversed(roots))
    for _ in range(_MAX_RUNS):
        if not stack:
            return
        run = stack.pop()
        if isinstance(run.get("run_type"), str):
            yield run
        children = [mapping(item) for item in sequence(run.get("child_runs"))]
        above = {"trace_id": run.get("trace_id"), "parent_run_id": run.get("id")}
        stack += [{**above, **child} for child in reversed(children)]
    if stack:
        problems.append(f"holds more than {_MAX_RUNS} runs; the rest is left out")


def _trace(id: str, run: Mapping[str, Any], found: Mapping[str, Mapping[str, Any]], names: dict[str, str]) -> str:
    """The trace of a run: named by it, by its place in the order, or by the topmost run above it."""
    path: list[str] = []
    seen: set[str] = set()
    while True:
        name = names.get(id) or string(run.get("trace_id")) or string(run.get("dotted_order")).partition(".")[0]
        above = string(run.get("parent_run_id"))
        path.append(id)
        seen.add(id)
        if name or above not in found or above in seen:
            name = name or id
            break
        id, run = above, found[above]
    for place in path:
        names[place] = name
    return name


def ordered(runs: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """By their dotted order, where all have one, otherwise by their beginning, parents first."""
    if all(string(run.get("dotted_order")) for run in runs):
        return sorted(runs, key=lambda run: string(run.get("dotted_order")))
    return sorted(runs, key=lambda run: (time_of(run.get("start_time")) or 0.0, bool(run.get("parent_run_id"))))


def stated_by(root: Mapping[str, Any]) -> StepUsage:
    """What the root says of the whole trace; zeros stand for nothing counted."""
    return _counted(root, root.get("total_cost"))


def _counted(run: Mapping[str, Any], cost: object, model: str | None = None) -> StepUsage:
    counts = {key: run.get(key) for key in _COUNTS}
    if not any(number_of(value) for value in counts.values()):
        counts = {}
        cost = cost if number_of(cost) else None
    return usage_of(counts, model=model, cost=cost)


def usage_of_run(run: Mapping[str, Any], message: Mapping[str, Any]) -> StepUsage:
    """What a model's run used: as its answer, its outputs or the run itself say."""
    outputs = mapping(parsed(run.get("outputs")))
    metadata = mapping(mapping(run.get("extra")).get("metadata"))
    cost = run.get("total_cost")
    usage = usage_of_message(message, cost)
    if usage.input_tokens is None:
        told = mapping(outputs.get("usage_metadata")) or mapping(metadata.get("usage_metadata"))
        told = told or mapping(mapping(outputs.get("llm_output")).get("token_usage")) or mapping(outputs.get("usage"))
        usage = usage_of(told, model=usage.model, cost=cost)
    if usage.input_tokens is None:
        usage = _counted(run, cost, usage.model)
    if usage.model is None and (name := string(metadata.get("ls_model_name")) or string(outputs.get("model"))):
        usage = usage.model_copy(update={"model": name})
    start, end = time_of(run.get("start_time")), time_of(run.get("end_time"))
    if start is not None and end is not None and end >= start:
        usage = usage.model_copy(update={"llm_inference_time": end - start})
    return usage


def arguments_of(inputs: Mapping[str, Any]) -> Any:
    """What a tool was given, which its run keeps as text, as Python's notation, or as the call itself."""
    value = inputs.get("input", inputs)
    if isinstance(value, str):
        found = parsed(value)
        if isinstance(found, dict):
            return found
        import ast

        try:
            return ast.literal_eval(value) if value.startswith(("{", "[")) and len(value) < _LONG else value
        except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
            return value
    call = mapping(value)
    return call["args"] if call.get("type") == "tool_call" and "args" in call else value


def result_of(outputs: object) -> Any:
    """What a tool gave back, without the object around it."""
    record = mapping(outputs)
    for key in ("output", "content", "result"):
        if key in record:
            return record[key]
    return next(iter(record.values())) if len(record) == 1 else (record or outputs)


def answer_of(run: Mapping[str, Any]) -> Mapping[str, Any]:
    """The answer of a model's run, wherever the exporter put it."""
    outputs = mapping(parsed(run.get("outputs")))
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
