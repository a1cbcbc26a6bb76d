"""Docstrings: half for one that is there, a quarter for a first line that says something, a quarter for the details.

Details are the parameters, when there are any, and the exceptions that are raised by name in the function itself; each
must be mentioned. Private helpers, special methods, setters and overloads need none.
"""

from __future__ import annotations

import ast
import re

from judge.score.quality.hints import of_callers
from judge.score.quality.mark import Mark
from judge.score.quality.units import FUNCTION, Function, Unit, Units, decorator_name

_WORD = re.compile(r"[^\W\d_]+")
_EMPTY = frozenset({"todo", "fixme", "xxx", "docstring", "description", "summary", "function", "method", "class"})
_EXEMPT = frozenset({"setter", "deleter", "override", "overload"})
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ARTICLES = frozenset({"a", "i"})


def judge_docstrings(units: Units) -> list[Mark]:
    """The marks of all functions and classes that need a docstring; of the module, when it holds neither."""
    needed = [unit for unit in (*units.functions, *units.classes) if _needs(unit)]
    if not needed:  # all is private: then nothing is let off
        needed = [*units.functions, *units.classes]
    if not needed:
        return [_mark(units.module, "the module")]
    return [_mark(unit, f"'{unit.name}'") for unit in sorted(needed, key=lambda unit: unit.line)]


def _needs(unit: Unit) -> bool:
    if isinstance(unit.node, FUNCTION) and _EXEMPT & {decorator_name(item) for item in unit.node.decorator_list}:
        return False
    special = unit.short.startswith("__") and unit.short.endswith("__")
    return (unit.public and not special) or unit.entry


def _mark(unit: Unit, shown: str) -> Mark:
    node = unit.node
    text = ""
    if isinstance(node, (*FUNCTION, ast.ClassDef, ast.Module)):
        text = (ast.get_docstring(node, clean=False) or "").strip()
    if not text:
        return Mark(0.0, (f"line {unit.line}: {shown} has no docstring",))
    value = 0.5
    reasons = []
    if _says_something(text.split("\n", 1)[0], unit.short):
        value += 0.25
    else:
        reasons.append(f"line {unit.line}: the first line of the docstring of {shown} says nothing")
    due = _due(node, unit.method) if isinstance(node, FUNCTION) else []
    missing = [name for name in due if not _mentions(text, name)]
    value += 0.25 * (1 - len(missing) / len(due)) if due else 0.25
    if missing:
        names = ", ".join(name[:40] for name in missing[:8])
        reasons.append(f"line {unit.line}: the docstring of {shown} does not mention {names}")
    return Mark(value, tuple(reasons))


def _says_something(line: str, name: str) -> bool:
    """At least three words of which one is new, not only the name of the function in other letters."""
    if _CJK.search(line):
        return len(_CJK.findall(line)) >= 4
    words = [word.lower() for word in _WORD.findall(line)]
    spaced = re.sub(r"([a-z])([A-Z])", r"\1 \2", name)
    known = {word.lower() for word in _WORD.findall(spaced.replace("_", " "))} | _EMPTY | {"the", "a", "an", "this"}
    return len(words) >= 3 and any(word not in known for word in words)


def _due(node: Function, method: bool) -> list[str]:
    """What the docstring should mention: parameters, then the exceptions."""
    names = [item.arg for item in of_callers(node, method=method) if not item.arg.startswith("_")]
    raised = []
    waiting: list[ast.AST] = list(node.body)
    while waiting:
        item = waiting.pop()
        if isinstance(item, (*FUNCTION, ast.ClassDef, ast.Lambda)):
            continue
        if isinstance(item, ast.Raise) and item.exc is not None:
            target = item.exc.func if isinstance(item.exc, ast.Call) else item.exc
            if isinstance(target, ast.Name) and target.id[:1].isupper():
                raised.append(target.id)
        waiting += ast.iter_child_nodes(item)
    return [*names, *sorted(set(raised) - {"NotImplementedError", "AssertionError"})]


def _mentions(text: str, name: str) -> bool:
    word = re.escape(name)
    if name.lower() in _ARTICLES:  # a word of its own: only marked as a name it counts
        return re.search(rf"[`'\"*]{word}[`'\"*]|(?m:^\s*{word}\s*[:(])|:\w+ (?:\w+ )?{word}:", text) is not None
    return re.search(rf"(?<!\w){word}(?!\w)", text) is not None
