"""What frameworks call by themselves, by the table in ``hooks.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_EVERY = "*"


@dataclass(frozen=True, slots=True)
class Hooks:
    """The table of framework conventions."""

    methods: Mapping[str, frozenset[str]]
    registering: frozenset[str]
    neutral: frozenset[str]
    applications: frozenset[str]
    django: frozenset[str]

    def called(self, bases: Sequence[str], method: str) -> bool:
        """Whether a framework calls a method of a class with these external bases."""
        for base in bases:
            known = self.methods.get(base.rsplit(".", 1)[-1].replace("()", ""))
            if known is None:
                return not method.startswith("_")
            if _EVERY in known or method in known:
                return True
        return False


@cache
def hooks() -> Hooks:
    """The table, read once."""
    data = tomllib.loads((files("judge.modules.graph.python") / "hooks.toml").read_text(encoding="utf-8"))
    return Hooks(
        methods={name: frozenset(methods) for name, methods in data["methods"].items()},
        registering=frozenset(data["decorators"]["registering"]),
        neutral=frozenset(data["decorators"]["neutral"]),
        applications=frozenset(data["applications"]["objects"]),
        django=frozenset(data["applications"]["django"]),
    )
