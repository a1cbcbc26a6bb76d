"""Ranking by embeddings: texts that mean the same are near each other, whatever their words."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from judge.modules.search.base import Fit, Index, Passage, best_first
from judge.modules.search.bm25 import Bm25Index

if TYPE_CHECKING:
    from judge.modules.search.vectors import Vectors

_MOST = 1_000
"""Passages that are compared with one query at most: of more, those that BM25 puts first."""
_CHARS = 6_000
_SAME = 1e-6


class Encoder(Protocol):
    """Turns texts into vectors."""

    @property
    def id(self) -> str:
        """What makes the vectors; two encoders with one id make the same ones."""
        ...

    async def encode(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        """One row a text, of length 1 each.

        Args:
            texts: At least one.
            query: Whether they are what is searched for; some models are told.

        Raises:
            ProviderError: A server did not answer.
            BudgetExceeded: The run's limit is reached.
        """
        ...


class Embeddings:
    """Ranks by the likeness of vectors."""

    name = "embeddings"

    def __init__(self, encoder: Encoder) -> None:
        """Takes what makes vectors.

        Args:
            encoder: A local model or a server.
        """
        self._encoder = encoder

    async def index(self, passages: Sequence[Passage]) -> Index:
        """Keeps the passages; vectors are made when the first query comes."""
        words = await asyncio.to_thread(Bm25Index, passages) if len(passages) > _MOST else None
        return _VectorIndex(self._encoder, [passage.text[:_CHARS] for passage in passages], words)


class _VectorIndex:
    def __init__(self, encoder: Encoder, texts: Sequence[str], words: Bm25Index | None) -> None:
        self._encoder = encoder
        self._texts = texts
        self._words = words
        self._vectors: dict[int, Vectors] = {}
        self._turn = asyncio.Lock()

    async def rank(self, query: str) -> Sequence[Fit]:
        """Passages nearer to the query than the mean of all."""
        positions = list(range(len(self._texts)))
        if self._words is not None:
            positions = sorted(fit.position for fit in self._words.rank_now(query)[:_MOST])
        positions = [at for at in positions if self._texts[at].strip()]
        if not positions or not query.strip():
            return ()
        async with self._turn:
            missing = [at for at in positions if at not in self._vectors]
            if missing:
                made = await self._encoder.encode([self._texts[at] for at in missing])
                self._vectors.update(zip(missing, made, strict=True))
            target = (await self._encoder.encode([query[:_CHARS]], query=True))[0]
        return _fits(positions, [float(self._vectors[at] @ target) for at in positions])


def _fits(positions: Sequence[int], likeness: Sequence[float]) -> list[Fit]:
    """Likeness as relevance: any two texts are somewhat alike, so only what is above the mean counts."""
    mean, top = sum(likeness) / len(likeness), max(likeness)
    span = top - mean
    rows = []
    for at, value in zip(positions, likeness, strict=True):
        relevance = (value - mean) / span if span > _SAME else 1.0
        if relevance > 0:
            rows.append(Fit(at, round(relevance, 6), round(max(0.0, min(1.0, value)), 6)))
    return best_first(rows)
