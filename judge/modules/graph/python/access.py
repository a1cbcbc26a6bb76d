"""Which files a call reads, writes or shows, by the table in ``access.toml``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

_LIKE_PATH = re.compile(r"(?s)^(?!.*\n)(?!https?:)(.*/.*|.*\.[A-Za-z][A-Za-z0-9]{0,7}|.*_dir|.*_model)$")
_CANONICAL = (
    ("tensorflow.keras.", "keras."),
    ("tensorflow.python.keras.", "keras."),
    ("pylab.", "matplotlib.pyplot."),
)


@dataclass(frozen=True, slots=True)
class Rule:
    """One group of library calls; see ``access.toml`` for the fields."""

    access: str
    owners: tuple[str, ...]
    path: int = 0
    keywords: tuple[str, ...] = ()
    content: int | None = None
    mode: int = -1
    likely: bool = False
    folder: bool = False
    suffix: str = ""
    handle: bool = False

    def owns(self, target: str, name: str) -> bool:
        """Whether the target belongs to one of the owners."""
        if target == name:
            return "" in self.owners
        owner = target[: -len(name)].rstrip(".")
        return any(one == "*" or _starts(owner, one) for one in self.owners if one)


def _starts(owner: str, prefix: str) -> bool:
    return owner.startswith(prefix) and (len(owner) == len(prefix) or owner[len(prefix)] in ".(")


@cache
def access_rules() -> Mapping[str, tuple[Rule, ...]]:
    """The rules by the last part of the call target."""
    text = (files("judge.modules.graph.python") / "access.toml").read_text(encoding="utf-8")
    table: dict[str, list[Rule]] = {}
    for entry in tomllib.loads(text)["rule"]:
        rule = _rule(entry)
        for name in entry["names"]:
            table.setdefault(name, []).append(rule)
    return {name: tuple(rules) for name, rules in table.items()}


def _rule(entry: dict[str, Any]) -> Rule:
    fields = {key: value for key, value in entry.items() if key != "names"}
    for key in ("owners", "keywords"):
        fields[key] = tuple(fields.get(key, ()))
    return Rule(**fields)


def matching(target: str, name: str) -> list[Rule]:
    """The rules for a call target, those with the most particular owners first."""
    for old, new in _CANONICAL:
        if target.startswith(old):
            target = new + target[len(old) :]
    found = [rule for rule in access_rules().get(name, ()) if rule.owns(target, name)]
    if len(found) > 1:
        found.sort(key=lambda rule: -_closeness(rule, target))
    return found


def _closeness(rule: Rule, target: str) -> int:
    return max((len(owner) for owner in rule.owners if owner not in "*?" and _starts(target, owner)), default=0)


def looks_like_path(text: str) -> bool:
    """Whether a text could be a file or folder name."""
    return 0 < len(text) < 400 and _LIKE_PATH.match(text) is not None
