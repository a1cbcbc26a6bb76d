"""Whether a path written in code can name a workspace path."""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache

from judge.modules.graph.kinds import Exactness

HOLE = "{}"
ORDER = tuple(Exactness)


def match(pattern: str, path: str, code: str, *, anchored: bool = False, folder: bool = False) -> Exactness | None:
    """How a pattern names a workspace path, or None when it cannot.

    Args:
        pattern: The path in code, ``{}`` for unknown parts.
        path: The workspace path.
        code: Path of the file the pattern stands in.
        anchored: Whether the pattern surely starts at the workspace root.
        folder: Whether everything below the pattern counts.
    """
    if not pattern or not pattern.strip("{}/."):
        return None
    clean = posixpath.normpath(pattern)
    if HOLE in clean:
        return _match_holes(clean, path, folder or pattern.endswith("/"))
    if clean == path:
        return Exactness.EXACT
    for number, candidate in enumerate(_candidates(clean, code, anchored)):
        if candidate == path:
            return Exactness.EXACT if number == 0 else Exactness.CWD
        if (folder or pattern.endswith("/")) and path.startswith(candidate.rstrip("/") + "/"):
            return Exactness.FOLDER
    if not anchored and _is_tail(clean, path):
        return Exactness.CWD
    return None


@lru_cache(maxsize=4096)
def _candidates(clean: str, code: str, anchored: bool) -> tuple[str, ...]:
    """Workspace paths a pattern may mean: from the root, from the code's folder, from the folders above it."""
    if anchored or clean.startswith("/"):
        return (clean.lstrip("/"),)
    found = [clean]
    folder = posixpath.dirname(code)
    while folder:
        found.append(posixpath.normpath(posixpath.join(folder, clean)))
        folder = posixpath.dirname(folder)
    bare = clean
    while bare.startswith("../"):
        bare = bare[3:]
    found.append(bare)
    return tuple(item for item in dict.fromkeys(found) if not item.startswith("../"))


def _is_tail(clean: str, path: str) -> bool:
    """Whether one path is the end of the other: a run from a subfolder, or an absolute path on another machine."""
    if clean.startswith("/"):
        return clean.endswith(f"/{path}") and "/" in path
    while clean.startswith("../"):
        clean = clean[3:]
    return "/" in clean and path.endswith(f"/{clean}")


def _match_holes(clean: str, path: str, folder: bool) -> Exactness | None:
    if re.fullmatch(r"[{}/.*]*", clean):
        return None
    expression = _expression(clean)
    if expression.fullmatch(path) is None:
        if not folder:
            return None
        parent = posixpath.dirname(path)
        while parent and expression.fullmatch(parent) is None:
            parent = posixpath.dirname(parent)
        return Exactness.FOLDER if parent else None
    known = posixpath.splitext(clean)[0].replace(HOLE, "").strip("/._- ")
    return Exactness.PATTERN if known else Exactness.LOOSE


@lru_cache(maxsize=4096)
def _expression(clean: str) -> re.Pattern[str]:
    """The pattern as a regular expression; a leading unknown part may be any folders, others stay in one name."""
    while clean.startswith("../"):
        clean = clean[3:]
    leading = clean.startswith((HOLE, "/"))
    body = clean.lstrip("/")
    parts = re.split(r"(?:\{\})+", body)
    if body.startswith(HOLE):
        text = ".*" + "[^/]*".join(re.escape(part) for part in parts[1:])
        text = text.replace(".*/", "(?:.*/)?", 1) if parts[1:2] and parts[1].startswith("/") else text
    else:
        text = ("(?:.*/)?" if leading or "/" in body else "") + "[^/]*".join(re.escape(part) for part in parts)
    return re.compile(text, re.DOTALL)
