"""Import statements that are told from their text: dotted names, groups in braces, renamed names."""

from __future__ import annotations

import re

_HEAD = re.compile(
    r"^(?:pub(?:\([^)]*\))?\s+|global\s+|export\s+)*(?:import|using|use|open|require)\s+"
    r"(?:static\s+|function\s+|const\s+|class\s+|struct\s+|enum\s+|protocol\s+|func\s+|let\s+|var\s+|typealias\s+|"
    r"given\s+|type\s+)?"
)
_RENAMED = re.compile(r"^(.*?)(?:\s+as\s+|\s*=>\s*)([\w`]+)$", re.DOTALL)
_ASSIGNED = re.compile(r"^(\w+)\s*=\s*(.+)$", re.DOTALL)
_WILD = frozenset({"*", "_", "given"})
MAX_NAMES = 200
MAX_DEPTH = 8

Use = tuple[str, str, str]
"""Module, name taken from it (empty for the module itself, ``*`` for all), and the name it is bound to."""


def split_use(text: str, language: str) -> list[Use]:
    """What an import statement brings in.

    Example:
        >>> split_use("use crate::util::{help, Thing as T};", "rust")
        [('crate.util', 'help', 'help'), ('crate.util', 'Thing', 'T')]
    """
    body = _HEAD.sub("", re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL).strip()).strip().rstrip(";").strip()
    if language == "julia":
        return _julia(body)
    if language == "csharp":
        return _csharp(body)
    if language == "swift":
        return [(body.split(".")[0], "", body.split(".")[0])] if body else []
    found: list[Use] = []
    for item in _flat(body, 0):
        found.append(_one(item, wild=language in {"java", "kotlin", "scala", "rust"}))
        if len(found) >= MAX_NAMES:
            break
    return [use for use in found if use[0]]


def _flat(text: str, depth: int) -> list[str]:
    """A group in braces written out."""
    text = text.strip().lstrip("\\")
    opening = text.find("{")
    if opening < 0 or depth > MAX_DEPTH:
        return [part.strip() for part in _top_level(text)] if "," in text else [text]
    if not text.endswith("}"):
        pieces = _top_level(text)
        return [item for piece in pieces for item in _flat(piece, depth + 1)] if len(pieces) > 1 else [text[:opening]]
    if len(_top_level(text)) > 1:
        return [item for piece in _top_level(text) for item in _flat(piece, depth + 1)]
    prefix = text[:opening]
    return [prefix + item for piece in _top_level(text[opening + 1 : -1]) for item in _flat(piece, depth + 1)]


def _top_level(text: str) -> list[str]:
    """The parts between commas that stand in no braces."""
    found, depth, start = [], 0, 0
    for position, char in enumerate(text):
        if char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
        elif char == "," and depth == 0:
            found.append(text[start:position])
            start = position + 1
    found.append(text[start:])
    return [part for part in found if part.strip()]


def _one(item: str, *, wild: bool) -> Use:
    renamed = _RENAMED.match(item)
    alias = renamed.group(2) if renamed else ""
    dotted = re.sub(r"::|\\|/", ".", renamed.group(1) if renamed else item)
    dotted = re.sub(r"[\s`]+", "", dotted).strip(".")
    module, _, name = dotted.rpartition(".")
    if name == "self":
        last = module.rpartition(".")
        return last[0] or module, last[2] if last[0] else "", alias or last[2]
    if wild and name in _WILD:
        return module, "*", ""
    if not module:
        return dotted, "", alias or dotted
    return module, name, alias or name


def _julia(body: str) -> list[Use]:
    head, colon, names = body.partition(":")
    if not colon:
        modules = [part.strip() for part in body.split(",") if part.strip()]
        return [(module, "", module.rpartition(".")[2]) for module in modules[:MAX_NAMES]]
    found = []
    for part in names.split(","):
        name, _, alias = part.strip().partition(" as ")
        found.append((head.strip(), name.strip(), alias.strip() or name.strip()))
    return found[:MAX_NAMES]


def _csharp(body: str) -> list[Use]:
    named = _ASSIGNED.match(body)
    if named:
        module, _, name = named.group(2).strip().rpartition(".")
        return [(module or name, name if module else "", named.group(1))]
    return [(re.sub(r"\s+", "", body), "*", "")]
