"""Source text reduced to what is executed: no comments, no docstrings, no import lines, strings optionally blanked."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from dataclasses import dataclass

from judge.modules.graph.python.parse import too_big

_C_LIKE = re.compile(r"//[^\n]*|/\*.*?\*/|(\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)", re.DOTALL)
_HASH = re.compile(r"(?m)(?<![\w$&])#[^\n]*|(\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')")
_MARKUP = re.compile(r"<!--.*?-->", re.DOTALL)
_SQL = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
_HASH_SUFFIXES = (".py", ".ipynb", ".sh", ".bash", ".rb", ".r", ".jl", ".pl", ".yaml", ".yml", ".toml", ".ex", ".exs")


@dataclass(frozen=True, slots=True)
class CodeText:
    """Two forms of a source text, line for line as the original.

    Attributes:
        code: Without comments, docstrings, imports and the contents of strings.
        full: The same with strings kept.
    """

    code: str
    full: str

    def lines(self, first: int, last: int) -> CodeText:
        """The lines from ``first`` to ``last``, 1-based, inclusive."""
        return CodeText(
            "\n".join(self.code.split("\n")[first - 1 : last]), "\n".join(self.full.split("\n")[first - 1 : last])
        )


def code_text(source: str, path: str) -> CodeText:
    """Reduces a source text; text that does not parse is reduced by its comment syntax alone."""
    lower = path.lower()
    if lower.endswith((".py", ".ipynb")) and not too_big(source):
        try:
            return _python(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError):
            return _by_pattern(source, _HASH)
    if lower.endswith((".html", ".htm", ".vue", ".svelte", ".xml", ".svg", ".md")):
        text = _MARKUP.sub(_keep_lines, source)
        return CodeText(text, text)
    if lower.endswith(".sql"):
        text = _SQL.sub(_keep_lines, source)
        return CodeText(text, text)
    return _by_pattern(source, _HASH if lower.endswith(_HASH_SUFFIXES) else _C_LIKE)


def _keep_lines(match: re.Match[str]) -> str:
    return "\n" * match.group(0).count("\n")


def _by_pattern(source: str, pattern: re.Pattern[str]) -> CodeText:
    def without_comments(match: re.Match[str]) -> str:
        return match.group(1) or _keep_lines(match)

    def without_strings(match: re.Match[str]) -> str:
        quoted = match.group(1)
        return quoted[0] + "\n" * quoted.count("\n") + quoted[-1] if quoted else _keep_lines(match)

    return CodeText(pattern.sub(without_strings, source), pattern.sub(without_comments, source))


def _python(source: str) -> CodeText:
    tree = ast.parse(source)
    comments = _comment_ranges(source)
    bare, strings = _string_ranges(tree)
    lines = source.split("\n")
    full = _blank(lines, [*comments, *bare])
    code = _blank(lines, [*comments, *bare, *strings])
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for number in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                if ";" not in lines[number - 1]:
                    full[number - 1] = code[number - 1] = ""
    return CodeText("\n".join(code), "\n".join(full))


_Range = tuple[int, int, int, int, str]


def _comment_ranges(source: str) -> list[_Range]:
    return [
        (token.start[0], token.start[1], token.end[0], token.end[1], "")
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    ]


def _string_ranges(tree: ast.AST) -> tuple[list[_Range], list[_Range]]:
    """Ranges of strings that are statements of their own (docstrings), and of all others; columns in bytes."""
    bare: list[_Range] = []
    strings: list[_Range] = []
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Expr) and _is_string(node.value):
            bare.append(_range(node.value, "0"))
            continue
        if isinstance(node, ast.JoinedStr):
            inner = " ".join(ast.unparse(part.value) for part in node.values if isinstance(part, ast.FormattedValue))
            strings.append(_range(node, f"f'' ({inner})" if inner else "''"))
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
            strings.append(_range(node, "''"))
            continue
        stack.extend(ast.iter_child_nodes(node))
    return bare, strings


def _is_string(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)))


def _range(node: ast.expr, replacement: str) -> _Range:
    return (
        node.lineno,
        -node.col_offset - 1,
        node.end_lineno or node.lineno,
        -(node.end_col_offset or 0) - 1,
        replacement,
    )


def _blank(lines: list[str], ranges: list[_Range]) -> list[str]:
    """The lines with ranges replaced; a negative column is a byte offset, as ``ast`` counts them."""
    result = list(lines)
    originals = {
        number: lines[number - 1] for entry in ranges for number in (entry[0], entry[2]) if number <= len(lines)
    }

    def column(line: int, offset: int) -> int:
        if offset >= 0:
            return offset
        raw = originals[line]
        return -offset - 1 if raw.isascii() else len(raw.encode()[: -offset - 1].decode(errors="ignore"))

    resolved = sorted(
        ((first, column(first, start), last, column(last, end), new) for first, start, last, end, new in ranges),
        reverse=True,
    )
    for first, start, last, end, new in resolved:
        tail = result[last - 1][end:] if first != last else result[first - 1][end:]
        result[first - 1] = result[first - 1][:start] + new + tail
        for number in range(first + 1, last + 1):
            result[number - 1] = ""
    return result
