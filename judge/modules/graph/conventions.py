"""What is usual in a family of languages, by the tables in ``tables/``: paths, files, entry points, tests.

Fields of a table (all optional): ``whole`` (compiled as a whole, so that a file does nothing by being there), ``named``
(what stands between a named argument and its value), ``holes`` (patterns of computed parts inside strings), restricted
by ``hole_quotes`` or ``hole_prefix``, ``concat`` and ``join_operators`` (operators), ``join``, ``same``, ``format``,
``concat_functions``, ``default`` (functions that build a path; the last one gives its argument number ``default_at``
when nothing is set), ``join_methods``, ``same_methods``, ``concat_methods``, ``format_methods`` (methods of a path),
``here`` (what denotes the folder of the code), ``main``, ``main_bases``, ``main_files``, ``main_packages`` (what runs),
``implicit`` (methods that runtimes call), ``private``, ``hooks`` (names that need no caller), ``neutral`` (annotations
that do not register), ``framework_bases``, ``tests`` (paths), ``test_names``, ``test_decorators``, ``includes`` (calls
that load another file), and ``[[access]]`` rules.

An access rule: ``access`` (reads, writes, displays, or opens, where the argument ``mode`` decides; -2 means that the
callee's own text tells), ``names`` (last part of the callee), ``owners`` (what stands before it: ``""`` nothing, ``*``
anything, else the end of it; a trailing ``*`` leaves the end open), ``path`` (argument; -1 the receiver, 97 the last
word, 98 every word, 99 none but ``keywords`` or the words after ``flags``), ``content``, ``likely`` (only when the
argument looks like a path), ``folder``, ``blind`` (counts without a path), ``strip`` (prefix that is no part of it).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

RECEIVER, LAST, EVERY, NONE = -1, 97, 98, 99


@dataclass(frozen=True, slots=True)
class AccessRule:
    """One group of calls that take their path in the same way."""

    access: str
    owners: tuple[str, ...] = ("*",)
    path: int = 0
    keywords: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    content: int | None = None
    mode: int | None = None
    likely: bool = False
    folder: bool = False
    blind: bool = False
    strip: str = ""

    def owns(self, owner: str) -> bool:
        """Whether what stands before the name fits."""
        return any(_fits(owner, one) for one in self.owners)


@dataclass(frozen=True, slots=True)
class Conventions:
    """The table of one family; see the module for the fields."""

    whole: bool = False
    shell: bool = False
    named: tuple[str, ...] = ()
    hole: re.Pattern[str] | None = None
    hole_quotes: str = ""
    hole_prefix: str = ""
    concat: frozenset[str] = frozenset()
    juxtaposed: bool = False
    join_operators: frozenset[str] = frozenset()
    join: tuple[str, ...] = ()
    same: tuple[str, ...] = ()
    format: tuple[str, ...] = ()
    concat_functions: tuple[str, ...] = ()
    spaced_functions: tuple[str, ...] = ()
    default: tuple[str, ...] = ()
    default_at: int = 1
    join_methods: frozenset[str] = frozenset()
    same_methods: frozenset[str] = frozenset()
    concat_methods: frozenset[str] = frozenset()
    here: frozenset[str] = frozenset()
    main: frozenset[str] = frozenset()
    main_bases: frozenset[str] = frozenset()
    main_files: re.Pattern[str] | None = None
    main_packages: frozenset[str] = frozenset()
    implicit: frozenset[str] = frozenset()
    private: re.Pattern[str] | None = None
    hooks: re.Pattern[str] | None = None
    neutral: frozenset[str] = frozenset()
    framework_bases: re.Pattern[str] | None = None
    tests: re.Pattern[str] | None = None
    test_names: re.Pattern[str] | None = None
    test_decorators: frozenset[str] = frozenset()
    includes: Mapping[str, str] = field(default_factory=dict)
    access: Mapping[str, tuple[AccessRule, ...]] = field(default_factory=dict)

    def __hash__(self) -> int:
        return id(self)


_SETS = frozenset(
    "concat join_operators join_methods same_methods concat_methods here main main_bases main_packages implicit "
    "neutral test_decorators".split()
)
_PATTERNS = frozenset("main_files private hooks framework_bases tests test_names".split())
_TUPLES = frozenset("named join same format concat_functions spaced_functions default".split())


@cache
def conventions(family: str) -> Conventions:
    """The table of a family; an empty one for a family that has none."""
    place = files("judge.modules.graph") / "tables" / f"{family}.toml"
    if not place.is_file():
        return Conventions()
    data = tomllib.loads(place.read_text(encoding="utf-8"))
    known: dict[str, Any] = {"access": _access(data.get("access", ()))}
    if data.get("holes"):
        known["hole"] = re.compile("|".join(data["holes"]))
    for name in ("whole", "shell", "hole_quotes", "hole_prefix", "juxtaposed", "default_at", "includes"):
        if name in data:
            known[name] = data[name]
    known.update({name: frozenset(data[name]) for name in _SETS & data.keys()})
    known.update({name: re.compile(data[name]) for name in _PATTERNS & data.keys()})
    known.update({name: tuple(data[name]) for name in _TUPLES & data.keys()})
    return Conventions(**known)


def _access(entries: list[dict[str, Any]]) -> Mapping[str, tuple[AccessRule, ...]]:
    table: dict[str, list[AccessRule]] = {}
    for entry in entries:
        fields: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()
        }
        names = fields.pop("names")
        rule = AccessRule(**fields)
        for name in names:
            table.setdefault(name, []).append(rule)
    return {name: tuple(rules) for name, rules in table.items()}


def _fits(owner: str, one: str) -> bool:
    if one in {"", "*"}:
        return one == "*" or not owner
    if one.startswith("*"):
        return one[1:] in f".{owner}"
    if one.endswith("*"):
        return owner.startswith(one[:-1])
    return owner == one or owner.endswith(f".{one}")
