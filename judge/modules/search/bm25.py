"""BM25 over words: a word counts the more, the rarer it is and the shorter the text."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from typing import Any

from judge.modules.search.base import Fit, Index, Passage, best_first
from judge.modules.words import words

_TITLE_WEIGHT = 3
_NAMES_WEIGHT = 2


class Bm25:
    """Ranks by shared words."""

    name = "bm25"

    async def index(self, passages: Sequence[Passage]) -> Index:
        """Counts the words of all passages."""
        return await asyncio.to_thread(Bm25Index, passages)


class Bm25Index:
    """Counted words, and which passages hold which."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        """Counts.

        Args:
            passages: The texts.
        """
        from rank_bm25 import BM25Okapi

        documents = [terms_of(passage) or ["-"] for passage in passages]
        self._holders: dict[str, list[int]] = {}
        for position, document in enumerate(documents):
            for term in dict.fromkeys(document):
                self._holders.setdefault(term, []).append(position)
        self._bm25: Any = BM25Okapi(documents) if documents else None
        if self._bm25 is not None:
            number = len(documents)
            self._bm25.idf = {term: _weight(number, len(holders)) for term, holders in self._holders.items()}

    async def rank(self, query: str) -> Sequence[Fit]:
        """Passages that share a word with the query."""
        return await asyncio.to_thread(self.rank_now, query)

    def rank_now(self, query: str) -> list[Fit]:
        """The same, in the caller's thread."""
        terms = sorted(set(words(query)))
        counts: dict[int, int] = {}
        for term in terms:
            for position in self._holders.get(term, ()):
                counts[position] = counts.get(position, 0) + 1
        if not counts:
            return []
        positions = sorted(counts)
        scores = [float(score) for score in self._bm25.get_batch_scores(terms, positions)]
        best = max(scores)
        rows = zip(positions, scores, strict=True)
        return best_first([Fit(at, score / best, counts[at] / len(terms)) for at, score in rows])


def _weight(number: int, holders: int) -> float:
    """Weight of a word that some of the texts hold; above 0 even when most do, as in a small workspace they may."""
    return math.log1p((number - holders + 0.5) / (holders + 0.5))


def terms_of(passage: Passage) -> list[str]:
    """The words of a passage; those of its title and of its names several times."""
    return words(passage.title) * _TITLE_WEIGHT + words(passage.names) * _NAMES_WEIGHT + words(passage.body)
