"""Where a named symbol is defined, and what is nearly called so when nothing is."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from judge.modules.locate.match import Hit
from judge.modules.search.aside import is_aside

if TYPE_CHECKING:
    from judge.modules.graph import WorkspaceGraph
    from judge.modules.graph.facts import Definition

_DEFINED = 0.75
_OTHER_STYLE = 0.7
_ALIKE = 0.56
_LIKENESS = 90.0
"""Percent of likeness from which one name may be another with a typing error."""
_LEAST = 6
_MOST = 4


class Symbols:
    """Looks names up among the definitions of one workspace."""

    def __init__(self, graph: WorkspaceGraph) -> None:
        """Takes the graph; the table of spellings is built when it is first needed.

        Args:
            graph: The workspace's.
        """
        self._graph = graph

    def find(self, name: str) -> Iterator[Hit]:
        """Files that define a name; else those that define it in another style of writing, or with a typing error.

        Args:
            name: As the criterion has it: ``train_model``, ``Net.forward``.
        """
        exact = self._graph.definitions(name)
        if exact:
            yield from (Hit(path, f"line {item.line} defines `{item.qualname}`", _DEFINED) for path, item in exact)
            return
        folded = _folded(name)
        if len(folded) < _LEAST:
            return
        near = self._spellings.get(folded, [])
        if near:
            why, score = f"which `{name}` may mean in another style", _OTHER_STYLE
        else:
            near, why, score = self._alike(folded), f"which is like `{name}`; nothing is called so", _ALIKE
        for path, item in near[:_MOST]:
            yield Hit(path, f"line {item.line} defines `{item.qualname}`, {why}", score)

    def _alike(self, folded: str) -> list[tuple[str, Definition]]:
        from rapidfuzz import fuzz, process

        found = process.extract(folded, self._names, scorer=fuzz.ratio, score_cutoff=_LIKENESS, limit=_MOST)
        return [pair for name, _, _ in found for pair in self._spellings[name]]

    @cached_property
    def _names(self) -> list[str]:
        return sorted(self._spellings)

    @cached_property
    def _spellings(self) -> dict[str, list[tuple[str, Definition]]]:
        """Definitions by their last name without underscores, in lower case."""
        table: dict[str, list[tuple[str, Definition]]] = {}
        for path, code in self._graph.files.items():
            for item in code.definitions if not is_aside(path) else ():
                table.setdefault(_folded(item.name), []).append((path, item))
        return table


def _folded(name: str) -> str:
    """A name without what differs between styles of writing.

    >>> _folded("Trainer.train_model"), _folded("trainModel")
    ('trainmodel', 'trainmodel')
    """
    return name.rpartition(".")[2].replace("_", "").casefold()
