"""Cuts unparsable statements out of a source text, so that the rest still parses with the same line numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_ERRORS = 200
_BLOCKS = frozenset({"module", "block"})


def blank_errors(source: str) -> str:
    """Replace the smallest statements around syntax errors by ``pass``."""
    try:
        import tree_sitter_python
        from tree_sitter import Language, Parser
    except ImportError:
        return source
    data = source.encode("utf-8", "surrogatepass")
    root = Parser(Language(tree_sitter_python.language())).parse(data).root_node
    lines = source.split("\n")
    for node in _errors(root):
        first, last = _statement_rows(node)
        _blank(lines, first, last)
    return "\n".join(lines)


def _errors(root: Node) -> list[Node]:
    """Outermost ERROR and missing nodes, found without recursion."""
    found: list[Node] = []
    stack = [root]
    while stack and len(found) < MAX_ERRORS:
        node = stack.pop()
        if node.is_missing or (node.type == "ERROR" and node.parent is not None):
            found.append(node)
        elif node.has_error:
            stack.extend(node.children)
    return found


def _statement_rows(node: Node) -> tuple[int, int]:
    """First and last row of the statement that holds a node."""
    current = node
    while current.parent is not None and current.parent.type not in _BLOCKS:
        current = current.parent
    if current.parent is None or current.type in {"class_definition", "function_definition", "decorated_definition"}:
        current = node
    return current.start_point[0], max(current.start_point[0], current.end_point[0] - (current.end_point[1] == 0))


def _blank(lines: list[str], first: int, last: int) -> None:
    for row in range(first, min(last + 1, len(lines))):
        text = lines[row]
        indent = text[: len(text) - len(text.lstrip())]
        lines[row] = f"{indent}pass" if row == first and text.strip() else ""


def loose_chunks(source: str, parses: Callable[[str], bool]) -> str:
    """Keep those top-level chunks (from one unindented line to the next) that parse alone; blank the others."""
    lines = source.replace("\0", "\ufffd").split("\n")
    starts = [row for row, text in enumerate(lines) if _starts_chunk(text)]
    kept = [""] * len(lines)
    for number, start in enumerate(starts[:5000]):
        stop = starts[number + 1] if number + 1 < len(starts) else len(lines)
        chunk = lines[start:stop]
        if parses("\n".join(chunk)):
            kept[start:stop] = chunk
        else:
            kept[start:stop] = _mend(chunk, parses)
    return "\n".join(kept)


def _starts_chunk(text: str) -> bool:
    """Whether a line begins a new top-level statement (a continuation such as ``else:`` does not)."""
    if not text or text[0] in " \t)]}#\r":
        return False
    return not text.startswith(("else", "elif", "except", "finally"))


def _mend(chunk: list[str], parses: Callable[[str], bool]) -> list[str]:
    """What can be kept of a broken chunk: all but its broken statements, else its longest good beginning."""
    text = "\n".join(chunk)
    blanked = blank_errors(text)
    if blanked != text and parses(blanked):
        return blanked.split("\n")
    low, high = 0, len(chunk)
    while high - low > 1:
        middle = (low + high) // 2
        if parses("\n".join(chunk[:middle])):
            low = middle
        else:
            high = middle
    good = chunk[:low] if low and parses("\n".join(chunk[:low])) else []
    return good + [""] * (len(chunk) - len(good))
