"""Task names: they become folder and file names, so they must be safe ones."""

from __future__ import annotations

import unicodedata

from judge.jsontext import Problem

MAX_NAME_BYTES = 200

_UNPRINTABLE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def name_problem(name: object, path: str = "$.name") -> Problem | None:
    """Why a value cannot be a task name; None when it can.

    >>> name_problem("39_Drug_Response") is None
    True
    >>> str(name_problem("../x"))
    '$.name: holds a "/" (expected a name that can be a folder name)'
    """
    wanted = "a name that can be a folder name"
    if not isinstance(name, str):
        return Problem(path, "is no text", wanted)
    if not name.strip():
        return Problem(path, "is empty", wanted)
    for bad in "/\\":
        if bad in name:
            return Problem(path, f'holds a "{bad}"', wanted)
    if name in {".", ".."}:
        return Problem(path, f'is "{name}"', wanted)
    strange = next((c for c in name if unicodedata.category(c) in _UNPRINTABLE), None)
    if strange is not None:
        return Problem(path, f"holds the unprintable character U+{ord(strange):04X}", wanted)
    if name != name.strip():
        return Problem(path, "starts or ends with a space", wanted)
    size = len(name.encode("utf-8"))
    if size > MAX_NAME_BYTES:
        return Problem(path, f"is {size} bytes long", f"at most {MAX_NAME_BYTES} bytes")
    return None


def name_key(name: str) -> str:
    """Names with one key are one folder on some file systems: letter case and Unicode composition do not count."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
