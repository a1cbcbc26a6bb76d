"""SWE-agent ``.traj`` files, versions 0 and 1, and demonstrations that hold a history only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from judge.schemas import StepUsage
from judge.trajectories.build import Builder
from judge.trajectories.format import CERTAIN, LIKELY, Format, Match
from judge.trajectories.jsonstream import members
from judge.trajectories.report import Converted
from judge.trajectories.sample import Sample
from judge.trajectories.source import Source
from judge.trajectories.values import count_of, mapping, number_of, parsed, sequence, string, text_of

NAME = "swe-agent"
_KEPT = ("action", "observation", "thought", "response", "state", "execution_time")
_WINDOW = re.compile(r"edit (\d+:\d+)[ \t]*\n(?:(.*)\n)?end_of_edit\s*", re.DOTALL)
_STEP = (
    {"action", "observation", "thought"},
    {"action", "observation", "response"},
    {"action", "observation", "state"},
)


def sniff(sample: Sample) -> Match | None:
    """An object with a ``trajectory`` of thought, action, observation, or a ``history`` of an agent's messages."""
    root = sample.root
    if root is None or sample.is_folder:
        return None
    steps = [mapping(step) for step in sequence(root.get("trajectory"))]
    if steps and any(keys <= step.keys() for step in steps for keys in _STEP):
        certain = any("response" in step or "state" in step for step in steps)
        return Match(CERTAIN if certain else LIKELY, "a trajectory of thought, action, observation, state")
    history = [mapping(message) for message in sequence(root.get("history"))]
    marked = [m for m in history if "role" in m and ("agent" in m or "message_type" in m or "is_demo" in m)]
    if marked and len(marked) >= 0.5 * len(history):
        certain = "environment" in root or "info" in root
        return Match(CERTAIN if certain else LIKELY + 0.05, "a history of messages with agent")
    return None


def read(source: Source) -> Iterator[Converted]:
    """The one run."""
    builder = Builder(NAME, source)
    steps: list[Mapping[str, Any]] = []
    history: list[Mapping[str, Any]] = []
    data: dict[str, Any] = {}
    asked: Sequence[Any] = ()
    for piece in members(source, "trajectory", "history"):
        if piece.element and piece.key == "trajectory":
            step = mapping(piece.value)
            # What the model was asked repeats the whole history with each step.
            asked = asked or sequence(step.get("query")) or sequence(step.get("messages"))
            steps.append({key: step[key] for key in _KEPT if key in step})
        elif piece.element:
            history.append(mapping(piece.value))
        elif piece.key in ("info", "replay_config"):
            data[piece.key] = parsed(piece.value)
        elif piece.key not in ("trajectory", "history"):
            builder.skip(f"member {piece.key}")
    if steps:
        _prompt(builder, history or [mapping(message) for message in asked], data)
        _Steps(builder).run(steps)
    else:
        _History(builder).run(history)
    info = mapping(data.get("info"))
    status = string(info.get("exit_status"))
    if status:
        builder.report.notes["exit status"] = status[:80]
    yield builder.finish(stated=_stated(mapping(info.get("model_stats")), data))


def _stated(stats: Mapping[str, Any], data: Mapping[str, Any]) -> StepUsage:
    agent = mapping(mapping(data.get("replay_config")).get("agent"))
    model = string(mapping(agent.get("model")).get("name"))
    cost = next((c for key in ("instance_cost", "total_cost") if (c := number_of(stats.get(key))) is not None), None)
    return StepUsage(
        input_tokens=count_of(stats.get("tokens_sent")),
        output_tokens=count_of(stats.get("tokens_received")),
        cost=cost,
        model=model or None,
    )


def _prompt(builder: Builder, history: Sequence[Mapping[str, Any]], data: Mapping[str, Any]) -> None:
    """The task stands in the history, behind a demonstration where there is one."""
    for message in history:
        demonstration = message.get("is_demo") or message.get("message_type") == "demonstration"
        if message.get("role") == "user" and not demonstration:
            builder.used("task in the history")
            builder.user(text_of(message.get("content"), builder.report))
            return
    problem = mapping(mapping(data.get("replay_config")).get("problem_statement"))
    builder.user(string(problem.get("text")))


class _Steps:
    """The steps of ``trajectory``, each an action with its observation."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._open = ""
        """The file that the agent's editor shows."""

    def run(self, steps: Sequence[Mapping[str, Any]]) -> None:
        """Takes the steps; the folder of the first that says where it is counts as the agent's."""
        for step in steps:
            state = mapping(parsed(step.get("state")))
            place = string(state.get("working_dir"))
            if place.startswith("/") and not string(step.get("action")).lstrip().startswith("cd "):
                self._builder.cwd = place.rstrip("/")
                break
        for step in steps:
            self._step(step)
            shown = string(mapping(parsed(step.get("state"))).get("open_file"))
            self._open = shown if shown not in ("", "n/a") else ""

    def _step(self, step: Mapping[str, Any]) -> None:
        builder = self._builder
        builder.used("step")
        action = text_of(step.get("action"), builder.report).rstrip("\n")
        thought = string(step.get("thought")) or (string(step.get("response")) if not action else "")
        builder.turn(thought, seconds=number_of(step.get("execution_time")))
        observation = step.get("observation")
        if not action.strip():
            if observation:
                builder.note_output(text_of(observation, builder.report))
            return
        if self._open and (edit := _edit(action)):
            builder.call(None, "edit", {"path": self._open, **edit})
        else:
            builder.action(action)
        if observation is None:
            builder.final_call(None)
        else:
            builder.result(None, text_of(observation, builder.report))


def _edit(action: str) -> dict[str, str]:
    """What an edit of the file that is open changes; it does not name the file itself."""
    if match := _WINDOW.fullmatch(action):
        return {"lines": match[1], "content": match[2] or ""}
    if not action.startswith("edit "):
        return {}
    import shlex

    try:
        words = shlex.split(action[:100_000])
    except ValueError:
        return {}
    return {"old_str": words[1], "new_str": words[2]} if len(words) in (3, 4) else {}


class _History:
    """A file without ``trajectory``: the messages tell, with tool calls or with ``thought`` and ``action``."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._prompted = False

    def run(self, history: Sequence[Mapping[str, Any]]) -> None:
        """Takes the messages that are no demonstration; in a file that is one demonstration, all."""
        own = [m for m in history if not m.get("is_demo") and m.get("message_type") != "demonstration"]
        if not any(message.get("role") == "assistant" for message in own):
            own = list(history)
        else:
            self._builder.skip("demonstration", len(history) - len(own))
        for message in own:
            self._take(message)

    def _take(self, message: Mapping[str, Any]) -> None:
        role, builder = message.get("role"), self._builder
        text = text_of(message.get("content"), builder.report)
        if role == "assistant":
            builder.used("assistant")
            self._assistant(message, text)
        elif role == "tool" or (role == "user" and self._prompted and builder.open_call()):
            builder.used("observation")
            ids = sequence(message.get("tool_call_ids")) or [message.get("tool_call_id")]
            known = [id for id in ids if builder.has_call(id)]
            builder.result(known[0] if known else None, text)
        elif role == "user":
            builder.used("user")
            self._prompted = True
            builder.user(text)
        else:
            builder.skip(role)

    def _assistant(self, message: Mapping[str, Any], text: str) -> None:
        builder = self._builder
        builder.turn(string(message.get("thought")) or text)
        calls = sequence(message.get("tool_calls"))
        for call in calls:
            function = mapping(mapping(call).get("function"))
            builder.call(mapping(call).get("id"), function.get("name"), function.get("arguments"))
        action = string(message.get("action")).rstrip("\n")
        if action and not calls:
            builder.action(action)


FORMAT = Format(
    name=NAME,
    description="SWE-agent .traj, versions 0 and 1",
    sniff=sniff,
    read=read,
)
