"""Source text to one raw module; what does not parse is cut out and the rest kept."""

from __future__ import annotations

import ast
import re
import warnings

from judge.modules.graph.python.collect import Collector
from judge.modules.graph.python.ir import RawModule
from judge.modules.graph.python.recover import blank_errors, loose_chunks

_MARKS = ",(.=\n[:"
_MOST_MARKS = 150_000
"""More of them is more than a megabyte of code; its tree would need hundreds of megabytes."""
_DATA = re.compile(r"""(?:(?:[-+]?[0-9][0-9a-zA-Z_.]*+|"[^"\\\n]*+"|'[^'\\\n]*+')\s*+,\s*+){200,}+""")
"""A long run of literals: data that is kept in code."""


def parse_module(path: str, source: str) -> RawModule:
    """Parse one file; never raises for its content."""
    module = RawModule(path=path, source=source)
    tree, text, module.error = parse_tree(source)
    lines = text.split("\n")
    collector = Collector(module, lines)
    collector.run(tree)
    return module


def parse_tree(source: str) -> tuple[ast.Module, str, str]:
    """Syntax tree, the text it belongs to (same lines, broken parts blanked) and what was wrong."""
    if too_big(source):
        source = _DATA.sub(_blank, source)
        if too_big(source):
            return ast.Module(body=[], type_ignores=[]), source, "too big to be analysed"
    tree, error = _try_parse(source)
    if tree is not None:
        return tree, source, ""
    kept: list[tuple[int, str, ast.Module]] = []
    for text in (blank_errors(source), loose_chunks(source, lambda chunk: _try_parse(chunk)[0] is not None)):
        tree, _ = _try_parse(text)
        if tree is not None:
            kept.append((_substance(text), text, tree))
    if not kept:
        return ast.Module(body=[], type_ignores=[]), source, error
    _, text, tree = max(kept, key=lambda item: item[0])
    return tree, text, error


def syntax_problem(source: str) -> str:
    """Why a source does not parse, such as ``line 3: invalid syntax``; empty when it does, or is too big to tell."""
    return "" if too_big(source) else _try_parse(source)[1]


def too_big(source: str) -> bool:
    """Whether the tree of a source would need hundreds of megabytes, from a rough count of its nodes."""
    return sum(map(source.count, _MARKS)) > _MOST_MARKS


def _blank(match: re.Match[str]) -> str:
    """Nothing but the line ends, so that lines keep their numbers."""
    return "\n" * match[0].count("\n")


def _substance(text: str) -> int:
    """How much of a text is left."""
    return sum(len(line) for line in text.split("\n") if line.strip() not in {"", "pass"})


def _try_parse(source: str) -> tuple[ast.Module | None, str]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source), ""
    except SyntaxError as error:
        return None, f"line {error.lineno or 0}: {error.msg}"
    except (RecursionError, MemoryError):
        return None, "nested too deeply to be parsed"
    except ValueError as error:
        return None, str(error)
