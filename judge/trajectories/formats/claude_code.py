"""Claude Code's own session files: ``~/.claude/projects/<folder>/<session>.jsonl`` and their sub-agents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from judge.trajectories.build import Builder
from judge.trajectories.format import CERTAIN, LIKELY, Format, Match
from judge.trajectories.formats.blocks import assistant_turn, block_result, blocks_of, is_result, user_texts
from judge.trajectories.formats.claude_agents import AGENT_FILE, agent_files, join, kind_of
from judge.trajectories.formats.claude_order import Outline, outline, records
from judge.trajectories.report import Converted
from judge.trajectories.sample import Sample
from judge.trajectories.source import Source
from judge.trajectories.values import mapping, string, time_of, usage_of

NAME = "claude-code"
_NO_PROMPT = re.compile(
    r"\s*(?:<(?:command-name|command-message|command-args|local-command-stdout|local-command-stderr|bash-input"
    r"|bash-stdout|bash-stderr|user-memory-input|task-notification|local-command-caveat)\b"
    r"|Caveat: The messages below were generated)"
)
_REMINDER = re.compile(r"<(system-reminder|ide_opened_file|ide_selection|ide_diagnostics)>.*?</\1>", re.DOTALL)
_INTERRUPT = "[Request interrupted"
_AGENT_TOOLS = (
    "Task",
    "Agent",
)


def sniff(sample: Sample) -> Match | None:
    """Lines with ``sessionId``, ``uuid`` and ``parentUuid``; a folder with such a file on top."""
    if sample.is_folder:
        tops = [name for name in sample.names if name.endswith(".jsonl") and "/" not in name]
        found = next((match for name in tops[:5] if (inner := sample.file(name)) and (match := sniff(inner))), None)
        return found and Match(found.confidence, f"a folder with a session: {found.why}")
    marked = [item for item in sample.objects if {"uuid", "parentUuid"} <= item.keys() and "type" in item]
    if any("parts" in mapping(item.get("message")) for item in marked):
        # Qwen Code, a fork of Gemini CLI, writes the same keys around messages of another kind.
        return None
    if any({"sessionId", "isSidechain"} & item.keys() for item in marked):
        return Match(CERTAIN, "records with uuid, parentUuid and sessionId")
    if marked and any("message" in item for item in marked):
        return Match(LIKELY, "records with uuid, parentUuid and message")
    # A session that was only just begun, or whose first records are all of the kinds without a uuid.
    kinds = {string(item.get("type")) for item in sample.objects}
    if "file-history-snapshot" in kinds or ("summary" in kinds and any("leafUuid" in i for i in sample.objects)):
        return Match(LIKELY, "a record of the type file-history-snapshot or summary")
    return None


def read(source: Source) -> Iterator[Converted]:
    """The session with its sub-agents; of a folder each session in it."""
    if not source.is_folder:
        yield _session(source)[0].finish()
        return
    names = [name for name in source.names() if name.endswith(".jsonl") and "/" not in name]
    sessions = [name for name in names if not AGENT_FILE.search(name)] or names
    agents = [name for name in names if AGENT_FILE.search(name) and name not in sessions]
    orphans = set(agents)
    for name in sessions:
        opened = source.file(name)
        if opened is not None and sniff(Sample(opened)) is not None:
            opened.problems = []
            builder, used = _session(opened)
            orphans -= used
            if name == sessions[-1] and orphans:
                shown = ", ".join(sorted(orphans)[:3])
                builder.warn(f"{len(orphans)} files of sub-agents belong to no session here and are left out: {shown}")
            yield builder.finish("" if len(sessions) == 1 else name.removesuffix(".jsonl"))


def _session(source: Source) -> tuple[Builder, set[str]]:
    """The steps of a session, and the names of the files of sub-agents that are in them."""
    builder = Builder(NAME, source)
    order = outline(source)
    reader = _Reader(builder, order)
    for record in records(source, order):
        reader.take(record)
    reader.end()
    files = agent_files(source, order.sessions) if not order.all_side else {}
    agents: dict[str, _Reader] = {}
    for agent, opened in files.items():
        agents[agent] = _sub_agent(reader, opened, agent)
    join(reader, agents, reader.count_agent)
    return builder, {opened.path.name for opened in files.values()}


def _sub_agent(main: _Reader, source: Source, agent: str) -> _Reader:
    order = outline(source)
    name = kind_of(source) or main.agent_names.get(agent) or order.agent_name or agent
    sub = _Reader(Builder(NAME, source, agent=name), order, nested=True)
    for record in records(source, order):
        sub.take(record)
    sub.end()
    return sub


class _Reader:
    """Takes the records of one agent in order; those of sub-agents in the same file go to readers of their own."""

    def __init__(self, builder: Builder, order: Outline, *, nested: bool = False) -> None:
        self.builder = builder
        self.order = order
        self.prompt = ""
        """What a sub-agent was told."""
        self.agent_names: dict[str, str] = {}
        self._nested = nested
        self._main_is_side = order.all_side
        self._side: dict[str, _Reader] = {}
        self._tasks: dict[str, tuple[str, str]] = {}
        """Calls that start a sub-agent: id -> (prompt, kind of agent), as long as no sub-agent was joined to them."""
        self._agent_calls: dict[str, str] = {}

    def take(self, record: Mapping[str, Any]) -> None:
        """One record, whatever it holds."""
        kind = record.get("type")
        self.builder.cwd = self.builder.cwd or string(record.get("cwd"))
        if record.get("isSidechain") is True and not self._main_is_side:
            self._side_reader(record).take({**record, "isSidechain": False})
            return
        message = mapping(record.get("message"))
        if kind == "assistant":
            self._assistant(record, message)
        elif kind == "user":
            self._user(record, message)
        elif kind == "attachment" and (prompt := _queued(record)):
            self.builder.used("queued prompt")
            self.builder.user(prompt, time=time_of(record.get("timestamp")))
        else:
            self.builder.skip(kind)
            if kind == "system" and record.get("subtype") == "compact_boundary":
                notes = self.builder.report.notes
                notes["compactions"] = notes.get("compactions", 0) + 1

    def end(self) -> None:
        """Joins the sub-agents of the same file to the calls that started them."""
        for agent, reader in self._side.items():
            reader.end()
            self.builder.nested(self.delegating(agent, reader.prompt), reader.builder)
            self.count_agent()

    def count_agent(self) -> None:
        """Notes that a sub-agent was joined."""
        notes = self.builder.report.notes
        notes["sub-agents"] = notes.get("sub-agents", 0) + 1

    def knows(self, agent: str) -> bool:
        """Whether a result names that agent."""
        return agent in self._agent_calls

    def told(self, prompt: str) -> bool:
        """Whether a call whose agent is not known yet has that prompt."""
        return any(told and told.strip() == prompt.strip() for told, _ in self._tasks.values())

    def delegating(self, agent: str, prompt: str) -> str | None:
        """The call that started a sub-agent: by the agent's id, else by its prompt, else the first one left."""
        found = self._agent_calls.get(agent)
        if found is None:
            same = [id for id, (told, _) in self._tasks.items() if told and told.strip() == prompt.strip()]
            found = same[0] if same else next(iter(self._tasks), None)
        if found is not None:
            self._tasks.pop(found, None)
        return found

    def _side_reader(self, record: Mapping[str, Any]) -> _Reader:
        agent = string(record.get("agentId")) or self.order.root_of(string(record.get("uuid")))
        if agent not in self._side:
            builder = Builder(NAME, self.builder.source, agent=self.agent_names.get(agent) or "sub-agent")
            self._side[agent] = _Reader(builder, self.order, nested=True)
        return self._side[agent]

    def _assistant(self, record: Mapping[str, Any], message: Mapping[str, Any]) -> None:
        self.builder.used("assistant")
        model = string(message.get("model"))
        usage = usage_of(message.get("usage"), model=model, cost=record.get("costUSD"))
        if model == "<synthetic>":
            usage = usage_of(None)
        key = string(message.get("id")) or None
        assistant_turn(
            self.builder, message.get("content"), usage=usage, key=key, time=time_of(record.get("timestamp"))
        )
        for block in blocks_of(message.get("content")):
            if block.get("type") == "tool_use" and block.get("name") in _AGENT_TOOLS:
                told = mapping(block.get("input"))
                call = string(block.get("id"))
                if call:
                    self._tasks[call] = (string(told.get("prompt")), string(told.get("subagent_type")))

    def _user(self, record: Mapping[str, Any], message: Mapping[str, Any]) -> None:
        time = time_of(record.get("timestamp"))
        blocks = blocks_of(message.get("content"))
        extra = record.get("toolUseResult")
        results = [block for block in blocks if is_result(block.get("type"))]
        for block in results:
            self.builder.used("tool result")
            block_result(self.builder, block, time, extra)
            if agent := string(mapping(extra).get("agentId")):
                call = string(block.get("tool_use_id"))
                self._agent_calls[agent] = call
                if call in self._tasks:
                    self.agent_names[agent] = self._tasks[call][1]
        if record.get("isMeta") is True or record.get("isCompactSummary") is True:
            if not results:
                self.builder.skip("compaction summary" if record.get("isCompactSummary") else "user (meta)")
            return
        texts = [_REMINDER.sub("", text).strip() for text in user_texts(self.builder, blocks)]
        prompts = [text for text in texts if text and not _NO_PROMPT.match(text) and not text.startswith(_INTERRUPT)]
        if any(text.startswith(_INTERRUPT) for text in texts):
            notes = self.builder.report.notes
            notes["interrupts"] = notes.get("interrupts", 0) + 1
        if prompts:
            self._prompt("\n".join(prompts), time)
        elif not results:
            self.builder.skip("user (command or notice)")

    def _prompt(self, text: str, time: float | None) -> None:
        if self._nested:
            # What another agent tells a sub-agent is no message of the user; it stands in the call that started it.
            self.builder.used("sub-agent prompt")
            self.prompt = self.prompt or text
            self.builder.tick(time)
        else:
            self.builder.used("user")
            self.builder.user(text, time=time)


def _queued(record: Mapping[str, Any]) -> str:
    """A prompt that the user typed while the agent was at work."""
    attachment = mapping(record.get("attachment"))
    return string(attachment.get("prompt")) if attachment.get("type") == "queued_command" else ""


FORMAT = Format(
    name=NAME,
    description="Claude Code session (JSON lines with uuid and parentUuid), with its sub-agents",
    sniff=sniff,
    read=read,
)
