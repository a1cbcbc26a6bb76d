"""Node ids of definitions, and definitions by their dotted names."""

from __future__ import annotations

from collections.abc import Mapping

from judge.modules.graph.facts import CodeFile, Definition


class Targets:
    """Ids while the graph is built."""

    def __init__(self, files: Mapping[str, CodeFile]) -> None:
        self._files = files
        self._ids: dict[tuple[str, str, int, int], str] = {}
        self._scopes: dict[tuple[str, str], str] = {}
        self._dotted: dict[str, str] = {code.module: path for path, code in files.items() if code.module}
        self._bare: dict[str, list[str]] = {}

    def add(self, path: str, item: Definition) -> str:
        """The id of a new definition; a name defined again gets its line."""
        key = f"{path}::{item.qualname}"
        if (path, item.qualname) in self._scopes:
            key = f"{key}@{item.line}"
        else:
            self._scopes[path, item.qualname] = key
        self._ids[path, item.qualname, item.line, item.end_line] = key
        module = self._files[path].module
        if module:
            self._dotted[f"{module}.{item.qualname}"] = key
        else:
            self._bare.setdefault(item.qualname, []).append(key)
        return key

    def key(self, path: str, item: Definition) -> str:
        """The id of a definition that was added."""
        return self._ids[path, item.qualname, item.line, item.end_line]

    def scope(self, path: str, qualname: str) -> str:
        """The id of a scope: the definition with that qualified name, else the file."""
        return self._scopes.get((path, qualname), path) if qualname else path

    def named(self, dotted: str) -> str:
        """The id of the workspace definition or module with that dotted name, or an empty string."""
        found = self._dotted.get(dotted)
        if found:
            return found
        bare = self._bare.get(dotted, ())
        return bare[0] if len(bare) == 1 else ""
