"""Nodes and edges of configuration entries and documents: what they show, name, and which code asks for them."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Protocol

from judge.modules.graph.facts import Access, Mention
from judge.modules.graph.kinds import EdgeKind, Exactness, NodeKind

if TYPE_CHECKING:
    from judge.modules.graph.graph import WorkspaceGraph

MAX_CONFIGS = 500
"""Configuration files for which code that reads them is looked for."""
_DISPLAYS, _REFERENCES, _CONTAINS = EdgeKind.DISPLAYS.value, EdgeKind.REFERENCES.value, EdgeKind.CONTAINS.value


class Sink(Protocol):
    """Takes nodes and edges."""

    def node(self, key: str, kind: NodeKind, path: str = "", **attributes: object) -> None:
        """Add a node."""

    def edge(self, source: str, target: str, kind: str, line: int | None = None, name: str = "") -> None:
        """Add an edge once."""

    def known(self, key: str) -> bool:
        """Whether a node is there."""


def add_documents(facts: WorkspaceGraph, sink: Sink, scope: Callable[[str, str], str]) -> None:
    """Add what documents say.

    Args:
        facts: The workspace.
        sink: Takes nodes and edges.
        scope: The node of a scope of a source file.
    """
    present = {entry.path for entry in facts.listing} | {folder.rstrip("/") for folder in facts.folders}
    asked = 0
    for path, items in facts.mentions.items():
        keys = any(item.key for item in items)
        readers = _readers(facts, path) if keys and asked < MAX_CONFIGS else []
        asked += keys
        for item in items:
            if item.key:
                _entry(path, item, present, sink, _asking(facts, readers, item, scope))
            else:
                _mention(path, item, present, sink)


def _readers(facts: WorkspaceGraph, path: str) -> list[str]:
    """Source files that read a configuration file."""
    return sorted({item.path for item in facts.matches(path, Access.READ) if item.exactness is not Exactness.LOOSE})


def _asking(
    facts: WorkspaceGraph, readers: Iterable[str], item: Mention, scope: Callable[[str, str], str]
) -> dict[str, int]:
    """Nodes of code that says the name of an entry, with the line."""
    name = item.key.rpartition(".")[2]
    found: dict[str, int] = {}
    for path in readers:
        code = facts.files[path]
        for text in code.strings:
            if text.value in (name, item.key):
                found.setdefault(scope(path, text.scope), text.line)
        if name in code.names and len(name) > 2:
            found.setdefault(path, code.names[name])
    return found


def _entry(path: str, item: Mention, present: set[str], sink: Sink, asking: dict[str, int]) -> None:
    """An entry is a node when it holds a path or code asks for it."""
    if not item.target and not asking:
        return
    key = f"{path}#{item.key}"
    if not sink.known(key):
        name = item.key.rpartition(".")[2]
        value = item.value if item.value is not None else ""
        sink.node(key, NodeKind.CONFIG, path, name=name, qualname=item.key, line=item.line, value=value)
        sink.edge(path, key, _CONTAINS, item.line)
    target = _resolved(path, item.target, present)
    if target:
        sink.edge(key, target, _REFERENCES, item.line)
    for source, line in asking.items():
        sink.edge(source, key, _REFERENCES, line)


def _mention(path: str, item: Mention, present: set[str], sink: Sink) -> None:
    target = _resolved(path, item.target, present)
    if target and target != path:
        sink.edge(path, target, _DISPLAYS if item.display else _REFERENCES, item.line)
    elif item.display and not target:
        missing = posixpath.normpath(posixpath.join(posixpath.dirname(path), item.target.lstrip("/")))
        if missing.startswith(".."):
            return
        if not sink.known(missing):
            sink.node(missing, NodeKind.ARTEFACT, missing, name=posixpath.basename(missing), exists=False)
        sink.edge(path, missing, _DISPLAYS, item.line)


def _resolved(path: str, target: str, present: set[str]) -> str:
    """The existing file or folder that a path in a document means, or an empty string."""
    clean = target.strip()
    if not clean:
        return ""
    near = posixpath.normpath(posixpath.join(posixpath.dirname(path), clean.lstrip("/")))
    for candidate in (near, posixpath.normpath(clean.lstrip("/"))):
        if candidate in present and candidate != ".":
            return candidate
    return ""
