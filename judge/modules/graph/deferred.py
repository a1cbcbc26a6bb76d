"""Source files whose details are worked out when somebody asks for them.

The graph needs definitions, imports, file accesses and who calls whom. Arguments of calls, strings, comments and
assigned values are many times as much, and most files are never asked for them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, NamedTuple

from judge.modules.graph.facts import CodeFile


class Link(NamedTuple):
    """One call as far as the graph shows it.

    Attributes:
        scope: Qualified name of the enclosing definition, empty at module level.
        line: 1-based.
        resolved: Node id of the workspace definition called, or empty.
        target: Dotted name of an external thing called, or empty.
        reachable: Whether some entry point gets there.
    """

    scope: str
    line: int
    resolved: str
    target: str
    reachable: bool = True


class Lead(NamedTuple):
    """One call of a workspace definition.

    Attributes:
        line: 1-based.
        resolved: Node id of the definition.
        reachable: Whether some entry point gets there.
    """

    line: int
    resolved: str
    reachable: bool


class _Later:
    """A field that is loaded at its first read."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, code: DeferredCode | None, _: type | None = None) -> Any:
        if code is None:
            return self
        known = code.known
        if self.name not in known:
            known[self.name] = code.load(self.name)
        return known[self.name]

    def __set__(self, code: DeferredCode, value: object) -> None:
        code.known[self.name] = value


class DeferredCode(CodeFile):
    """Facts of a file of which some are not known yet; made by :func:`defer`.

    Attributes:
        known: What is known, by field.
        load: Gives a field that is not known.
        links: Its calls that the graph shows.
        runs: Whether anything at its module level or in its definitions is reached.
    """

    __slots__ = ("known", "links", "load", "runs")
    known: dict[str, Any]
    load: Callable[[str], Any]
    links: tuple[Link, ...]
    runs: bool


for _field in fields(CodeFile):
    setattr(DeferredCode, _field.name, _Later(_field.name))


def leads(code: CodeFile) -> tuple[Lead, ...]:
    """The calls of a file that lead to definitions of the workspace."""
    calls = code.links if isinstance(code, DeferredCode) else code.calls
    return tuple([Lead(call.line, call.resolved, call.reachable) for call in calls if call.resolved])


def defer(
    known: dict[str, Any], load: Callable[[str], Any], links: tuple[Link, ...] = (), *, runs: bool = False
) -> DeferredCode:
    """A file of which only some facts are known.

    Args:
        known: Facts by field.
        load: Called once for each other field.
        links: Its calls that the graph shows.
        runs: Whether anything of it is reached.
    """
    code = DeferredCode.__new__(DeferredCode)
    for name, value in (("known", known), ("load", load), ("links", links), ("runs", runs)):
        object.__setattr__(code, name, value)
    return code
