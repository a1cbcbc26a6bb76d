"""Pieces of paths that may be unknown: combining them, a few possibilities at most.

Unknown parts are ``{}``; a path that starts at the folder of the code begins with a NUL character and that folder.
"""

from __future__ import annotations

import posixpath

from judge.modules.graph.raw import Raw

HOLE = "{}"
HERE = "\0"
MAX_VALUES = 6


def pairs(first: list[str], second: list[str]) -> list[tuple[str, str]]:
    """Every combination, a few at most."""
    return [(a, b) for a in first for b in second][:MAX_VALUES]


def product(first: list[str], second: list[str]) -> list[str]:
    """Every concatenation, a few at most."""
    return [f"{a}{b}"[:500] for a, b in pairs(first, second)]


def join(parts: tuple[str, str]) -> str:
    """Two parts of a path."""
    first, second = parts
    if second.startswith(HERE) or not first:
        return second
    return f"{first.rstrip('/')}/{second.lstrip('/')}"[:500]


def known(values: list[str]) -> list[str]:
    """Distinct values, without the unknown when something is known."""
    found = list(dict.fromkeys(values))
    sure = [text for text in found if text.strip("{}")]
    return (sure or found or [HOLE])[:MAX_VALUES]


def folder_of(raw: Raw) -> str:
    """The folder of a file, marked as a path from the root of the workspace."""
    return f"{HERE}{posixpath.dirname(raw.path) or '.'}"
