"""Configuration files of the workspace as literals, so that values looked up in them are known."""

from __future__ import annotations

import json
import posixpath
import tomllib
from collections.abc import Callable
from typing import Any

from judge.modules.graph.python.ir import NONE, UNKNOWN, Ir
from judge.workspace import Workspace

MAX_BYTES = 256 * 1024
MAX_DEPTH = 12
MAX_ITEMS = 500
_READERS = {".json": "json", ".yaml": "yaml", ".yml": "yaml", ".toml": "toml"}


class DataFiles:
    """Parses each configuration file once."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._known: dict[str, Ir | None] = {}

    def __call__(self, pattern: str) -> Ir | None:
        """The content of the file that a path in code names, or None."""
        path = pattern.replace("\0/", "")
        if "{}" in path:
            return None
        path = posixpath.normpath(path).lstrip("/")
        if path not in self._known:
            self._known[path] = self._load(path)
        return self._known[path]

    def _load(self, path: str) -> Ir | None:
        kind = _READERS.get(posixpath.splitext(path)[1].lower())
        if kind is None:
            return None
        entry = self._find(path)
        if entry is None or entry.size > MAX_BYTES:
            return None
        text = self._workspace.read_text(entry, MAX_BYTES)
        if text.binary or text.truncated:
            return None
        data = parse_data(kind, text.text)
        return literal(data) if data is not None else None

    def _find(self, path: str) -> Any:
        """The file at that path, or, when run from another folder, the only one with that ending."""
        while path.startswith("../"):
            path = path[3:]
        entry = self._workspace.find(path)
        if entry is not None:
            return entry
        endings = [item for item in self._workspace.files if item.path.endswith(f"/{path}")]
        return endings[0] if len(endings) == 1 else None


def parse_data(kind: str, text: str) -> object:
    """The content of a configuration file, None when it cannot be read."""
    try:
        if kind == "json":
            return json.loads(text)
        if kind == "toml":
            return tomllib.loads(text)
        return _yaml(text)
    except (ValueError, RecursionError):
        return None


def _yaml(text: str) -> object:
    import yaml

    if "&" in text and "*" in text and text.count("*") > 50:
        return None  # anchors can expand without bound
    try:
        return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError:
        return None


def literal(data: object, depth: int = 0) -> Ir:
    """Parsed data as a literal expression."""
    if depth > MAX_DEPTH:
        return UNKNOWN
    if isinstance(data, dict):
        pairs = list(data.items())[:MAX_ITEMS]
        return ("d", tuple((("k", key), literal(value, depth + 1)) for key, value in pairs))
    if isinstance(data, list):
        return ("l", tuple(literal(item, depth + 1) for item in data[:MAX_ITEMS]))
    if data is None:
        return NONE
    return ("k", data) if isinstance(data, str | int | float | bool) else UNKNOWN


LoadData = Callable[[str], Ir | None]
