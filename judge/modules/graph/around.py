"""One file or definition with its neighbours, for a person to read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from judge.modules.graph.export import find_place
from judge.modules.graph.kinds import EdgeKind
from judge.modules.graph.outline import outline, snippet

if TYPE_CHECKING:
    from judge.modules.graph.graph import WorkspaceGraph
    from judge.modules.graph.rows import Edge

MAX_LINES = 80
"""Lines of source that are shown."""
MAX_EDGES = 40
"""Neighbours of one kind that are shown."""
_OUT = {
    EdgeKind.IMPORTS: "imports", EdgeKind.CALLS: "calls", EdgeKind.INHERITS: "inherits from",
    EdgeKind.REFERENCES: "refers to", EdgeKind.READS_FILE: "reads", EdgeKind.WRITES_FILE: "writes",
    EdgeKind.DISPLAYS: "displays", EdgeKind.TESTS: "tests",
}  # fmt: skip
_IN = {
    EdgeKind.IMPORTS: "imported by", EdgeKind.CALLS: "called by", EdgeKind.INHERITS: "inherited by",
    EdgeKind.REFERENCES: "referred to by", EdgeKind.READS_FILE: "read by", EdgeKind.WRITES_FILE: "written by",
    EdgeKind.DISPLAYS: "displayed by", EdgeKind.TESTS: "tested by",
}  # fmt: skip


def around(graph: WorkspaceGraph, place: str, depth: int = 1) -> str:
    """A definition's source, or a file's outline, and what it has to do with in both directions.

    What is in a file, class or folder counts as well: who calls a function of it, and what that calls outside.

    Args:
        graph: The workspace graph.
        place: ``PATH``, ``PATH:SYMBOL`` or a node id.
        depth: Steps that are followed from the place itself.

    Raises:
        KeyError: There is no such file or definition.
    """
    key = find_place(graph, place)
    data = graph.rows.nodes[key]
    lines = [_title(key, data), *_body(graph, key, data)]
    for heading, edges, far in (
        ("From here", graph.rows.leaving, True),
        ("To here", graph.rows.entering, False),
    ):
        found = [*_neighbours(graph, key, edges, far, depth, {key}), *_of_parts(graph, key, edges, far)]
        if found:
            lines += ["", heading, *found]
    return "\n".join(lines)


def _title(key: str, data: dict[str, Any]) -> str:
    title = f"{data['kind']} {key}"
    if data.get("line"):
        title += f"  lines {data['line']}-{data['end_line']}"
    if data.get("entry"):
        title += f"  (runs by itself: {data['entry']})"
    if data.get("reachable") is False:
        title += "  (not reached from an entry point)"
    if data.get("exists") is False:
        title += "  (named in code, no such file)"
    return title


def _body(graph: WorkspaceGraph, key: str, data: dict[str, Any]) -> list[str]:
    code = graph.files.get(data["path"])
    if code is None:
        return []
    if "::" not in key:
        return [f"  {line}" for line in outline(code).split("\n") if line]
    try:
        found = snippet(graph, code.path, key.partition("::")[2])
    except KeyError:
        return []
    head = [f"  {found.signature}"] + ([f"  {found.docstring[:300]}"] if found.docstring else [])
    return [*head, found.numbered(MAX_LINES)]


def _neighbours(
    graph: WorkspaceGraph, key: str, table: dict[str, list[Edge]], far: bool, depth: int, seen: set[str]
) -> Iterable[str]:
    """Lines on the edges of a node by kind, and below each those of the next step."""
    words = _OUT if far else _IN
    for kind in EdgeKind:
        if kind is EdgeKind.CONTAINS:
            continue
        edges = [edge for edge in table.get(key, ()) if edge[2]["kind"] == kind]
        for edge in edges[:MAX_EDGES]:
            other = edge[1] if far else edge[0]
            name = edge[2].get("name", "") if other.startswith("package:") else ""
            line = f"  line {edge[2]['line']}" if edge[2].get("line") else ""
            yield f"  {words.get(kind, kind)} {name or other}{line}"
            if depth > 1 and other not in seen:
                seen.add(other)
                yield from (f"  {row}" for row in _neighbours(graph, other, table, far, depth - 1, seen))
        if len(edges) > MAX_EDGES:
            yield f"  and {len(edges) - MAX_EDGES} more"


def _of_parts(graph: WorkspaceGraph, key: str, table: dict[str, list[Edge]], far: bool) -> Iterator[str]:
    """Lines on the edges between what a node contains and what it does not, by kind."""
    inside = graph.rows.inside(key)
    own = set(inside)
    words = _OUT if far else _IN
    for kind in EdgeKind:
        if kind is EdgeKind.CONTAINS:
            continue
        lines: dict[str, None] = {}
        for part in inside[1:]:
            name = part.removeprefix(f"{key}::").removeprefix(f"{key}.").removeprefix(f"{key}/")
            for edge in table.get(part, ()):
                other = edge[1] if far else edge[0]
                if edge[2]["kind"] == kind and other not in own:
                    shown = edge[2].get("name", "") if other.startswith("package:") else ""
                    line = f"  line {edge[2]['line']}" if edge[2].get("line") else ""
                    lines[f"  {name} {words.get(kind, kind)} {shown or other}{line}"] = None
        yield from list(lines)[:MAX_EDGES]
        if len(lines) > MAX_EDGES:
            yield f"  and {len(lines) - MAX_EDGES} more"
