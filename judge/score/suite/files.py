"""The files that a suite names: inside its folder, regular, bounded, and holding the names that are asked of them."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import NamedTuple

_MOST_BYTES = 1024 * 1024
_MOST_FILES = 100


class Missing(Exception):
    """A file that cannot be used; the text says why."""


class Names(NamedTuple):
    """What a Python file defines at its top level.

    Attributes:
        known: The names.
        open: Whether there may be others (``from x import *``, ``exec``, ``globals()``).
    """

    known: frozenset[str]
    open: bool


class SuiteFiles:
    """Reads the files beside a suite, each once.

    Attributes:
        contents: What was read, by the name that the suite uses.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self.contents: dict[str, bytes] = {}
        self._trees: dict[str, ast.Module] = {}

    def tree(self, name: str) -> ast.Module:
        """The syntax tree of a Python file.

        Raises:
            Missing: The file cannot be used, or is no Python.
        """
        if name in self._trees:
            return self._trees[name]
        if not name.endswith(".py"):
            raise Missing(f"{name[:80]!r} is no Python file: expects a path ending in .py beside the suite")
        data = self.read(name)
        try:
            self._trees[name] = ast.parse(data)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            line = getattr(error, "lineno", None)
            raise Missing(f"{name} is no Python{f', line {line}' if line else ''}: {str(error)[:100]}") from None
        self._add_helpers(self._trees[name])
        return self._trees[name]

    def read(self, name: str) -> bytes:
        """The content of a file beside the suite.

        Raises:
            Missing: It leaves the folder, is absent, no regular file, too large or unreadable.
        """
        if name not in self.contents:
            self.contents[name] = self._read(self.confined(name))
        return self.contents[name]

    def confined(self, name: str) -> Path:
        """Where the file is.

        Raises:
            Missing: The path is absolute or leaves the suite's folder, also by a link.
        """
        if not name or "\0" in name or "\\" in name or len(name) > 400:
            raise Missing(f"{name[:80]!r} is no path: expects names with / between them")
        try:
            path = (self._folder / name).resolve()
            inside = path.is_relative_to(self._folder) and not Path(name).is_absolute()
        except (OSError, RuntimeError, ValueError) as error:
            raise Missing(f"{name[:80]!r} cannot be looked up: {error}") from None
        if not inside:
            raise Missing(f"{name[:80]!r} leaves the suite's folder: files stand beside the suite or below it")
        return path

    def _read(self, path: Path) -> bytes:
        name = path.relative_to(self._folder).as_posix()
        try:
            if not path.is_file():
                raise Missing(f"{name} is {'no regular file' if path.exists() else 'missing'}")
            with path.open("rb") as stream:
                data = stream.read(_MOST_BYTES + 1)
        except OSError as error:
            raise Missing(f"{name} cannot be read: {error.strerror or error}") from None
        if len(data) > _MOST_BYTES:
            raise Missing(f"{name} is larger than {_MOST_BYTES // 1024} KiB")
        if len(self.contents) >= _MOST_FILES:
            raise Missing(f"{name} is one file too many: a suite names at most {_MOST_FILES}")
        return data

    def _add_helpers(self, tree: ast.Module) -> None:
        """Modules beside the suite that a file imports go along with it."""
        for node in ast.walk(tree):
            modules = []
            if isinstance(node, ast.Import):
                modules = [item.name for item in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                modules = [node.module]
            for module in modules:
                name = module.partition(".")[0] + ".py"
                if name.isascii() and name not in self.contents and (self._folder / name).is_file():
                    self.tree(name)


def top_level(tree: ast.Module) -> Names:
    """The names that a module has once it is imported, as far as its text shows."""
    known: set[str] = set()
    is_open = False
    stack: list[ast.AST] = list(tree.body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            known.add(node.name)
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            known.update((item.asname or item.name).partition(".")[0] for item in node.names)
            is_open = is_open or any(item.name == "*" for item in node.names)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            known.add(node.id)
        is_open = is_open or _dynamic(node)
        stack.extend(ast.iter_child_nodes(node))
    return Names(frozenset(known), is_open)


def _dynamic(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _OPENERS


_OPENERS = ("exec", "globals", "vars", "setattr")
