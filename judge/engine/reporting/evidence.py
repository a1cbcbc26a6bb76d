"""The stored evidence of a run, read back with what the judge was shown: secrets masked, pictures from inside."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from judge.redact import redact
from judge.report.model import Picture, Shown
from judge.text import valid_unicode

_DIGEST = re.compile(r"[0-9a-f]{64}\Z")
_PICTURE = re.compile(r"[0-9a-f]{64}\.b64\Z")
_TYPES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
_MOST_BYTES = 64 * 1024 * 1024
_MOST_PICTURE = 2 * 1024 * 1024
_BETWEEN = "\n\x1d\n"
_LINE = re.compile(r"^ *(\d{1,7})\| ?", re.MULTILINE)


class EvidenceReader:
    """The folder ``evidence/`` of a run.

    Attributes:
        problems: What could not be read, one sentence each.
    """

    def __init__(self, folder: Path | None) -> None:
        """Takes a folder that may not be there.

        Args:
            folder: The folder; None when there is no evidence at all.
        """
        self._folder = folder
        self.problems: list[str] = []
        self._known: dict[str, tuple[Shown, ...]] = {}
        self._items: dict[str, Shown] = {}

    def get(self, digest: str) -> tuple[Shown, ...]:
        """What stands under a hash; nothing when there is none or it cannot be read."""
        if not digest or self._folder is None:
            return ()
        if digest not in self._known:
            self._known[digest] = self._read(self._folder, digest)
        return self._known[digest]

    def _read(self, folder: Path, digest: str) -> tuple[Shown, ...]:
        if not _DIGEST.match(digest):
            self.problems.append("an evidence hash is none; its evidence is not shown")
            return ()
        path = folder / f"{digest}.json"
        try:
            data = _bytes(path, _MOST_BYTES)
            items = json.loads(data)["evidence"]
            if hashlib.sha256(data).hexdigest() != digest:
                self.problems.append(f"evidence/{path.name} was changed after the verdict")
            return tuple(self._once(folder, item) for item in items if isinstance(item, dict))
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            self.problems.append(f"evidence/{path.name} cannot be shown: {type(error).__name__}")
            return ()

    def _once(self, folder: Path, item: Mapping[str, Any]) -> Shown:
        """The item; most of them stand under many hashes."""
        content = json.dumps(item, sort_keys=True)
        if content not in self._items:
            self._items[content] = self._item(folder, item)
        return self._items[content]

    def _item(self, folder: Path, item: Mapping[str, Any]) -> Shown:
        problems = [str(entry) for entry in _list(item, "problems")]
        title, text, why, *problems = masked_all([*(_text(item, key) for key in ("title", "text", "why")), *problems])
        pictures = tuple(found for image in _list(item, "images") if (found := _picture(folder, image)) is not None)
        value: dict[str, Any] = {
            "module": valid_unicode(_text(item, "module")),
            "kind": valid_unicode(_text(item, "kind")),
            "title": title,
            "text": text,
            "path": valid_unicode(item["path"]) if isinstance(item.get("path"), str) else None,
            "step": item.get("step") if isinstance(item.get("step"), int) else None,
            "problems": tuple(problems),
            "tokens": item.get("tokens") if isinstance(item.get("tokens"), int) else 0,
        }
        content = json.dumps(value, sort_keys=True, default=str) + "".join(one.data_base64 for one in pictures)
        key = hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        return Shown(key=key, why=why, pictures=pictures, **value)


def masked(text: str) -> str:
    """Text as it may leave the machine."""
    return redact(valid_unicode(text)).text if text else text


def masked_all(texts: Sequence[str]) -> list[str]:
    """Several texts at once, which is faster: most of the time goes into short ones."""
    parts = masked(_BETWEEN.join(texts)).split(_BETWEEN)
    return parts if len(parts) == len(texts) else [masked(text) for text in texts]


@lru_cache(maxsize=256)
def numbered_lines(text: str) -> Mapping[int, str]:
    """The lines of evidence that carry line numbers (``12| code``), by number."""
    found: dict[int, str] = {}
    for line in text.split("\n"):
        match = _LINE.match(line)
        if match:
            found.setdefault(int(match[1]), line[match.end() :])
    return found


def _text(item: Mapping[str, Any], name: str) -> str:
    value = item.get(name)
    return value if isinstance(value, str) else ""


def _list(item: Mapping[str, Any], name: str) -> list[Any]:
    value = item.get(name)
    return value if isinstance(value, list) else []


def _bytes(path: Path, limit: int) -> bytes:
    with path.open("rb") as stream:
        data = stream.read(limit + 1)
    if len(data) > limit:
        raise ValueError("too large")
    return data


def _picture(folder: Path, image: object) -> Picture | None:
    """A picture from the store; only of the kinds that a browser shows without running anything."""
    if not isinstance(image, dict) or image.get("media_type") not in _TYPES:
        return None
    name = image.get("file")
    if not isinstance(name, str) or not _PICTURE.match(name):
        return None
    try:
        data = base64.b64decode(_bytes(folder / name, _MOST_PICTURE), validate=True)
    except (OSError, ValueError, binascii.Error):
        return None
    width, height = (image.get(side) if isinstance(image.get(side), int) else 0 for side in ("width", "height"))
    return Picture(
        media_type=image["media_type"],
        data_base64=base64.b64encode(data).decode("ascii"),
        width=width or 0,
        height=height or 0,
    )
