"""LangSmith runs: one tree, a list, or lines; model runs give the turns, tool runs the results."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from judge.schemas import StepUsage
from judge.trajectories.build import Builder
from judge.trajectories.format import CERTAIN, Format, Match
from judge.trajectories.formats.langchain_shapes import calls_of, messages_in, thought_of
from judge.trajectories.formats.langsmith_runs import (
    MODELS,
    answer_of,
    arguments_of,
    ordered,
    result_of,
    stated_by,
    traces_in,
    usage_of_run,
)
from judge.trajectories.formats.open_calls import OpenCalls
from judge.trajectories.jsonstream import document, values
from judge.trajectories.report import Converted
from judge.trajectories.sample import Sample
from judge.trajectories.source import Source
from judge.trajectories.values import as_json, mapping, parsed, sequence, string, text_of, time_of

NAME = "langsmith"
_LISTS = ("runs", "child_runs", "data")
_QUESTIONS = ("input", "question", "query", "task", "prompt", "messages")
_ABOVE = 60


def sniff(sample: Sample) -> Match | None:
    """Objects with ``run_type`` and ``dotted_order``, ``child_runs`` or ``trace_id``."""
    if sample.is_folder:
        return None
    records: list[Mapping[str, Any]] = list(sample.objects)
    if sample.root is not None and "run_type" not in sample.root:
        records = [mapping(item) for key in _LISTS for item in sequence(sample.root.get(key))]
    for record in records[:20]:
        marked = {"dotted_order", "child_runs", "trace_id", "parent_run_id"} & record.keys()
        if isinstance(record.get("run_type"), str) and marked:
            return Match(CERTAIN, "runs with run_type and dotted_order or child_runs")
    return None


def read(source: Source) -> Iterator[Converted]:
    """Each trace."""
    if Sample(source).root is not None:
        data = mapping(document(source))
        roots = [data] if "run_type" in data else [mapping(r) for key in _LISTS for r in sequence(data.get(key))]
    else:
        roots = [mapping(piece.value) for piece in values(source)]
    traces = traces_in(roots, source.problems)
    for name, runs in traces.items():
        yield _Reader(Builder(NAME, source), runs).run(name[:200] if len(traces) > 1 else "")


class _Reader:
    def __init__(self, builder: Builder, runs: list[Mapping[str, Any]]) -> None:
        self._builder = builder
        self._runs = ordered(runs)
        self._by_id = {string(run.get("id")): run for run in self._runs}
        self._heard: dict[str, int] = {}
        self._open = OpenCalls()
        self._made = 0

    def run(self, name: str) -> Converted:
        root = self._runs[0]
        if root.get("run_type") not in MODELS:
            self._prompt(root)
        for run in self._runs:
            kind = run.get("run_type")
            if kind in MODELS:
                self._builder.used("llm")
                self._answer(run)
            elif kind == "tool":
                self._builder.used("tool")
                self._tool(run)
            else:
                self._builder.skip(kind)
        if error := string(root.get("error")):
            self._builder.report.notes["error"] = error[:500]
        return self._builder.finish(name, stated=stated_by(root) if root.get("run_type") not in MODELS else StepUsage())

    def _agent(self, run: Mapping[str, Any]) -> str | None:
        """The name of the agent that works inside a tool's run; None for the main agent."""
        below = run
        for _ in range(_ABOVE):
            above = self._by_id.get(string(below.get("parent_run_id")))
            if above is None or above is below:
                return None
            if above.get("run_type") == "tool":
                own = string(below.get("name")) if below is not run else ""
                plain = re.fullmatch(r"|LangGraph|RunnableSequence|AgentExecutor|agent|model", own)
                return string(above.get("name")) if plain else own
            below = above
        return None

    def _prompt(self, run: Mapping[str, Any]) -> None:
        """Messages of the person among a run's inputs that were not heard before."""
        inputs, time = parsed(run.get("inputs")), time_of(run.get("start_time"))
        messages = messages_in(inputs)
        texts = [text_of(m.get("content"), self._builder.report) for m in messages if m.get("type") == "human"]
        if not messages and run.get("run_type") not in MODELS:
            texts = [inputs] if isinstance(inputs, str) else [string(mapping(inputs).get(key)) for key in _QUESTIONS]
        counts: dict[str, int] = {}
        for text in texts:
            # The history is repeated with every call, and a person may say the same twice.
            counts[text] = counts.get(text, 0) + 1
            if text and counts[text] > self._heard.get(text, 0):
                self._heard[text] = counts[text]
                self._builder.user(text, time=time)

    def _answer(self, run: Mapping[str, Any]) -> None:
        builder, end = self._builder, time_of(run.get("end_time"))
        agent = self._agent(run)
        if agent is None:
            self._prompt(run)
        else:
            builder.report.notes["sub-agents"] = builder.report.notes.get("sub-agents", 0) + 1
        message = answer_of(run)
        if error := string(run.get("error")):
            builder.warn(f"a call of the model failed: {error[:200]}")
            if not message:
                return
        thought = thought_of(message, builder) if message else ""
        builder.turn(thought, usage=usage_of_run(run, message), agent=agent, time=end)
        for id, name, arguments in calls_of(message):
            if not isinstance(id, str) or not id:
                self._made += 1
                id = f"call-{self._made}"
            if builder.call(id, name, arguments, time=end):
                self._open.add(id, string(name), as_json(parsed(arguments)))

    def _tool(self, run: Mapping[str, Any]) -> None:
        name, end = string(run.get("name")), time_of(run.get("end_time"))
        outputs = parsed(run.get("outputs"))
        message = next(iter(messages_in(outputs)), {})
        arguments = arguments_of(mapping(parsed(run.get("inputs"))))
        given = string(message.get("tool_call_id"))
        id = self._open.take(name, as_json(arguments), given=given)
        if not id:
            self._made += 1
            id = given or f"run-{self._made}"
        if not self._builder.has_call(id):
            self._builder.call(id, name, arguments, time=time_of(run.get("start_time")))
        error = string(run.get("error"))
        body = message.get("content") if message else result_of(outputs)
        if body is None and not error and run.get("end_time") is None:
            return  # it was still at work when the run ended
        text = text_of(body, self._builder.report)
        failed = True if error or message.get("status") == "error" else None
        self._builder.result(id, text or error, failed=failed, time=end)


FORMAT = Format(
    name=NAME,
    description="LangSmith runs: a run tree, a list of runs, or lines",
    sniff=sniff,
    read=read,
)
