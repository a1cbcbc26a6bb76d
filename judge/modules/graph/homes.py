"""Where names are defined: indexes, so that every question takes the same time in any workspace."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from judge.modules.graph.facts import DefKind
from judge.modules.graph.raw import Raw, RawDef

Home = tuple[Raw, RawDef]


class Homes:
    """Definitions by name, each list in the order of the files.

    Attributes:
        named: By family and name.
        plain: The same without methods.
        top: The same, only those that stand in nothing else.
        methods: Methods by family and name.
        classes: Classes by family and name.
        owned: By family, name and the class they belong to.
        members: What is no class, by family and the class it belongs to.
    """

    def __init__(self, raws: Iterable[Raw], family: Callable[[Raw], str]) -> None:
        self.named: dict[tuple[str, str], list[Home]] = {}
        self.plain: dict[tuple[str, str], list[Home]] = {}
        self.top: dict[tuple[str, str], list[Home]] = {}
        self.methods: dict[tuple[str, str], list[Home]] = {}
        self.classes: dict[tuple[str, str], list[Home]] = {}
        self.owned: dict[tuple[str, str, str], list[Home]] = {}
        self.members: dict[tuple[str, str], list[Home]] = {}
        for raw in raws:
            group = family(raw)
            for item in raw.definitions:
                self._add(group, (raw, item))

    def _add(self, family: str, home: Home) -> None:
        item = home[1]
        key = (family, item.name)
        outer = owner_of(item)
        self.named.setdefault(key, []).append(home)
        if item.kind is DefKind.METHOD:
            self.methods.setdefault(key, []).append(home)
        else:
            self.plain.setdefault(key, []).append(home)
            if "." not in item.qualname:
                self.top.setdefault(key, []).append(home)
        if item.kind is DefKind.CLASS:
            self.classes.setdefault(key, []).append(home)
        if outer:
            self.owned.setdefault((family, item.name, outer), []).append(home)
            if item.kind is not DefKind.CLASS:
                self.members.setdefault((family, outer), []).append(home)


def owner_of(item: RawDef) -> str:
    """The last name of what a definition stands in."""
    return item.qualname.rpartition(".")[0].rpartition(".")[2]


def among(homes: list[Home], paths: Mapping[str, object] | tuple[str, ...]) -> Home | None:
    """The first definition that stands in one of the files."""
    return next((home for home in homes if home[0].path in paths), None)
