"""Evidence by content hash: written once, whatever number of verdicts rest on it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

from judge.atomic import write_atomic
from judge.schemas import SCHEMA_VERSION, Evidence


class EvidenceStore:
    """The folder ``evidence/`` of a run."""

    def __init__(self, folder: Path) -> None:
        """Takes a folder that exists or can be made.

        Args:
            folder: Where the files go.
        """
        self._folder = folder

    def put(self, items: Sequence[Evidence]) -> str:
        """Stores evidence and returns its hash; pictures are stored beside it under their own hash.

        Raises:
            OSError: The file system refused.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        data = encode([self._item(item) for item in items])
        digest = hashlib.sha256(data).hexdigest()
        self._write(self._folder / f"{digest}.json", data)
        return digest

    def _item(self, item: Evidence) -> dict[str, Any]:
        value = item.model_dump(mode="json", exclude={"images"})
        value["images"] = []
        for image in item.images:
            data = image.data_base64.encode("ascii", "replace")
            name = f"{hashlib.sha256(data).hexdigest()}.b64"
            self._write(self._folder / name, data)
            about = {"media_type": image.media_type, "width": image.width, "height": image.height, "file": name}
            value["images"].append(about)
        return value

    def _write(self, path: Path, data: bytes) -> None:
        if not path.exists():
            write_atomic(path, data)


def encode(items: Sequence[dict[str, Any]]) -> bytes:
    """The canonical bytes of stored evidence."""
    value = {"schema_version": SCHEMA_VERSION, "evidence": list(items)}
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    except TypeError:  # text that is no Unicode, a number above 64 bits
        text = json.dumps(value, ensure_ascii=False, sort_keys=True, indent=2, default=str)
        return (text + "\n").encode("utf-8", "backslashreplace")
