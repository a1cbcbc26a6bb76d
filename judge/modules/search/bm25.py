"""BM25 over words: a word counts the more, the rarer it is and the shorter the text."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence

from judge.modules.search.base import Fit, Index, Passage, best_first
from judge.modules.words import words

_TITLE_WEIGHT = 3
_NAMES_WEIGHT = 2
# The usual constants of BM25: how soon more of the same word counts no more, and how much the length of a text does.
_SATURATION = 1.5
_LENGTH = 0.75


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
        documents = [terms_of(passage) or ["-"] for passage in passages]
        self._holders: dict[str, dict[int, int]] = {}
        for position, document in enumerate(documents):
            for term in document:
                held = self._holders.setdefault(term, {})
                held[position] = held.get(position, 0) + 1
        mean = sum(map(len, documents)) / max(1, len(documents))
        self._damping = [_SATURATION * (1 - _LENGTH + _LENGTH * len(document) / mean) for document in documents]

    async def rank(self, query: str) -> Sequence[Fit]:
        """Passages that share a word with the query."""
        return await asyncio.to_thread(self.rank_now, query)

    def rank_now(self, query: str) -> list[Fit]:
        """The same, in the caller's thread."""
        terms = sorted(set(words(query)))
        counts: dict[int, int] = {}
        scores: dict[int, float] = {}
        for term in terms:
            holders = self._holders.get(term, {})
            weight = _weight(len(self._damping), len(holders))
            for position, times in holders.items():
                counts[position] = counts.get(position, 0) + 1
                fit = times * (_SATURATION + 1) / (times + self._damping[position])
                scores[position] = scores.get(position, 0.0) + weight * fit
        if not counts:
            return []
        best = max(scores.values())
        return best_first([Fit(at, scores[at] / best, counts[at] / len(terms)) for at in sorted(counts)])


def _weight(number: int, holders: int) -> float:
    """Weight of a word that some of the texts hold; above 0 even when most do, as in a small workspace they may."""
    return math.log1p((number - holders + 0.5) / (holders + 0.5))


def terms_of(passage: Passage) -> list[str]:
    """The words of a passage; those of its title and of its names several times."""
    return words(passage.title) * _TITLE_WEIGHT + words(passage.names) * _NAMES_WEIGHT + words(passage.body)
