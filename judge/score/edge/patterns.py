"""Regular expressions of domains: which can be drawn from without end of time or size."""

from __future__ import annotations

import importlib
import re
from typing import TYPE_CHECKING, Any

from judge.score.edge.literals import Unreadable
from judge.score.quiet import warned

if TYPE_CHECKING:
    import ast

_MOST_PATTERN = 500
_MOST_REPEATS = 200
_MOST_DEPTH = 30


def check_pattern(pattern: str, node: ast.AST) -> None:
    """Refuses a pattern that is wrong, huge, or may take for ever to match.

    Raises:
        Unreadable: It is.
    """
    if len(pattern) > _MOST_PATTERN:
        raise Unreadable(f"the pattern is longer than {_MOST_PATTERN} characters", node)
    try:
        with warned():
            re.compile(pattern)
            # The parser of `re` is the only reader of patterns that agrees with it.
            tree = importlib.import_module("re._parser").parse(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise Unreadable(f"the pattern is wrong: {error}", node) from None
    _walk(tree, node, repeated=False, depth=0)


def _walk(part: Any, node: ast.AST, *, repeated: bool, depth: int) -> None:
    """Follows the parsed form; ``repeated`` says that this part alone is what a repetition without end repeats."""
    if depth > _MOST_DEPTH:
        raise Unreadable("the pattern is nested too deeply", node)
    for operator, argument in part:
        inside = repeated and len(part) == 1
        if str(operator) in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            low, high, _ = argument
            if low > _MOST_REPEATS:
                raise Unreadable(f"the pattern repeats more than {_MOST_REPEATS} times", node)
            if high > _MOST_REPEATS:
                if inside:
                    raise Unreadable("a repetition without end repeats another one, as in (a+)+", node)
                inside = True
        for inner in _parts(argument):
            _walk(inner, node, repeated=inside, depth=depth + 1)


def _parts(argument: Any) -> list[Any]:
    """The sub-patterns within an argument of the parsed form."""
    if type(argument).__name__ == "SubPattern":
        return [argument]
    if isinstance(argument, list | tuple):
        return [part for item in argument for part in _parts(item)]
    return []
