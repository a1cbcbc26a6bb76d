"""ATIF, the Agent Trajectory Interchange Format (Harbor), versions 1.0 to 1.7 and what follows them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from judge.schemas import StepUsage
from judge.trajectories.build import Builder
from judge.trajectories.format import CERTAIN, LIKELY, Format, Match
from judge.trajectories.jsonstream import document
from judge.trajectories.report import Converted
from judge.trajectories.sample import Sample
from judge.trajectories.source import Source
from judge.trajectories.values import count_of, mapping, number_of, sequence, string, text_of, time_of

NAME = "atif"
_MAX_FILES = 50
_FINISH = (
    "finish",
    "submit",
    "mark_task_complete",
    "task_complete",
    "done",
    "complete",
)


def sniff(sample: Sample) -> Match | None:
    """An object whose ``schema_version`` starts with ATIF; a folder with such a ``trajectory.json``."""
    if sample.is_folder:
        for name in ("trajectory.json", "agent/trajectory.json"):
            inner = sample.file(name) if name in sample.names else None
            if inner is not None and (match := sniff(inner)) is not None:
                return Match(match.confidence, f"{name} with {match.why}")
        return None
    root = mapping(sample.root)
    if string(root.get("schema_version")).upper().startswith("ATIF"):
        return Match(CERTAIN, f"schema_version {string(root.get('schema_version'))[:20]}")
    steps = [mapping(step) for step in sequence(root.get("steps"))]
    known = ("agent", "user", "system")
    if mapping(root.get("agent")) and any("step_id" in step and step.get("source") in known for step in steps):
        return Match(LIKELY, "steps with step_id and source")
    return None


def read(source: Source) -> Iterator[Converted]:
    """The trajectory with the files that continue it and those of its sub-agents."""
    if source.is_folder:
        name = "trajectory.json" if "trajectory.json" in source.names() else "agent/trajectory.json"
        opened = source.file(name)
        if opened is None:
            return
        source = opened
    data = mapping(document(source))
    reader = _Reader(source, data)
    yield reader.run()


class _Reader:
    def __init__(self, source: Source, data: Mapping[str, Any], agent: str | None = None, depth: int = 0) -> None:
        self.builder = Builder(NAME, source, agent=agent)
        self._source = source
        self._data = data
        self._depth = depth
        self._agent = agent
        self._model = string(mapping(data.get("agent")).get("model_name")) or None
        self._embedded: dict[str, Mapping[str, Any]] = {}
        self._joined: set[str] = set()
        self._opened: set[str] = {source.path.name}

    def run(self) -> Converted:
        """Reads the file and its continuations."""
        self._take_all()
        notes = self.builder.report.notes
        agent = mapping(self._data.get("agent"))
        for key, value in (("version", self._data.get("schema_version")), ("agent", agent.get("name"))):
            if string(value):
                notes[key] = string(value)[:80]
        return self.builder.finish(stated=_final(self._last_metrics, self._model))

    def _take_all(self) -> None:
        data = self._data
        self._last_metrics = mapping(data.get("final_metrics"))
        for _ in range(_MAX_FILES):
            self._take(data)
            # The metrics of a continuation are those of the whole run.
            self._last_metrics = mapping(data.get("final_metrics")) or self._last_metrics
            following = self._follow(data.get("continued_trajectory_ref"))
            if following is None:
                break
            data = following
        for name, inner in self._embedded.items():
            if name not in self._joined:
                self._nest(None, inner)

    def _follow(self, reference: object) -> Mapping[str, Any] | None:
        ref = mapping(reference)
        name = string(reference) or string(ref.get("trajectory_path")) or string(ref.get("path"))
        if not name:
            return None
        if name in self._opened:
            return None
        self._opened.add(name)
        opened = self._source.file(name) or self._source.file(name.replace("\\", "/").rsplit("/", 1)[-1])
        data = mapping(document(opened)) if opened is not None else {}
        if not data:
            self.builder.warn(f"the file {name[:100]}, which goes on with the run, is not there or not readable")
            return None
        notes = self.builder.report.notes
        notes["continued in"] = [*notes.get("continued in", []), name[:200]]
        return data

    def _take(self, data: Mapping[str, Any]) -> None:
        self._model = string(mapping(data.get("agent")).get("model_name")) or self._model
        for inner in sequence(data.get("subagent_trajectories")):
            name = string(mapping(inner).get("trajectory_id")) or string(mapping(inner).get("session_id"))
            self._embedded[name or f"#{len(self._embedded)}"] = mapping(inner)
        steps = [mapping(step) for step in sequence(data.get("steps"))]
        ids = [id for step in steps if isinstance(id := step.get("step_id"), int)]
        if len(ids) == len(steps) and ids != sorted(ids):
            self.builder.warn("steps are not in order; they are sorted by step_id")
            steps.sort(key=lambda step: int(step["step_id"]))
        seen: set[object] = set()
        for step in steps:
            id = step.get("step_id")
            if isinstance(id, int) and id in seen:
                self.builder.skip("repeated step")
                continue
            seen.add(id if isinstance(id, int) else None)
            self._step(step)

    def _step(self, step: Mapping[str, Any]) -> None:
        source = step.get("source")
        time = time_of(step.get("timestamp"))
        if step.get("is_copied_context") is True:
            self.builder.skip("copied context")
        elif source == "agent":
            self._agent_step(step, time)
        elif source == "user":
            self.builder.used("user")
            if self._agent is None:
                self.builder.user(text_of(step.get("message"), self.builder.report), time=time)
        elif source == "system":
            self._results(step, {}, time, orphan=True)
            self.builder.skip("system")
        else:
            self.builder.skip(source)

    def _agent_step(self, step: Mapping[str, Any], time: float | None) -> None:
        self.builder.used("agent")
        texts = [text_of(step.get(key), self.builder.report) for key in ("reasoning_content", "message")]
        usage = _metrics(mapping(step.get("metrics")), string(step.get("model_name")) or self._model)
        self.builder.turn("\n\n".join(t for t in texts if t.strip()), usage=usage, time=time)
        own: dict[str, str] = {}
        last = None
        for number, call in enumerate(sequence(step.get("tool_calls"))):
            call = mapping(call)
            given = string(call.get("tool_call_id")) or str(number)
            # Ids are only unique within a step in some files.
            last = own[given] = given if not self.builder.has_call(given) else f"{given}@{step.get('step_id')}"
            tool = string(call.get("function_name")) or string(mapping(call.get("function")).get("name"))
            self.builder.call(last, tool, call.get("arguments", {}), time=time)
            if tool in _FINISH and not mapping(step.get("observation")):
                self.builder.final_call(last)
        self._results(step, own, time)

    def _results(
        self, step: Mapping[str, Any], own: Mapping[str, str], time: float | None, *, orphan: bool = False
    ) -> None:
        results = [mapping(item) for item in sequence(mapping(step.get("observation")).get("results"))]
        loose = list(own.values())
        named = {own[id] for item in results if (id := string(item.get("source_call_id"))) in own}
        loose = [id for id in loose if id not in named]
        parts: dict[str, list[str]] = {}
        for item in results:
            call = own.get(string(item.get("source_call_id"))) or (loose.pop(0) if loose else None)
            call = call or (list(own.values())[-1] if own else None)
            text = text_of(item.get("content"), self.builder.report)
            for ref in sequence(item.get("subagent_trajectory_ref")):
                self._sub_agent(call, mapping(ref))
            if call is not None:
                parts.setdefault(call, []).append(text)
            elif text.strip() and orphan and self.builder.note_output(text):
                self.builder.used("observation of a system step")
            elif text.strip():
                self.builder.skip("observation without call")
        for id, texts in parts.items():
            self.builder.result(id, "\n".join(texts), time=time)

    def _sub_agent(self, call: str | None, ref: Mapping[str, Any]) -> None:
        name = string(ref.get("trajectory_id")) or string(ref.get("session_id"))
        if name in self._embedded:
            if name not in self._joined:
                self._joined.add(name)
                self._nest(call, self._embedded[name])
            return
        path = string(ref.get("trajectory_path"))
        opened = None
        if path and path not in self._opened:
            self._opened.add(path)
            opened = self._source.file(path) or self._source.file(path.replace("\\", "/").rsplit("/", 1)[-1])
        data = mapping(document(opened)) if opened is not None else {}
        if data:
            self._nest(call, data)
        else:
            self.builder.warn(f"the file of a sub-agent is not there: {(path or name)[:100]}")

    def _nest(self, call: str | None, data: Mapping[str, Any]) -> None:
        if self._depth >= 8:
            self.builder.skip("sub-agent nested too deep")
            return
        agent = string(mapping(data.get("agent")).get("name")) or "sub-agent"
        inner = _Reader(self._source, data, agent, self._depth + 1)
        inner._opened = self._opened
        inner._take_all()
        self.builder.nested(call, inner.builder)
        notes = self.builder.report.notes
        notes["sub-agents"] = notes.get("sub-agents", 0) + 1


def _metrics(metrics: Mapping[str, Any], model: str | None) -> StepUsage:
    return StepUsage(
        input_tokens=count_of(metrics.get("prompt_tokens")),
        output_tokens=count_of(metrics.get("completion_tokens")),
        cost=number_of(metrics.get("cost_usd")),
        model=model,
    )


def _final(metrics: Mapping[str, Any], model: str | None) -> StepUsage:
    return StepUsage(
        input_tokens=count_of(metrics.get("total_prompt_tokens")),
        output_tokens=count_of(metrics.get("total_completion_tokens")),
        cost=number_of(metrics.get("total_cost_usd")),
        model=model,
    )


FORMAT = Format(
    name=NAME,
    description="ATIF (Harbor): an object with schema_version ATIF-v1.x and steps",
    sniff=sniff,
    read=read,
)
