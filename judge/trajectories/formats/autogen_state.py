"""The messages in a saved state of AutoGen: of one agent, or of a team, whose agents each keep what they heard."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.trajectories.report import Report
from judge.trajectories.values import as_json, mapping, sequence, string, text_of

_MAX_DEPTH = 6


def state_messages(state: Mapping[str, Any], depth: int = 0) -> list[Mapping[str, Any]]:
    """All messages in a saved state, repeated ones too; a team's state holds those of its agents."""
    found = [mapping(item) for item in sequence(mapping(state.get("llm_context")).get("messages"))]
    found = found or [mapping(item) for item in sequence(state.get("message_thread"))]
    if depth < _MAX_DEPTH:
        for inner in _inner(state):
            found += state_messages(inner, depth + 1)
    return found


def team_messages(state: Mapping[str, Any], depth: int = 0) -> list[Mapping[str, Any]]:
    """The messages in a saved state, each once and in the order in which they were said.

    The manager of a team keeps the thread of what was said to all; what an agent did before it spoke, such as its
    calls, only stands in the agent's own context. Without a thread the agents' messages follow each other.
    """
    agents = mapping(state.get("agent_states"))
    if depth >= _MAX_DEPTH or not agents:
        inner = _inner(state) if depth < _MAX_DEPTH else []
        own = [mapping(item) for item in sequence(mapping(state.get("llm_context")).get("messages"))]
        own = own or [mapping(item) for item in sequence(state.get("message_thread"))]
        return own + [message for item in inner for message in team_messages(item, depth + 1)]
    thread: list[Mapping[str, Any]] = []
    contexts: dict[str, list[Mapping[str, Any]]] = {}
    for name, held in agents.items():
        agent = mapping(mapping(held).get("agent_state")) or mapping(held)
        if isinstance(agent.get("message_thread"), list):
            thread = thread or [mapping(item) for item in agent["message_thread"]]
        else:
            # What it heard of others stands with those, or in the thread.
            contexts[str(name)] = [m for m in team_messages(agent, depth + 1) if not _heard(m, str(name), agents)]
    told = [message for message in thread if string(message.get("source"))]
    return _in_thread(told, contexts)


def _heard(message: Mapping[str, Any], name: str, agents: Mapping[str, Any]) -> bool:
    source = string(message.get("source"))
    return message.get("type") == "UserMessage" and source != name and source in agents


def _in_thread(
    thread: list[Mapping[str, Any]], contexts: dict[str, list[Mapping[str, Any]]]
) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = []
    said: set[str] = set()
    for message in thread:
        source, text = string(message.get("source")), _text(message)
        own = contexts.get(source, [])
        at = next((n for n, item in enumerate(own) if item.get("type") != "UserMessage" and _text(item) == text), None)
        if at is not None:
            found += _new(own[:at], said)
            del own[: at + 1]
        found.append(message)
        said.add(text)
    for own in contexts.values():
        found += _new(own, said)
    return found


def _new(messages: list[Mapping[str, Any]], said: set[str]) -> list[Mapping[str, Any]]:
    """Those that are not there yet: each agent's context holds what the user said."""
    kept = []
    for message in messages:
        text = _text(message)
        if message.get("type") != "UserMessage" or text not in said:
            kept.append(message)
        said.add(text)
    return kept


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    return text_of(content, Report()) if isinstance(content, str) else as_json(content)


def _inner(state: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    found = [mapping(item) for item in mapping(state.get("agent_states")).values()]
    return found + [inner for key in ("agent_state", "inner_team_state") if (inner := mapping(state.get(key)))]
