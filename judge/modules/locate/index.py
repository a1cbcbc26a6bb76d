"""The files of a workspace ranked by their paths, symbols and text, for the words of a criterion."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from judge.modules.search.aside import is_aside, is_generated
from judge.modules.search.base import Index, Passage, Search

if TYPE_CHECKING:
    from judge.modules.base import Case
    from judge.workspace import Entry

_FILES = 4_000
"""Files whose text is looked at; of further ones the path alone counts."""
_CHARS = 16_000
_TOTAL_CHARS = 8_000_000
_SIZE = 2_000_000
_NOTEBOOKS = 100
_DATA = frozenset(
    (".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".log", ".svg", ".xml", ".arff", ".dat", ".geojson", ".lock")
)
_DATA_CHARS = 1_000
_LEAST_COVERED = 0.5


class FileRanker:
    """Ranks the files of one workspace; made once, then only asked."""

    def __init__(self, paths: Sequence[str], index: Index) -> None:
        """Takes what ``make_ranker`` made.

        Args:
            paths: Of the files, in the order they were indexed.
            index: Ranks them.
        """
        self._paths = paths
        self._index = index

    async def rank(self, query: str) -> Sequence[tuple[str, float]]:
        """Files that have something in common with a query, best first.

        Args:
            query: The criterion.

        Returns:
            Paths with how well they fit, from 0 to 1: relevance, weighed by how much of the query is covered.

        Raises:
            ProviderError: A server that makes embeddings did not answer.
            BudgetExceeded: The run's limit is reached.
        """
        fits = await self._index.rank(query)
        share = _LEAST_COVERED
        rows = [(self._paths[fit.position], fit.relevance * (share + (1 - share) * fit.covered)) for fit in fits]
        return tuple(sorted(rows, key=lambda row: (-row[1], row[0])))


async def make_ranker(case: Case, search: Search, *, use_graph: bool = True) -> FileRanker:
    """Reads the files within bounds and indexes them; code of others and what a tool wrote is left out.

    Args:
        case: Any requirement on the workspace.
        search: Ranks texts.
        use_graph: Whether the symbols that a file defines count.

    Raises:
        ProviderError: A server that makes embeddings did not answer.
        BudgetExceeded: The run's limit is reached.
    """
    paths, passages = await asyncio.to_thread(_passages, case, use_graph)
    return FileRanker(paths, await search.index(passages))


def _passages(case: Case, use_graph: bool) -> tuple[list[str], list[Passage]]:
    paths: list[str] = []
    passages: list[Passage] = []
    left, notebooks = _TOTAL_CHARS, _NOTEBOOKS
    for number, entry in enumerate(_likely_first(case)):
        code = case.graph.files.get(entry.path)
        names = " ".join(item.name for item in code.definitions) if code is not None and use_graph else ""
        text = ""
        if number < _FILES and left > 0 and entry.size <= _SIZE:
            notebooks -= entry.suffix == ".ipynb"
            text = _text(case, entry, notebooks >= 0)
            left -= len(text)
            if is_generated(text, code=entry.path in case.graph.languages and entry.suffix != ".ipynb"):
                continue
        paths.append(entry.path)
        passages.append(Passage(text, entry.path, names))
    return paths, passages


def _text(case: Case, entry: Entry, notebook: bool) -> str:
    if entry.suffix == ".ipynb":  # its file is full of pictures in letters; what it says are its cells
        return case.documents.get(entry.path).text[:_CHARS] if notebook else ""
    limit = _DATA_CHARS if entry.suffix in _DATA else _CHARS
    return case.workspace.read_text(entry, limit).text[:limit]


def _likely_first(case: Case) -> list[Entry]:
    """Files by how likely they matter, so that a bound cuts off the least likely: code and shallow ones come first."""
    code = case.graph.languages

    def key(entry: Entry) -> tuple[bool, bool, int, str]:
        return (entry.size > _SIZE, entry.suffix in _DATA, entry.path.count("/") - (entry.path in code), entry.path)

    return sorted((entry for entry in case.workspace.files if not is_aside(entry.path)), key=key)
