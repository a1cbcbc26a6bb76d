"""Reads YAML into a tree of nodes with their places, bounded in depth and number, without recursion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from judge.score.suite.problems import SuiteProblem

DEEPEST = 100
MOST_NODES = 100_000
"""Nodes of a suite with its aliases written out: a few lines of nested aliases can stand for billions."""


_GENERATE = "make big inputs with generate: {file: gen.py, func: NAME}"


@dataclass(slots=True, eq=False)
class Node:
    """A part of the file.

    Attributes:
        kind: ``scalar``, ``list`` or ``map``.
        tag: As written, such as ``!tuple``; empty when there is none.
        line: 1-based.
        column: 1-based.
        text: Of a scalar.
        plain: Whether a scalar stands without quotes.
        items: Of a list.
        entries: Of a map, keys and values in order.
        size: Nodes in it, aliases written out.
        depth: Levels below it, aliases written out.
        done: Whether its end was seen.
        waiting: A key whose value was not seen yet.
    """

    kind: str
    tag: str
    line: int
    column: int
    text: str = ""
    plain: bool = False
    items: list[Node] = field(default_factory=list)
    entries: list[tuple[Node, Node]] = field(default_factory=list)
    size: int = 1
    depth: int = 0
    done: bool = False
    waiting: Node | None = None

    def add(self, child: Node) -> None:
        """Appends a part."""
        self.size += child.size
        self.depth = max(self.depth, child.depth + 1)
        if self.kind == "list":
            self.items.append(child)
        elif self.waiting is None:
            self.waiting = child
        else:
            self.entries.append((self.waiting, child))
            self.waiting = None


class Unreadable(Exception):
    """The text is no YAML document that can be used.

    Attributes:
        problem: What stops it.
    """

    def __init__(self, problem: SuiteProblem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def compose(text: str) -> Node:
    """The root of the document.

    Raises:
        Unreadable: It is no YAML, is empty, holds several documents, or passes a bound.
    """
    root: Node | None = None
    open_nodes: list[Node] = []
    anchors: dict[str, Node] = {}
    for event in _events(text):
        node = _node(event, anchors, open_nodes)
        if node is None:
            continue
        if isinstance(event, yaml.CollectionEndEvent):
            open_nodes.pop()
            node.done = True
        elif isinstance(event, yaml.CollectionStartEvent):
            open_nodes.append(node)
            _bounded(len(open_nodes) <= DEEPEST, node, f"is nested deeper than {DEEPEST} levels")
            continue
        if open_nodes:
            open_nodes[-1].add(node)
            _bounded(open_nodes[-1].depth <= DEEPEST, node, f"is nested deeper than {DEEPEST} levels")
            _bounded(open_nodes[-1].size <= MOST_NODES, node, f"the suite has more than {MOST_NODES} values")
        elif root is None:
            root = node
        else:
            raise Unreadable(SuiteProblem(node.line, node.column, "", "a second document begins: a suite is one"))
    if root is None:
        raise Unreadable(
            SuiteProblem(1, 1, "", "is empty: a suite is a mapping with schema, problem, target and cases")
        )
    return root


def _bounded(holds: bool, node: Node, message: str) -> None:
    if not holds:
        raise Unreadable(SuiteProblem(node.line, node.column, "", message, _GENERATE))


def _node(event: Any, anchors: dict[str, Node], open_nodes: list[Node]) -> Node | None:
    """The node that the event begins, ends or names."""
    if isinstance(event, yaml.CollectionEndEvent):
        return open_nodes[-1]
    line, column = event.start_mark.line + 1, event.start_mark.column + 1
    if isinstance(event, yaml.AliasEvent):
        target = anchors.get(str(event.anchor))
        if target is None or not target.done:
            what = "is used before it is set" if target is None else "stands inside what it names"
            raise Unreadable(SuiteProblem(line, column, "", f"the alias *{event.anchor} {what}"))
        return target
    if isinstance(event, yaml.ScalarEvent):
        tag = event.tag or ""
        node = Node(
            "scalar", tag, line, column, event.value, plain=event.style in (None, "") and tag in ("", "!"), done=True
        )
    elif isinstance(event, yaml.SequenceStartEvent):
        node = Node("list", event.tag or "", line, column)
    elif isinstance(event, yaml.MappingStartEvent):
        node = Node("map", event.tag or "", line, column)
    else:
        return None
    if event.anchor:
        anchors[event.anchor] = node
    return node


def _events(text: str) -> Iterator[Any]:
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        yield from yaml.parse(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        raise Unreadable(_syntax(text, line, column, error.problem or "is no YAML")) from None
    except yaml.reader.ReaderError as error:
        before = text[: error.position] if isinstance(error.position, int) else ""
        message = f"a character that YAML does not allow: {error.reason}"
        raise Unreadable(SuiteProblem(before.count("\n") + 1, 1, "", message, "write it as \\x.. in quotes")) from None
    except yaml.YAMLError as error:
        raise Unreadable(SuiteProblem(1, 1, "", f"is no YAML: {' '.join(str(error).split())[:200]}")) from None


def _syntax(text: str, line: int, column: int, what: str) -> SuiteProblem:
    """The parser's complaint, with the usual cause where it can be seen."""
    lines = text.splitlines()
    near = lines[line - 1] if line <= len(lines) else ""
    hint = ""
    if "nesting depth" in what:
        hint = _GENERATE
        what = f"is nested deeper than {DEEPEST} levels"
    elif "\t" in near[: len(near) - len(near.lstrip())]:
        hint = "the line is indented with a tab; YAML wants blanks"
    elif near[column - 1 : column] in ("%", "@", "`"):
        hint = "put text that begins with % @ or ` into quotes"
    elif "mapping values" in what:
        hint = "put text that holds ': ' into quotes"
    return SuiteProblem(line, column, "", f"is no YAML: {what}", hint)
