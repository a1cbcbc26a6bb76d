"""The compact form in which an expression is kept after its syntax tree is gone.

An expression is a tuple whose first item is its operation:

==========================  =====================================================================
``("k", value)``            constant
``("n", name, seq, arms)``  name, read at position ``seq`` inside the branch arms ``arms``
``("a", base, attr)``       attribute
``("s", base, index)``      subscript
``("c", number)``           call, by its number in the module
``("j", parts)``            f-string
``("b", op, left, right)``  ``+``, ``/`` or ``%``
``("l", items)``            list, tuple or set
``("d", pairs)``            dictionary
``("?", choices)``          one of several (``x if c else y``, ``a or b``)
``("lc", element)``         list comprehension
``("dc", value)``           dictionary comprehension
``("f", body)``             lambda
``("o", operands)``         other arithmetic
``("it", iterable)``        one element of an iterable
``("i", value, index)``     item ``index`` of an unpacked value
``("p", index)``            parameter of the function at hand
``("new", annotation)``     some instance of an annotated type
``("m", module, name, level)``  import
``("def", scope)``          definition in the same module
``("u",)``                  unknown
==========================  =====================================================================
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from judge.modules.graph.facts import Body
from judge.modules.graph.python.comments import Span

Ir = tuple[Any, ...]
Arms = tuple[int, ...]

UNKNOWN: Ir = ("u",)
NONE: Ir = ("k", None)


class Binding(NamedTuple):
    """One assignment of a name: when, in which branch arms, to what; ``local`` ones are seen inside their arms only."""

    seq: int
    arms: Arms
    ir: Ir
    local: bool = False


@dataclass(slots=True, eq=False)
class RawCall:
    """One call expression before it is resolved."""

    func: Ir
    args: tuple[Ir, ...]
    keywords: tuple[tuple[str, Ir], ...]
    texts: tuple[str, ...]
    line: int
    end_line: int
    scope: int
    live: bool
    label: str = ""
    """Name that is called, as written."""
    external: str = ""
    """Dotted name of what is called, once it is known that it lies outside the workspace, whoever calls."""
    apart: bool = False
    """Whether also what it is a method or attribute of lies outside."""


@dataclass(slots=True, eq=False)
class RawImport:
    """One imported name before it is resolved; ``name`` is ``*`` for a star import."""

    module: str
    name: str
    alias: str
    level: int
    line: int
    scope: int
    live: bool


@dataclass(slots=True, eq=False)
class RawScope:
    """A module, class or function with everything bound and read in it."""

    index: int
    kind: str
    name: str
    qualname: str
    parent: int
    line: int
    end_line: int
    body: Body = Body.REAL
    docstring: str = ""
    live: bool = True
    """Whether the defining statement itself can run."""
    params: tuple[str, ...] = ()
    variadic: int = -1
    """Position of ``*args`` among the parameters, or -1."""
    defaults: dict[str, Ir] = field(default_factory=dict)
    annotations: dict[str, Ir] = field(default_factory=dict)
    decorators: tuple[Ir, ...] = ()
    bases: tuple[Ir, ...] = ()
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    attrs: dict[str, list[tuple[int, Ir]]] = field(default_factory=dict)
    """Of a class: what its methods assign to ``self.name``, with the method's scope."""
    returns: list[Ir] = field(default_factory=list)
    loads: dict[str, tuple[Ir, bool]] = field(default_factory=dict)
    """Names and attribute chains that are read, by their text; with whether some read is live."""
    fields: list[str] = field(default_factory=list)
    """Of a class: annotated names in order, as dataclasses count them."""
    children: list[int] = field(default_factory=list)
    flat: bool = True
    """Whether no function encloses it, so that a name it does not bind is one of the module."""
    dotted: bool = False
    """Whether attributes or items are bound in it, under names such as ``x.y`` and ``x['k']``."""
    registers: bool = False
    """Whether a function stores one of its arguments away, as a registering decorator does."""

    @property
    def is_static(self) -> bool:
        """Whether it is a method without self."""
        return any(item[0] == "n" and item[1] == "staticmethod" for item in self.decorators)

    @property
    def is_classmethod(self) -> bool:
        """Whether its first parameter is the class."""
        return any(item[0] == "n" and item[1] == "classmethod" for item in self.decorators)


@dataclass(slots=True, eq=False)
class RawModule:
    """Everything one file says, before any other file is looked at."""

    path: str
    index: int = 0
    source: str = ""
    scopes: list[RawScope] = field(default_factory=list)
    calls: list[RawCall] = field(default_factory=list)
    imports: list[RawImport] = field(default_factory=list)
    strings: list[tuple[str, int, int, bool]] = field(default_factory=list)
    """Text, line, scope, live."""
    names: dict[str, int] = field(default_factory=dict)
    remarks: list[tuple[int, str]] = field(default_factory=list)
    """Texts that stand alone as statements, with their lines."""
    spans: list[Span] = field(default_factory=list)
    """Where string literals stand that hold a ``#`` or several lines."""
    stars: list[RawImport] = field(default_factory=list)
    guard: int = 0
    """Line of ``if __name__ == "__main__"``, or 0."""
    work: list[int] = field(default_factory=list)
    """Lines of statements at module level that do something."""
    work_calls: list[int] = field(default_factory=list)
    """Calls in module-level assignments: work only if they call a workspace function."""
    arguments: dict[str, Ir] = field(default_factory=dict)
    """Defaults of command line arguments by destination."""
    error: str = ""
