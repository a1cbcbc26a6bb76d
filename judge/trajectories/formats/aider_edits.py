"""The edits in an answer of Aider: SEARCH/REPLACE blocks, whole files, unified diffs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

_WHOLE = re.compile(r"^(?P<path>[^\n`]{1,200})\n(?P<fence>`{3,})[^\n]*\n(?P<body>.*?)^(?P=fence)[ \t]*$", re.M | re.S)
_DIFF = re.compile(r"^```diff\n(?P<body>--- .*?)^```", re.M | re.S)
_BLOCK = re.compile(r"^<{5,9} ?SEARCH>?[^\n]*\n(?P<old>.*?)^={5,9}[^\n]*\n(?P<new>.*?)^>{5,9} ?REPLACE", re.M | re.S)


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit.

    Attributes:
        path: The file.
        tool: ``edit_file``, ``write_file`` or ``apply_patch``.
        arguments: As that tool would be called.
    """

    path: str
    tool: str
    arguments: dict[str, Any]


def find_edits(answer: str, applied: list[str]) -> list[Edit]:
    """The edits that an answer proposes.

    Args:
        answer: The model's text.
        applied: Files that the program says it changed: a whole file counts only when it is among them.
    """
    edits: list[Edit] = []
    path = ""
    for match in _BLOCK.finditer(answer):
        path = _path_before(answer, match.start()) or path
        if not path:
            continue
        if match["old"].strip():
            edits.append(Edit(path, "edit_file", {"path": path, "old_str": match["old"], "new_str": match["new"]}))
        else:
            edits.append(Edit(path, "write_file", {"path": path, "content": match["new"]}))
    if edits:
        return edits
    for match in _DIFF.finditer(answer):
        names = re.findall(r"^\+\+\+ (?:b/)?(\S+)", match["body"], re.M)
        edits.append(Edit(names[0] if names else "", "apply_patch", {"patch": match["body"]}))
    for match in _WHOLE.finditer(answer):
        name = _name(match["path"])
        if name in applied:
            edits.append(Edit(name, "write_file", {"path": name, "content": match["body"]}))
    return edits


def _path_before(answer: str, at: int) -> str:
    """The file's name on the line above a block, or above the fence that opens it."""
    lines = answer[max(0, at - 400) : at].rstrip("\n").split("\n")
    for line in reversed(lines[-3:]):
        if line.startswith(("`" * 3, "~~~")) and not line.strip("`").strip():
            continue
        if line.startswith("```"):
            inner = line.strip("`").strip()
            if "/" in inner or "." in inner:
                return _name(inner)
            continue
        return _name(line) if line.strip() and " " not in _name(line) else ""
    return ""


def _name(line: str) -> str:
    return line.strip().strip("*`#:").strip()
