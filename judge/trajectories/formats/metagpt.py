"""MetaGPT: the text log with its ``publish_message`` lines, and ``team.json``; only the log notes what was spent."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from judge.schemas import StepUsage
from judge.trajectories.build import Builder
from judge.trajectories.format import CERTAIN, LIKELY, Format, Match
from judge.trajectories.jsonstream import document
from judge.trajectories.report import Converted
from judge.trajectories.sample import Sample, partial
from judge.trajectories.source import Source
from judge.trajectories.values import add_usage, count_of, mapping, number_of, sequence, string, text_of, time_of

NAME = "metagpt"
_LINE = re.compile(r"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:[.,]\d+)?) \| (\w+) *\| ([^\s]+) - (.*)$")
_COST = re.compile(
    r"Total running cost: \$(?P<total>[\d.]{1,20})(?:.*?Current cost: \$(?P<cost>[\d.]{1,20}))?"
    r"(?:.*?prompt_tokens: (?P<fed>\d{1,12}), completion_tokens: (?P<made>\d{1,12}))?"
)
_PUBLISH = "publish_message: "
_READY = re.compile(r"^(.+?)\((.+?)\): (?:ready to|to do) (\w+)")
_PEOPLE = (
    "Human",
    "User",
    "user",
    "human",
)


def sniff(sample: Sample) -> Match | None:
    """A log with ``publish_message: {``; an object whose roles have a memory."""
    if sample.is_folder:
        inner = sample.file("team.json") if "team.json" in sample.names else None
        return sniff(inner) if inner is not None else None
    if re.search(r"publish_message: \{", sample.head):
        return Match(CERTAIN, "a line with publish_message: {")
    if not sample.head.startswith(("{", "[")) and re.search(r"\| metagpt\.\w+", sample.head):
        return Match(LIKELY, "log lines of metagpt's modules")
    root = mapping(sample.root)
    env = mapping(root.get("env", root.get("environment")))
    if env and "roles" in env and ("investment" in root or "idea" in root or "history" in env or "memory" in env):
        return Match(CERTAIN, "a team with its environment and roles")
    return None


def read(source: Source) -> Iterator[Converted]:
    """The one run."""
    if source.is_folder:
        opened = source.file("team.json")
        if opened is None:
            return
        source = opened
    yield _team(source) if source.head.lstrip("\ufeff \r\n\t").startswith("{") else _Log(source).run()


class _Log:
    def __init__(self, source: Source) -> None:
        self.builder = Builder(NAME, source)
        self._source = source
        self._ready: tuple[str, str, float | None] | None = None
        self._loose: list[str] = []
        self._seen: set[str] = set()
        self._spent = StepUsage()
        self._total: float | None = None

    def run(self) -> Converted:
        for line in self._source.text_lines():
            match = _LINE.match(line)
            if match is None:
                # Lines without a time belong to the record before them: a traceback, or a message of several lines.
                self._loose.append(line)
                continue
            self._close()
            time = time_of(match[1].replace(",", "."))
            level, place, text = match[2], match[3], match[4]
            if _PUBLISH in text:
                self._publish(text.partition(_PUBLISH)[2], time)
            elif ready := _READY.match(text):
                self._start(ready[2], ready[3], time)
            elif cost := _COST.search(text):
                self.builder.used("cost")
                self._cost(cost, time)
            elif level in ("ERROR", "CRITICAL"):
                self.builder.used("error")
                self._loose.append(text)
            else:
                self.builder.skip(f"{level.lower()} {place.split(':')[0]}")
        self._close()
        self._flush("")
        if self._spent != StepUsage():
            self.builder.turn("", usage=self._spent)
        return self.builder.finish(stated=StepUsage(cost=self._total))

    def _cost(self, cost: re.Match[str], time: float | None) -> None:
        """What one answer of the model cost; it is noted before what comes of the answer."""
        spent = StepUsage(
            input_tokens=count_of(cost["fed"]), output_tokens=count_of(cost["made"]), cost=number_of(cost["cost"])
        )
        self._spent = add_usage(self._spent, spent)
        self._total = number_of(cost["total"])
        self.builder.tick(time)

    def _take_spent(self) -> StepUsage:
        spent, self._spent = self._spent, StepUsage()
        return spent

    def _start(self, role: str, action: str, time: float | None) -> None:
        self._flush("")
        self.builder.used("action")
        self._ready = (role, action, time)

    def _flush(self, result: str) -> None:
        """An action that published nothing is a step all the same."""
        if self._ready is None:
            return
        role, action, time = self._ready
        self._ready = None
        self.builder.turn("", agent=role, time=time, usage=self._take_spent())
        self.builder.call(None, "", action, time=time)
        if result:
            self.builder.result(None, result)
        else:
            self.builder.final_call(None)

    def _publish(self, text: str, time: float | None) -> None:
        message = mapping(partial(text))
        if not message:
            self.builder.skip("unreadable message")
            self.builder.warn(f"a published message cannot be read: {text[:80]}")
            return
        name = string(message.get("id"))
        if name and name in self._seen:
            self.builder.skip("repeated message")
            return
        self._seen.add(name)
        if self._ready is not None and _speaker(message) == self._ready[0]:
            self._ready = None
        else:
            self._flush("")
        spoken = not _of_user(message)
        _message(self.builder, message, time, self._take_spent() if spoken else StepUsage())

    def _close(self) -> None:
        """What stood between two records: a traceback is the result of what was being done."""
        text = "\n".join(self._loose).strip("\n")
        self._loose = []
        if not text.strip():
            return
        if "Traceback (most recent call last)" in text or re.search(r"^\w*(?:Error|Exception)\b", text, re.M):
            self.builder.used("traceback")
            if self._ready is not None:
                self._flush(text)
            elif not self.builder.note_output(text):
                self.builder.turn("")
                self.builder.note_output(text)
        else:
            self.builder.skip("text between records")


def _speaker(message: Mapping[str, Any]) -> str:
    return string(message.get("role")) or string(message.get("sent_from")).rpartition(".")[2]


def _of_user(message: Mapping[str, Any]) -> bool:
    return _speaker(message) in _PEOPLE or string(message.get("cause_by")).rpartition(".")[2] == "UserRequirement"


def _message(builder: Builder, message: Mapping[str, Any], time: float | None, usage: StepUsage | None = None) -> None:
    role = _speaker(message)
    content = text_of(message.get("content"), builder.report)
    cause = string(message.get("cause_by")).rpartition(".")[2]
    if _of_user(message):
        builder.used("message of the user")
        builder.user(content, time=time)
        return
    builder.used("message of an agent")
    builder.turn(content, agent=role or None, time=time, usage=usage)
    if cause:
        builder.call(None, "", cause, time=time)
        builder.final_call(None)


def _team(source: Source) -> Converted:
    builder = Builder(NAME, source)
    root = mapping(document(source))
    env = mapping(root.get("env", root.get("environment")))
    found: dict[str, Mapping[str, Any]] = {}
    roles = env.get("roles")
    places = [mapping(env.get("memory")), mapping(env.get("history"))]
    for role in mapping(roles).values() if isinstance(roles, dict) else sequence(roles):
        role = mapping(role)
        inner = mapping(role.get("rc", role.get("_rc")))
        places.append(mapping(inner.get("memory")))
    for place in places:
        for item in sequence(place.get("storage")):
            message = mapping(item)
            found.setdefault(string(message.get("id")) or f"#{len(found)}", message)
    messages = list(found.values())
    # Each role keeps what it saw; the user's requirement is the first whoever saw it.
    messages.sort(key=lambda m: not (_speaker(m) in _PEOPLE or string(m.get("cause_by")).endswith("UserRequirement")))
    for message in messages:
        _message(builder, message, None)
    if string(root.get("idea")) and "message of the user" not in builder.report.used:
        builder.report.notes["idea"] = string(root.get("idea"))[:200]
    return builder.finish()


FORMAT = Format(
    name=NAME,
    description="MetaGPT log (publish_message lines) or team.json",
    sniff=sniff,
    read=read,
)
