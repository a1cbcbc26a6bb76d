"""BM25 over paths, symbols and text of the files of one workspace."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from judge.modules.words import words

if TYPE_CHECKING:
    from judge.modules.graph import WorkspaceGraph
    from judge.workspace import Workspace

_FILES = 4_000
_CHARS = 16_000
_TOTAL_CHARS = 8_000_000
_SIZE = 2_000_000
_PATH_WEIGHT = 3
_SYMBOL_WEIGHT = 2
_DATA = re.compile(r"\.(csv|tsv|jsonl?|ndjson|log|lock|svg|xml|arff|dat)$")
_DATA_CHARS = 1_000


class FileIndex:
    """Ranks the files of a workspace by how well they fit some words; built once, then only read."""

    def __init__(self, workspace: Workspace, graph: WorkspaceGraph | None) -> None:
        """Reads the files, within bounds: many or huge files are ranked by their path alone.

        Args:
            workspace: The files.
            graph: For the symbols that each file defines; None to do without.
        """
        from rank_bm25 import BM25Okapi

        self._paths: list[str] = []
        documents: list[list[str]] = []
        left = _TOTAL_CHARS
        for entry in _likely_first(workspace)[:_FILES]:
            terms = words(entry.path) * _PATH_WEIGHT
            if graph is not None and entry.path in graph.files:
                names = (item.name for item in graph.files[entry.path].definitions)
                terms += [term for name in names for term in words(name)] * _SYMBOL_WEIGHT
            limit = _DATA_CHARS if _DATA.search(entry.path.lower()) else _CHARS
            if entry.size <= _SIZE and left > 0:
                terms += words(workspace.read_text(entry, limit).text)
                left -= min(entry.size, limit)
            self._paths.append(entry.path)
            documents.append(terms or ["-"])
        self._bm25: Any = BM25Okapi(documents) if documents else None
        self._documents = [Counter(terms) for terms in documents]

    def rank(self, query: Iterable[str]) -> Sequence[tuple[str, float]]:
        """Files that share a word with the query, best first.

        Args:
            query: Words, as ``words`` makes them.

        Returns:
            Paths with the share of the best score, from 0 to 1, weighed by how much of the query is covered.
        """
        terms = sorted(set(query))
        if self._bm25 is None or not terms:
            return ()
        scores = self._bm25.get_scores(terms)
        rows = []
        for path, score, document in zip(self._paths, scores, self._documents, strict=True):
            covered = sum(1 for term in terms if term in document)
            if covered:
                rows.append((path, max(float(score), 0.01), covered / len(terms)))
        best = max((score for _, score, _ in rows), default=1.0)
        ranked = ((path, score / best * (0.5 + 0.5 * share)) for path, score, share in rows)
        return tuple(sorted(ranked, key=lambda row: (-row[1], row[0])))


def _likely_first(workspace: Workspace) -> list[Any]:
    """Files with the shallow and small ones first, so that a bound cuts off the least likely."""
    return sorted(workspace.files, key=lambda item: (item.path.count("/"), item.size > _SIZE, item.path))
