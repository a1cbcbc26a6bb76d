"""Texts of a suite that name something else: ``file.py:function``, properties, patterns, exceptions, strategies."""

from __future__ import annotations

import ast
import builtins
import re
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from judge.errors import InputError
from judge.near import did_you_mean
from judge.score.compare.properties import PROPERTIES
from judge.score.compare.relations import RELATION_NAMES, relation
from judge.score.quiet import warned
from judge.score.suite.construct import Constructed
from judge.score.suite.files import Missing, SuiteFiles, top_level

_Path = tuple[str | int, ...]
_EXCEPTION = re.compile(r"[A-Za-z_][\w.]*(?:\s*\|\s*[A-Za-z_][\w.]*)*")
_VERSION = re.compile(
    r"(?:>=|<=|==|!=|~=|<|>)\s*\d+(?:\.\d+)*(?:\.\*)?(?:\s*,\s*(?:>=|<=|==|!=|~=|<|>)\s*\d+(?:\.\d+)*(?:\.\*)?)*"
)


def split_reference(text: str) -> tuple[str, str] | None:
    """``file.py:function`` as its two parts; None when it is no such text."""
    file, colon, name = text.rpartition(":")
    return (file, name) if colon and file.endswith(".py") and name.isidentifier() else None


def file_name(document: Constructed, path: _Path, files: SuiteFiles, file: Any, entry: Any, at: _Path = ()) -> None:
    """Adds a problem where ``file`` cannot be used or does not define ``entry``."""
    if not isinstance(file, str):
        return
    try:
        names = top_level(files.tree(file))
    except Missing as error:
        document.problem(path, str(error))
        return
    if not isinstance(entry, str) or not entry or entry in names.known or names.open:
        return
    document.problem(at or path, f"{file} defines no {entry!r}", did_you_mean(entry, names.known))


def reference_text(document: Constructed, path: _Path, files: SuiteFiles, text: Any) -> None:
    """Checks a ``file.py:function``."""
    if not isinstance(text, str):
        return
    parts = split_reference(text)
    if parts is None:
        document.problem(path, f"expects file.py:function, not {text[:60]!r}")
    else:
        file_name(document, path, files, *parts)


def property_texts(document: Constructed, path: _Path, files: SuiteFiles, names: Any) -> None:
    """Checks a list of properties."""
    for index, name in enumerate(names if isinstance(names, list) else []):
        if not isinstance(name, str) or name in PROPERTIES or relation(name) is not None:
            continue
        if ".py" in name:
            reference_text(document, (*path, index), files, name)
            continue
        known = [*PROPERTIES, *RELATION_NAMES]
        hint = did_you_mean(name, known, f"known are {', '.join(known)}, or file.py:function")
        document.problem((*path, index), f"there is no property {name[:60]!r}", hint)


def pattern(document: Constructed, path: _Path, text: Any) -> None:
    """Checks a regular expression."""
    if not isinstance(text, str):
        return
    try:
        with warned("error"):
            re.compile(text)
    except (re.error, RecursionError, OverflowError, MemoryError, Warning) as error:
        document.problem(path, f"is no regular expression: {error}")


def exception(document: Constructed, path: _Path, text: Any) -> None:
    """Checks the name of an exception; a builtin must be one."""
    if not isinstance(text, str) or not text:
        return
    if not _EXCEPTION.fullmatch(text):
        document.problem(path, f"expects the name of an exception such as ValueError, not {text[:60]!r}")
        return
    for name in (part.strip() for part in text.split("|")):
        known = getattr(builtins, name, None)
        if known is not None and not (isinstance(known, type) and issubclass(known, BaseException)):
            document.problem(path, f"{name} is no exception")
        elif known is None and "." not in name and (close := _builtin_exception_like(name)):
            document.note(path, f"{name} is no exception of Python's own: did you mean {close}?")


@lru_cache(maxsize=256)
def _builtin_exception_like(name: str) -> str:
    errors = [key for key, kind in vars(builtins).items() if isinstance(kind, type) and issubclass(kind, BaseException)]
    return next(iter(get_close_matches(name[:60], errors, n=1, cutoff=0.85)), "")


def version(document: Constructed, path: _Path, text: Any) -> None:
    """Checks what versions of Python are asked for."""
    if isinstance(text, str) and not _VERSION.fullmatch(text.strip()):
        document.problem(path, f"expects versions such as >=3.10 or >=3.10,<3.14, not {text[:60]!r}")


def condition(document: Constructed, path: _Path, text: Any, known: list[str] | None) -> None:
    """Checks an expression over the parameters."""
    if not isinstance(text, str):
        return
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        document.problem(path, f"is no condition: {str(error)[:80]}")
        return
    if known is None:
        return
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    own = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    own |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    for name in sorted({node.id for node in names} - own - set(known)):
        if not hasattr(builtins, name):
            hint = did_you_mean(name, known, f"parameters are {', '.join(known)}")
            document.problem(path, f"{name!r} is no parameter", hint)


def strategy(document: Constructed, path: _Path, text: Any) -> None:
    """Checks the text of a Hypothesis strategy."""
    if not isinstance(text, str):
        return
    from judge.score.edge.domain import parse_domain

    try:
        parse_domain(text)
    except InputError as error:
        document.problem(path, error.what, error.hint or "such as lists(integers(-50, 50), max_size=50)")
