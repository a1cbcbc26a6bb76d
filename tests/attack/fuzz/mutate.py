"""Damaged versions of good files: of their bytes, and of their structure where they hold JSON."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

ODD_TEXTS = (
    "",
    "\x00",
    "\ud800",
    "\u202e\u2066",
    "\x1b[2J",
    "a" * 70_000,
    "NaN",
    "../../etc/passwd",
    "{{7*7}}${x}%s%n",
    "::error::x",
    "\r\n\u2028",
    "𝟘" * 9,
)
ODD_VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    10**30,
    -(10**400),
    1e308,
    float("inf"),
    float("nan"),
    [],
    {},
    [[]],
    {"": {}},
    [None] * 50,
    *ODD_TEXTS,
)


DEEP = "@@deep@@"
"""Stands for lists in lists, which are put in when the value is written."""


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path]
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        found += _places(item, (*path, key))
    return found


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def mutate_value(value: Any, draw: random.Random) -> Any:
    """One to four changes of a JSON value: a part is replaced, removed, doubled, renamed, or moved."""
    value = copy.deepcopy(value)
    for _ in range(draw.randint(1, 4)):
        places = _places(value)
        path = draw.choice(places)
        if not path:
            if draw.random() < 0.1:
                return copy.deepcopy(draw.choice(ODD_VALUES))
            continue
        parent, key = _at(value, path[:-1]), path[-1]
        kind = draw.randrange(7)
        if kind == 0:
            del parent[key]
        elif kind == 1 and isinstance(parent, list):
            parent.insert(draw.randint(0, len(parent)), copy.deepcopy(parent[key]))
        elif kind == 2 and isinstance(parent, dict):
            parent[draw.choice((str(key) + " ", str(key).upper(), *ODD_TEXTS))] = parent.pop(key)
        elif kind == 3:
            parent[key] = copy.deepcopy(_at(value, draw.choice(places))) if draw.random() < 0.5 else [parent[key]]
        elif kind == 4 and isinstance(parent[key], str):
            parent[key] = mutate_text(parent[key], draw)
        elif kind == 5 and draw.random() < 0.2:
            parent[key] = DEEP
        else:
            parent[key] = copy.deepcopy(draw.choice(ODD_VALUES))
    return value


def mutate_text(text: str, draw: random.Random) -> str:
    """A piece is removed, doubled, or something odd is put in."""
    start = draw.randint(0, len(text))
    end = min(len(text), start + draw.randint(0, 20))
    return text[:start] + draw.choice(("", text[start:end] * 2, *ODD_TEXTS)) + text[end:]


def mutate_bytes(data: bytes, draw: random.Random) -> bytes:
    """The file is cut, a bit is flipped, a piece is doubled, moved, or replaced."""
    if not data:
        return bytes(draw.randrange(256) for _ in range(draw.randint(0, 40)))
    kind = draw.randrange(7)
    start = draw.randrange(len(data))
    end = min(len(data), start + draw.randint(1, 60))
    if kind == 0:
        return data[:start]
    if kind == 1:
        return data[:start] + bytes([data[start] ^ (1 << draw.randrange(8))]) + data[start + 1 :]
    if kind == 2:
        return data[:start] + data[start:end] * draw.choice((2, 3, 200)) + data[end:]
    if kind == 3:
        return data[:start] + data[end:]
    if kind == 4:
        return data[:start] + bytes(draw.randrange(256) for _ in range(end - start)) + data[end:]
    if kind == 5:
        return data.decode("utf-8", "replace").encode(draw.choice(("utf-16", "utf-32", "cp1252")), "replace")
    return b"\xef\xbb\xbf" + data if draw.random() < 0.3 else data + data[start:end]


def damaged(data: bytes, draw: random.Random) -> bytes:
    """A damaged version of a file; half of those of JSON files are still JSON."""
    if draw.random() < 0.5:
        return mutate_bytes(data, draw)
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return _damaged_lines(data, draw)
    return _dump(mutate_value(value, draw), draw)


def _damaged_lines(data: bytes, draw: random.Random) -> bytes:
    """JSON Lines keep most lines; other text loses, doubles or swaps some."""
    lines = data.splitlines(keepends=True)
    if not lines:
        return mutate_bytes(data, draw)
    for _ in range(draw.randint(1, 3)):
        index = draw.randrange(len(lines))
        try:
            lines[index] = _dump(mutate_value(json.loads(lines[index]), draw), draw) + b"\n"
        except (ValueError, RecursionError):
            changes: tuple[Callable[[], bytes], ...] = (
                lambda: b"",
                lambda: lines[index] * 2,  # noqa: B023 - called at once
                lambda: mutate_bytes(lines[index], draw),  # noqa: B023
                lambda: draw.choice(lines),
            )
            lines[index] = draw.choice(changes)()
    return b"".join(lines)


def _dump(value: Any, draw: random.Random) -> bytes:
    text = json.dumps(value, ensure_ascii=draw.random() < 0.5)
    depth = draw.choice((20, 900, 40_000))
    text = text.replace(f'"{DEEP}"', "[" * depth + "]" * depth)
    return text.encode("utf-8", "surrogatepass")
