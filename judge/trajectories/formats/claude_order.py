"""The order of a Claude Code session: a first look at each record's id, so that the second pass can be streamed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from judge.trajectories.formats.blocks import blocks_of, is_result
from judge.trajectories.jsonstream import values
from judge.trajectories.source import Source
from judge.trajectories.values import mapping, string, time_of

_MAX_CLIMB = 1_000_000


@dataclass(slots=True)
class Outline:
    """What the first pass saw.

    Attributes:
        parents: Parent of each record with a ``uuid``.
        dropped: Records of branches that were abandoned when the user went back to an earlier prompt.
        shuffled: Whether records stand before the record they answer.
        all_side: Whether every message is a sub-agent's, as in the file of one.
        agent_name: The kind of sub-agent, where the file names it.
        sessions: The ids of sessions that the records name; a resumed one has several.
        ranks: Where each record belongs, when they are shuffled.
    """

    parents: dict[str, str] = field(default_factory=dict)
    dropped: set[str] = field(default_factory=set)
    shuffled: bool = False
    all_side: bool = True
    agent_name: str = ""
    sessions: set[str] = field(default_factory=set)
    ranks: dict[str, tuple[float, int]] = field(default_factory=dict)

    def root_of(self, uuid: str) -> str:
        """The first record of the chain that a record belongs to."""
        for _ in range(_MAX_CLIMB):
            parent = self.parents.get(uuid, "")
            if not parent or parent not in self.parents:
                return uuid
            uuid = parent
        return uuid


def outline(source: Source) -> Outline:
    """Reads the ids of all records. Problems of the text are left for the second pass to note."""
    found = Outline()
    prompts: dict[str, list[str]] = {}
    times: dict[str, float] = {}
    last = ""
    kept = list(source.problems)
    for piece in values(source):
        record = mapping(piece.value)
        kind, uuid = record.get("type"), string(record.get("uuid"))
        if kind not in ("user", "assistant") and not uuid:
            continue
        parent = string(record.get("parentUuid")) or string(record.get("logicalParentUuid"))
        if uuid and uuid not in found.parents:
            found.parents[uuid] = parent
            time = time_of(record.get("timestamp"))
            if time is not None:
                times[uuid] = time
        if kind in ("user", "assistant"):
            if len(found.sessions) < 1000:
                found.sessions.add(string(record.get("sessionId")))
            side = record.get("isSidechain") is True
            found.all_side = found.all_side and side
            found.agent_name = found.agent_name or string(record.get("attributionAgent"))
            last = uuid if uuid and not side else last
        if kind == "user" and uuid and parent and _is_prompt(record):
            siblings = prompts.setdefault(parent, [])
            if uuid not in siblings:
                siblings.append(uuid)
    source.problems[:] = kept
    _drop_branches(found, {p: s for p, s in prompts.items() if len(s) > 1}, last)
    _find_shuffle(found, times)
    return found


def _is_prompt(record: Mapping[str, Any]) -> bool:
    if record.get("isMeta") is True or record.get("isSidechain") is True:
        return False
    return not any(is_result(block.get("type")) for block in blocks_of(mapping(record.get("message")).get("content")))


def _drop_branches(found: Outline, forks: dict[str, list[str]], last: str) -> None:
    """Where several prompts answer one record, the user went back: only the branch of the last record counts."""
    if not forks or not last:
        return
    path: set[str] = set()
    at = last
    while at and at not in path:
        path.add(at)
        at = found.parents.get(at, "")
    gone = {uuid for siblings in forks.values() if path & set(siblings) for uuid in siblings if uuid not in path}
    if gone:
        # Parents stand before their children unless the file is shuffled; a second round then finds the rest.
        for _ in range(2):
            for uuid, parent in found.parents.items():
                if uuid in gone or parent in gone:
                    gone.add(uuid)
        found.dropped = gone - path


def _find_shuffle(found: Outline, times: dict[str, float]) -> None:
    seen: set[str] = set()
    early = 0
    for uuid, parent in found.parents.items():
        if parent and parent not in seen and parent in found.parents:
            early += 1
        seen.add(uuid)
    if not early:
        return
    found.shuffled = True
    for uuid in found.parents:
        _rank(found, uuid, times)


def _rank(found: Outline, uuid: str, times: dict[str, float]) -> None:
    """A record comes behind its parent, whatever its time says; without a time it stands where its parent does."""
    chain = []
    visited: set[str] = set()
    while uuid and uuid in found.parents and uuid not in found.ranks and uuid not in visited:
        visited.add(uuid)
        chain.append(uuid)
        uuid = found.parents[uuid]
    time, depth = found.ranks.get(uuid, (0.0, 0))
    for item in reversed(chain):
        time, depth = max(time, times.get(item, time)), depth + 1
        found.ranks[item] = (time, depth)


def records(source: Source, order: Outline) -> Iterator[Mapping[str, Any]]:
    """The records in the order in which they happened, each once, without abandoned branches.

    Dropped and repeated records come as ``{"type": "abandoned branch"}`` and ``{"type": "repeated record"}``, so that
    they are counted.
    """
    pieces: Iterator[Mapping[str, Any]] = (mapping(piece.value) for piece in values(source))
    if order.shuffled:
        source.problems.append("records are not in order; they are sorted by time and by what they answer")
        numbered = list(enumerate(pieces))
        place: tuple[float, int] = (0.0, 0)
        keyed = []
        for number, record in numbered:
            place = order.ranks.get(string(record.get("uuid")), place)
            keyed.append((place, number, record))
        pieces = iter([record for _, _, record in sorted(keyed, key=lambda item: item[:2])])
    seen: set[str] = set()
    for record in pieces:
        uuid = string(record.get("uuid"))
        if uuid and uuid in seen:
            yield {"type": "repeated record"}
        elif uuid and uuid in order.dropped:
            yield {"type": "abandoned branch"}
        else:
            seen.add(uuid)
            yield record
