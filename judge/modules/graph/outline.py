"""A source file in brief, and single definitions in full."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge.modules.graph.facts import Body, CodeFile, Definition, DefKind

if TYPE_CHECKING:
    from judge.modules.graph.graph import WorkspaceGraph

_HEAD_LINES = 20
"""Lines over which the head of one definition may spread."""
_WIDEST = 200
_OPENING, _CLOSING = "([{", ")]}"


@dataclass(frozen=True, slots=True)
class Snippet:
    """The source of one definition.

    Attributes:
        path: Workspace path of its file.
        qualname: Its qualified name.
        kind: Class, function or method.
        signature: Its head on one line, without decorators.
        docstring: What it says of itself; empty when it says nothing.
        text: Its source, decorators included.
        line: First line, 1-based.
        end_line: Last line.
        reachable: Whether an entry point can get there.
    """

    path: str
    qualname: str
    kind: DefKind
    signature: str
    docstring: str
    text: str
    line: int
    end_line: int
    reachable: bool

    def numbered(self, most: int = 0) -> str:
        """The source with line numbers; of one longer than ``most`` lines the end is left out."""
        lines = self.text.split("\n")
        shown = lines[:most] if most else lines
        rows = [f"{number:>6}  {line}".rstrip() for number, line in enumerate(shown, self.line)]
        if len(shown) < len(lines):
            rows.append(f"        … {len(lines) - len(shown)} more lines")
        return "\n".join(rows)


def snippet(graph: WorkspaceGraph, path: str, symbol: str) -> Snippet:
    """The source of a definition.

    Args:
        graph: The workspace graph.
        path: Path of the file.
        symbol: Its qualified name, or its own name where that is clear.

    Raises:
        KeyError: There is no such file, or no such definition in it.
    """
    code = graph.files[path]
    item = find(code, symbol)
    lines = code.source.split("\n")
    return Snippet(
        path=path,
        qualname=item.qualname,
        kind=item.kind,
        signature=signature(item, lines),
        docstring=" ".join(item.docstring.split()),
        text="\n".join(lines[item.line - 1 : item.end_line]),
        line=item.line,
        end_line=item.end_line,
        reachable=item.reachable,
    )


def find(code: CodeFile, symbol: str) -> Definition:
    """A definition by its qualified name, ``qualname@line``, the end of it, or its own name; a later one wins.

    Raises:
        KeyError: The file has none.
    """
    name, _, line = symbol.partition("@")
    items = code.definitions[::-1]
    exact = (item for item in items if item.qualname == name and (not line or str(item.line) == line))
    found = next(exact, None) or next((item for item in items if item.qualname.endswith(f".{name}")), None)
    if found is None:
        raise KeyError(symbol)
    return found


def outline(code: CodeFile, *, signatures: bool = True) -> str:
    """Classes, functions and methods with their lines; stubs and what nothing reaches are marked.

    Args:
        code: The file.
        signatures: Heads as they are written, else names and parameters only.
    """
    lines = code.source.split("\n") if signatures else []
    shown = []
    for item in sorted(code.definitions, key=lambda item: (item.line, -item.end_line)):
        depth = item.qualname.count(".")
        head = signature(item, lines) if lines else _short(item)
        span = f"L{item.line}" if item.line == item.end_line else f"L{item.line}-{item.end_line}"
        shown.append(f"{'  ' * depth}{head}  [{', '.join([span, *marks(item)])}]")
    return "\n".join(shown)


def marks(item: Definition) -> list[str]:
    """What is remarkable about a definition: that it does nothing, that nothing reaches it."""
    found = [] if item.body is Body.REAL else [item.body.value]
    return found if item.reachable else [*found, "not reached"]


def _short(item: Definition) -> str:
    if item.kind is DefKind.CLASS:
        return f"class {item.name}({', '.join(item.bases)})" if item.bases else f"class {item.name}"
    return f"{item.name}({', '.join(item.parameters)})"


def signature(item: Definition, lines: list[str]) -> str:
    """The head of a definition on one line, as written; decorators and body left out."""
    last = min(item.end_line, len(lines), item.line + _HEAD_LINES)
    for number in range(item.line - 1, last):
        text = lines[number].strip()
        if item.name in text and not text.startswith(("@", "#", "//", "*", "/*")):
            return _head(lines[number : number + _HEAD_LINES])
    return _short(item)


def _head(lines: list[str]) -> str:
    """What is written until the brackets are closed, without the mark that opens the body."""
    depth, parts = 0, []
    for line in lines:
        depth += sum(char in _OPENING for char in line) - sum(char in _CLOSING for char in line)
        parts.append(line.strip())
        if depth <= 0 or line.rstrip().endswith("{"):
            break
    text = " ".join(part for part in parts if part).replace("( ", "(").replace(", )", ")").replace(" )", ")")
    if text.endswith(("{", ":")):
        text = text.rstrip("{: ")
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"
