"""Turns the nodes of a suite into Python values, and finds the node of a path."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from judge.score.compare.show import show
from judge.score.suite.nodes import Node
from judge.score.suite.places import locate, merges
from judge.score.suite.problems import SuiteProblem, show_path
from judge.score.suite.scalars import resolve, tagged

_YAML = "tag:yaml.org,2002:"
_LIST_TAGS = ("!tuple", "!set", "!frozenset", "!dict", "!complex")
_Path = tuple[str | int, ...]


class Constructed:
    """Values of a document with what was noticed on the way.

    Attributes:
        value: The document.
        problems: What cannot be used.
        notes: What may not be what the author means.
    """

    def __init__(self, root: Node) -> None:
        self.root = root
        self.problems: list[SuiteProblem] = []
        self.notes: list[SuiteProblem] = []
        self.value = self._build(root, ())

    def problem(self, path: Sequence[str | int], message: str, hint: str = "", *, key: bool = False) -> None:
        """Adds a mistake at the node of ``path``, at its key where ``key`` is set."""
        node = locate(self.root, path, key=key)
        self.problems.append(SuiteProblem(node.line, node.column, show_path(path), message, hint))

    def note(self, path: Sequence[str | int], message: str) -> None:
        """Adds a warning at the node of ``path``."""
        node = locate(self.root, path)
        self.notes.append(SuiteProblem(node.line, node.column, show_path(path), message))

    def _wrong(self, node: Node, path: _Path, message: str, hint: str = "") -> None:
        self.problems.append(SuiteProblem(node.line, node.column, show_path(path), message, hint))

    def _build(self, node: Node, path: _Path) -> Any:
        if node.kind == "scalar":
            return self._scalar(node, path)
        if node.kind == "map":
            return self._map(node, path)
        items = [self._build(item, (*path, index)) for index, item in enumerate(node.items)]
        return self._list(node, path, items)

    def _scalar(self, node: Node, path: _Path) -> Any:
        if not node.tag or (node.tag == "!" and not node.plain):
            if not node.plain:
                return node.text
            found = resolve(node.text)
        else:
            found = tagged(node.tag, node.text)
        if found.wrong:
            self._wrong(node, path, found.wrong)
        if found.note:
            self.notes.append(SuiteProblem(node.line, node.column, show_path(path), found.note))
        return found.value

    def _list(self, node: Node, path: _Path, items: list[Any]) -> Any:
        tag = node.tag
        if tag in ("", "!", f"{_YAML}seq"):
            return items
        if tag == "!tuple":
            return tuple(items)
        if tag in ("!set", "!frozenset"):
            return self._set(node, path, items)
        if tag == "!dict":
            return self._pairs(node, path, items)
        if tag == "!complex":
            if len(items) == 2 and all(type(item) in (int, float) for item in items):
                return complex(*items)
            self._wrong(node, path, "!complex expects two numbers, [real, imaginary], or text such as 1+2j")
            return items
        self._wrong(node, path, f"the tag {tag} is unknown: tags of lists are {', '.join(_LIST_TAGS)}")
        return items

    def _set(self, node: Node, path: _Path, items: list[Any]) -> Any:
        seen: set[Any] = set()
        for item, child in zip(items, node.items, strict=True):
            if not _hashable(item):
                self._wrong(child, path, "an element of a set cannot be a list, a set or a mapping", _HASHABLE)
            elif item in seen:
                self._wrong(child, path, f"the element {show(item, 60)} stands twice in the set")
            else:
                seen.add(item)
        return frozenset(seen) if node.tag == "!frozenset" else seen

    def _pairs(self, node: Node, path: _Path, items: list[Any]) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for item, child in zip(items, node.items, strict=True):
            if not isinstance(item, list | tuple) or len(item) != 2:
                self._wrong(child, path, "!dict expects a list of [key, value]")
            else:
                self._put(found, item[0], item[1], child, path)
        return found

    def _put(self, into: dict[Any, Any], key: Any, value: Any, node: Node, path: _Path) -> None:
        if not _hashable(key):
            self._wrong(node, path, "a key cannot be a list, a set or a mapping", _HASHABLE)
        elif key in into:
            other = "" if isinstance(key, str) else ", or one that Python takes for equal, such as 1 for true"
            self._wrong(node, path, f"the key {show(key, 60)} stands twice in one mapping{other}")
        else:
            into[key] = value

    def _map(self, node: Node, path: _Path) -> Any:
        if node.tag in (f"{_YAML}set", "!set"):
            keys = [self._build(key, path) for key, _ in node.entries]
            flat = Node("list", "!set", node.line, node.column, items=[key for key, _ in node.entries])
            return self._set(flat, path, keys)
        if node.tag not in ("", "!", f"{_YAML}map", "!dict"):
            self._wrong(node, path, f"the tag {node.tag} is unknown: mappings have none, or !set")
        found: dict[Any, Any] = {}
        merged: dict[Any, Any] = {}
        for key_node, value_node in node.entries:
            if merges(key_node):
                self._merge(merged, value_node, path)
                continue
            key = self._build(key_node, path)
            self._put(found, key, self._build(value_node, (*path, _step(key))), key_node, path)
        return {**merged, **found} if merged else found

    def _merge(self, into: dict[Any, Any], node: Node, path: _Path) -> None:
        for source in node.items if node.kind == "list" else [node]:
            if source.kind != "map":
                self._wrong(source, path, "<< expects a mapping, or a list of mappings")
                continue
            for key, value in self._build(source, path).items():
                into.setdefault(key, value)


_HASHABLE = "use !tuple or !frozenset"


def _step(key: Any) -> str | int:
    return key if isinstance(key, str) else str(key)


def _hashable(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(_hashable(item) for item in value)
    return isinstance(value, Hashable)
