"""The workspace graph as something to be drawn."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from judge.modules.graph.kinds import EdgeKind, NodeKind
from judge.modules.graph.outline import signature
from judge.modules.graph.summary import sections
from judge.report.graph_model import Arrow, Box, Picture

if TYPE_CHECKING:
    from judge.modules.graph.facts import Definition
    from judge.modules.graph.graph import WorkspaceGraph
    from judge.modules.graph.rows import Rows

MAX_BOXES = 20_000
"""Nodes that are drawn; of more the smallest definitions are left out."""
_GROUP_SHARE = 0.05
"""Room that external packages, and files that are not there, take at least."""
_PACKAGES, _MISSING = "external packages", "named in code, not there"
_DEFINED = frozenset({NodeKind.CLASS, NodeKind.FUNCTION, NodeKind.METHOD})
_CONTAINS = EdgeKind.CONTAINS.value
_TEXT = 200
_WORDS = {
    "language": "language",
    "entry": "runs by itself",
    "error": "problem",
    "unparsed": "not analysed",
    "value": "value",
}


def picture(graph: WorkspaceGraph, title: str, version: str, rows: Rows | None = None) -> Picture:
    """What a page draws of a graph.

    Args:
        graph: The graph.
        title: Name of the workspace.
        version: Version of the program.
        rows: The part of it that is drawn; all of it by default.
    """
    rows = rows or graph.rows
    drawn = _chosen(rows)
    parents = {target: source for source, target, data in rows.edges if data["kind"] == _CONTAINS}
    ordered = list(_ordered(rows, drawn, parents))
    numbers = {key: number for number, (key, _) in enumerate(ordered)}
    details = _details(graph, drawn)
    degree = _degrees(rows)
    weights = {key: _weight(rows.nodes[key], degree.get(key, 0)) for key, _ in ordered if key in rows.nodes}
    least = _GROUP_SHARE * sum(weights.values())
    boxes = []
    for key, parent in ordered:
        data = rows.nodes.get(key) or {"kind": "group", "name": key, "path": ""}
        weight = weights.get(key, least)
        boxes.append(
            Box(
                key=key,
                kind=data["kind"],
                name=str(data.get("name") or key),
                path=data.get("path") or "",
                parent=numbers[parent] if parent is not None else -1,
                weight=weight,
                line=data.get("line") or 0,
                end_line=data.get("end_line") or 0,
                reachable=data.get("reachable"),
                facts={**_facts(data), **details.get(key, {})},
            )
        )
    arrows = [
        Arrow(numbers[source], numbers[target], data["kind"], data.get("line") or 0, _name(data))
        for source, target, data in rows.edges
        if data["kind"] != _CONTAINS and source in numbers and target in numbers
    ]
    return Picture(title, version, boxes, arrows, len(rows.nodes) - len(drawn), sections(graph))


def _chosen(rows: Rows) -> set[str]:
    """Nodes to be drawn: all, or without the smallest definitions."""
    if len(rows.nodes) <= MAX_BOXES:
        return set(rows.nodes)
    kept = [key for key, data in rows.nodes.items() if data["kind"] not in _DEFINED][:MAX_BOXES]
    defined = [key for key, data in rows.nodes.items() if data["kind"] in _DEFINED]
    defined.sort(key=lambda key: -_lines(rows.nodes[key]))
    return {*kept, *defined[: MAX_BOXES - len(kept)]}


def _ordered(rows: Rows, drawn: set[str], parents: dict[str, str]) -> Iterator[tuple[str, str | None]]:
    """Every node after the one it lies in, with that; what lies nowhere lies in a group of its own kind."""
    inside: dict[str | None, list[str]] = {}
    groups: dict[str, None] = {}
    for key, data in rows.nodes.items():
        if key not in drawn:
            continue
        parent = parents.get(key)
        while parent is not None and parent not in drawn:
            parent = parents.get(parent)
        if parent is None and data["kind"] in {NodeKind.PACKAGE, NodeKind.ARTEFACT}:
            parent = _PACKAGES if data["kind"] == NodeKind.PACKAGE else _MISSING
            groups[parent] = None
        inside.setdefault(parent, []).append(key)
    queue: list[tuple[str, str | None]] = [(key, None) for key in (*inside.get(None, ()), *groups)]
    for item in queue:
        yield item
        queue.extend((child, item[0]) for child in inside.get(item[0], ()))


def _lines(data: dict[str, Any]) -> int:
    return (data.get("end_line") or 0) - (data.get("line") or 0) + 1 if data.get("line") else 0


def _weight(data: dict[str, Any], degree: int) -> float:
    """Room by lines of code; files without code by the logarithm of their size, so that data does not drown it."""
    kind = data["kind"]
    if kind == NodeKind.FOLDER:
        return 1.0
    if kind == NodeKind.PACKAGE:
        return 6.0 + 3.0 * math.log2(1 + degree)
    if _lines(data):
        return float(max(_lines(data), 3))
    return 6.0 + 2.0 * math.log2(1 + (data.get("size") or 0) / 1000)


def _name(data: dict[str, Any]) -> str:
    return str(data.get("name") or "")[:_TEXT]


def _facts(data: dict[str, Any]) -> dict[str, str]:
    found: dict[str, str] = {}
    for key, word in _WORDS.items():
        if data.get(key):
            found[word] = str(data[key])[:_TEXT]
    if data.get("body") not in {None, "real"}:
        found["body"] = str(data["body"])
    if data.get("exists") is False:
        found["exists"] = "no such file"
    elif data.get("size") is not None:
        found["size"] = f"{data['size']:,} bytes"
    return found


def _details(graph: WorkspaceGraph, drawn: set[str]) -> dict[str, dict[str, str]]:
    """Signatures and first lines of docstrings of the definitions that are drawn."""
    found: dict[str, dict[str, str]] = {}
    for path, code in graph.files.items():
        lines: list[str] = []
        for item in code.definitions:
            key = _key(path, item, drawn, found)
            if key is None:
                continue
            lines = lines or code.source.split("\n")
            found[key] = {"signature": signature(item, lines)[:_TEXT]}
            docstring = item.docstring.strip().split("\n", 1)[0].strip()
            if docstring:
                found[key]["says"] = docstring[:_TEXT]
    return found


def _key(path: str, item: Definition, drawn: set[str], found: dict[str, Any]) -> str | None:
    key = f"{path}::{item.qualname}"
    if key in found:
        key = f"{key}@{item.line}"
    return key if key in drawn else None


def _degrees(rows: Rows) -> dict[str, int]:
    found: dict[str, int] = {}
    for edge in rows.edges:
        if edge[2]["kind"] != _CONTAINS:
            found[edge[1]] = found.get(edge[1], 0) + 1
    return found
