"""The files of Claude Code's sub-agents: which belong to a session, and behind which call their steps go."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import Protocol

from judge.trajectories.build import Builder
from judge.trajectories.jsonstream import document
from judge.trajectories.sample import Sample
from judge.trajectories.source import Source
from judge.trajectories.values import mapping, string

AGENT_FILE = re.compile(r"(?:^|/)agent-([\w-]+)\.jsonl$")
_MAX_BESIDE = 2000


class Delegating(Protocol):
    """What is known of one agent's calls that start others."""

    builder: Builder
    prompt: str

    def knows(self, agent: str) -> bool:
        """Whether a result names that agent."""

    def told(self, prompt: str) -> bool:
        """Whether a call whose agent is not known yet has that prompt."""

    def delegating(self, agent: str, prompt: str) -> str | None:
        """The id of the call that started an agent."""


def agent_files(source: Source, sessions: set[str]) -> dict[str, Source]:
    """The files of a session's sub-agents: in the session's own folder, and beside it where they name the session.

    Args:
        source: The session's file.
        sessions: The ids that its records name.
    """
    stem = source.path.name.removesuffix(".gz").removesuffix(".jsonl")
    found: dict[str, Source] = {}
    place = source.path.parent / stem
    names = [f"{stem}/{name}" for name in Source.open(place).names()] if place.is_dir() else []
    beside = sorted(path.name for path in source.path.parent.glob("agent-*.jsonl"))[:_MAX_BESIDE]
    for name in (*names, *beside):
        match = AGENT_FILE.search(name)
        if match is None or name == source.path.name or match[1] in found:
            continue
        opened = source.file(name)
        if opened is not None and (name not in beside or session_of(opened) in sessions):
            found[match[1]] = opened
    return found


def session_of(source: Source) -> str:
    """The session that a file's first records name."""
    return next((id for item in Sample(source).objects if (id := string(item.get("sessionId")))), "")


def kind_of(source: Source) -> str:
    """The kind of agent, from the small file beside the agent's own."""
    name = PurePosixPath(source.path.name).stem
    beside = source.file(f"{name}.meta.json")
    return string(mapping(document(beside)).get("agentType")) if beside is not None else ""


def join(main: Delegating, agents: Mapping[str, Delegating], joined: Callable[[], None]) -> None:
    """Puts each sub-agent's steps behind the call that started it, those of its own sub-agents first."""
    owners: dict[str, str] = {}
    for name, agent in agents.items():
        others = {key: other for key, other in agents.items() if key != name}
        owner = "" if main.knows(name) else next((key for key, other in others.items() if other.knows(name)), "")
        if not owner and not main.knows(name) and not main.told(agent.prompt):
            owner = next((key for key, other in others.items() if other.told(agent.prompt)), "")
        owners[name] = owner
    waiting = list(agents)
    while waiting:
        # One that still waits for another is not ready; in a circle of agents, which cannot be, the first goes.
        name = next((key for key in waiting if not any(owners[other] == key for other in waiting)), waiting[0])
        waiting.remove(name)
        owner = owners[name] if owners[name] in waiting else ""
        place = agents[owner] if owner else main
        place.builder.nested(place.delegating(name, agents[name].prompt), agents[name].builder)
        joined()
