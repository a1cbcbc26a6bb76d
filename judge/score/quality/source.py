"""Reads untrusted source into a tree, within bounds and without running anything."""

from __future__ import annotations

import ast
import io
import tokenize
from dataclasses import dataclass

from judge.score.quality.walk import walk
from judge.score.quiet import MAX_BYTES, parse_source
from judge.text import one_line


@dataclass(frozen=True, slots=True)
class Source:
    """A file that could be parsed.

    Attributes:
        tree: Its syntax tree.
        code: Numbers of the lines that hold code: no blank line, no comment alone, no string that is a statement.
        lines: How many lines there are.
        text: The file, decoded.
    """

    tree: ast.Module
    code: frozenset[int]
    lines: int
    text: str


def read_source(data: bytes) -> Source | str:
    """The source, or why it cannot be parsed, one sentence.

    Args:
        data: The file; an encoding that it declares (PEP 263) is honoured.
    """
    if len(data) > MAX_BYTES:
        return f"the file is longer than {MAX_BYTES:,} bytes"
    if b"\0" in data:
        return "the file holds null bytes"
    try:
        tree = parse_source(data)
        text = _decode(data)
    except SyntaxError as error:
        place = f"line {error.lineno}: " if error.lineno else ""
        return f"{place}the file is no valid Python: {one_line(str(error.msg), 200)}"
    except (RecursionError, MemoryError):
        return "the file is nested too deeply to be parsed"
    except (ValueError, LookupError) as error:
        return f"the file cannot be read as Python: {one_line(str(error), 200)}"
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return Source(tree, _code_lines(tree, lines), len(lines), text)


def _decode(data: bytes) -> str:
    """Text with the line ends that Python counts, in the encoding that Python finds."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    return data.decode(encoding, "replace").replace("\r\n", "\n").replace("\r", "\n")


def _code_lines(tree: ast.Module, lines: list[str]) -> frozenset[int]:
    found = {number for number, line in enumerate(lines, start=1) if line.strip() and not line.lstrip().startswith("#")}
    for node in walk(tree):
        if isinstance(node, (ast.Constant, ast.JoinedStr)) and (node.end_lineno or 0) > node.lineno:
            found.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))  # '#' and blanks inside a string
    for node in walk(tree):
        if is_text(node):
            assert isinstance(node, ast.Expr)
            found.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return frozenset(found)


def is_text(node: ast.AST) -> bool:
    """Whether a statement is a string alone: a docstring, or a comment written as one."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
