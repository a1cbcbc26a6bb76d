"""Fuzzy matching: words need only be alike, so that typing errors, plurals and joined words are found."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from functools import lru_cache

from judge.modules.search.base import Fit, Index, Passage, best_first
from judge.modules.search.bm25 import terms_of
from judge.modules.words import words

_ALIKE = 75.0
"""Percent of likeness from which two words may be the same."""
_SHORT = 3
"""Words up to this length must be the same: any two of them are alike."""
_REMEMBERED = 4_096


class Fuzzy:
    """Ranks by words that are alike."""

    name = "fuzzy"

    async def index(self, passages: Sequence[Passage]) -> Index:
        """Collects the different words of all passages."""
        return await asyncio.to_thread(FuzzyIndex, passages)


class FuzzyIndex:
    """The different words, and which passages hold which."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        """Collects.

        Args:
            passages: The texts.
        """
        self._number = len(passages)
        holders: dict[str, list[int]] = {}
        for position, passage in enumerate(passages):
            for term in dict.fromkeys(terms_of(passage)):
                holders.setdefault(term, []).append(position)
        self._holders = holders
        self._long = sorted(term for term in holders if len(term) > _SHORT)
        self._alike = lru_cache(maxsize=_REMEMBERED)(self._alike_now)

    async def rank(self, query: str) -> Sequence[Fit]:
        """Passages with words like those of the query."""
        return await asyncio.to_thread(self.rank_now, query)

    def rank_now(self, query: str) -> list[Fit]:
        """The same, in the caller's thread."""
        terms = sorted(set(words(query)))
        weights = {term: self._weight(term) for term in terms}
        total = sum(weights.values())
        if not total:
            return []
        sums: dict[int, float] = {}
        for term in terms:
            best: dict[int, float] = {}
            for word, share in self._alike(term):
                for position in self._holders[word]:
                    best[position] = max(best.get(position, 0.0), share)
            for position, share in best.items():
                sums[position] = sums.get(position, 0.0) + share * weights[term]
        top = max(sums.values(), default=1.0)
        return best_first([Fit(at, value / top, value / total) for at, value in sums.items()])

    def _weight(self, term: str) -> float:
        """The rarer what is like the term, the more it tells."""
        number = max((len(self._holders[word]) for word, _ in self._alike(term)), default=0)
        return math.log1p(self._number / (1 + number))

    def _alike_now(self, term: str) -> tuple[tuple[str, float], ...]:
        """Words like a term, with how alike they are, from 0 to 1."""
        from rapidfuzz import fuzz, process

        if len(term) <= _SHORT:
            return ((term, 1.0),) if term in self._holders else ()
        found = process.extract(term, self._long, scorer=fuzz.ratio, score_cutoff=_ALIKE, limit=None)
        return tuple((word, score / 100) for word, score, _ in found)
