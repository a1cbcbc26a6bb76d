"""Remembers across runs what models on servers refused, so that no run pays for the same refusal again."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_VERSION = 1
# Servers change; what one refused a month ago is asked for again.
_EXPIRES = 30 * 86_400.0
_MOST = 500
_LARGEST = 1_000_000


class Memory:
    """A small JSON file; whatever is wrong with it, the program works as if it were empty.

    Args:
        path: The file; None to remember nothing.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path

    def recall(self, model: str, server: str) -> Mapping[str, Any]:
        """What was learnt about a model on a server; empty when nothing is known or it is too old."""
        entry = self._read().get(_name(model, server))
        known = entry.get("known") if isinstance(entry, dict) else None
        return known if isinstance(known, dict) else {}

    def keep(self, model: str, server: str, known: Mapping[str, Any]) -> None:
        """Writes down what was learnt; silently not, where that is impossible."""
        if self._path is None:
            return
        entries = self._read()
        entries.pop(_name(model, server), None)
        entries[_name(model, server)] = {"at": time.time(), "known": dict(known)}
        entries = dict(list(entries.items())[-_MOST:])
        text = json.dumps({"schema_version": _VERSION, "models": entries}, indent=1, sort_keys=True)
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor, temporary = tempfile.mkstemp(dir=self._path.parent, prefix=".models-")
            try:
                with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                    file.write(text)
                os.replace(temporary, self._path)
            except OSError:
                os.unlink(temporary)
        except OSError:  # a full or read-only disk costs one refused call a run, nothing else
            return

    def _read(self) -> dict[str, Any]:
        if self._path is None:
            return {}
        try:
            with self._path.open("rb") as file:
                value = json.loads(file.read(_LARGEST))
        except (OSError, ValueError, RecursionError):
            return {}
        models = value.get("models") if isinstance(value, dict) and value.get("schema_version") == _VERSION else None
        entries = models if isinstance(models, dict) else {}
        oldest, now = time.time() - _EXPIRES, time.time()
        return {name: entry for name, entry in entries.items() if oldest < _at(entry) <= now + 60}


def _at(entry: Any) -> float:
    at = entry.get("at") if isinstance(entry, dict) else None
    return float(at) if isinstance(at, (int, float)) and not isinstance(at, bool) else 0.0


def _name(model: str, server: str) -> str:
    return f"{model} at {server}"
