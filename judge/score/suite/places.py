"""Finds the node of a path in a document."""

from __future__ import annotations

from collections.abc import Sequence

from judge.score.suite.nodes import Node


def merges(key: Node) -> bool:
    """Whether a key is YAML's ``<<``, which takes over the entries of other mappings."""
    return key.plain and key.text == "<<"


def locate(root: Node, path: Sequence[str | int], *, key: bool = False) -> Node:
    """The node at ``path``, or the nearest above it; the node of its key where ``key`` is set."""
    node = root
    for place, step in enumerate(path):
        if isinstance(step, int) and node.kind == "list" and step < len(node.items):
            node = node.items[step]
            continue
        entry = _entry(node, str(step))
        if entry is None:
            return node
        node = entry[0] if key and place == len(path) - 1 else entry[1]
    return node


def _entry(node: Node, name: str) -> tuple[Node, Node] | None:
    if node.kind != "map":
        return None
    for key, value in node.entries:
        if key.kind == "scalar" and key.text == name and not merges(key):
            return key, value
    for key, value in node.entries:
        if merges(key):
            for source in value.items if value.kind == "list" else [value]:
                if found := _entry(source, name):
                    return found
    return None
