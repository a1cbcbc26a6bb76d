"""A source file in brief, and single definitions in full."""

from __future__ import annotations

from typing import NamedTuple

from judge.modules.graph.facts import Body, CodeFile, Definition, DefKind


class Snippet(NamedTuple):
    """The source of one definition with its first and last line."""

    text: str
    line: int
    end_line: int


def outline(code: CodeFile, *, signatures: bool = True) -> str:
    """Classes, functions and methods with their lines; stubs and what nothing reaches are marked."""
    lines = code.source.split("\n") if signatures else []
    shown = []
    for item in sorted(code.definitions, key=lambda item: (item.line, -item.end_line)):
        depth = item.qualname.count(".")
        head = _signature(item, lines) if lines else _short(item)
        span = f"L{item.line}" if item.line == item.end_line else f"L{item.line}-{item.end_line}"
        marks = [f"{span}", *_marks(item)]
        shown.append(f"{'  ' * depth}{head}  [{', '.join(marks)}]")
    return "\n".join(shown)


def _marks(item: Definition) -> list[str]:
    marks = []
    if item.body is not Body.REAL:
        marks.append(item.body.value)
    if not item.reachable:
        marks.append("not reached")
    return marks


def _short(item: Definition) -> str:
    if item.kind is DefKind.CLASS:
        return f"class {item.name}({', '.join(item.bases)})" if item.bases else f"class {item.name}"
    return f"{item.name}({', '.join(item.parameters)})"


def _signature(item: Definition, lines: list[str]) -> str:
    """The line that names the definition, as written."""
    for number in range(item.line - 1, min(item.end_line, len(lines), item.line + 20)):
        text = lines[number].strip()
        if item.name in text and not text.startswith(("@", "#", "//")):
            return text.rstrip("{: ")[:160] if text.endswith(("{", ":")) else text[:160]
    return _short(item)


def snippet(code: CodeFile, qualname: str) -> Snippet:
    """The source of a definition, decorators included.

    Raises:
        KeyError: The file has no such definition.
    """
    for item in reversed(code.definitions):
        if item.qualname == qualname or item.name == qualname:
            lines = code.source.split("\n")[item.line - 1 : item.end_line]
            return Snippet("\n".join(lines), item.line, item.end_line)
    raise KeyError(qualname)
