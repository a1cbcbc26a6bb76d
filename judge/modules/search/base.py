"""The one protocol of every way to rank texts, and the values that go through it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol


@dataclass(frozen=True, slots=True)
class Passage:
    """A text that can be found.

    Attributes:
        body: The text itself.
        title: What it is called, such as a path; counts more than the body.
        names: What it defines; counts more than the body, too.
    """

    body: str
    title: str = ""
    names: str = ""

    @property
    def text(self) -> str:
        """All of it, the title first."""
        return "\n".join(part for part in (self.title, self.names, self.body) if part)


class Fit(NamedTuple):
    """How well one passage fits a query.

    Attributes:
        position: Of the passage, among those that were indexed.
        relevance: From 0 to 1, where 1 is the best passage of this query.
        covered: Share of the query that is found in it, from 0 to 1.
    """

    position: int
    relevance: float
    covered: float


class Index(Protocol):
    """Passages, ready to be ranked."""

    async def rank(self, query: str) -> Sequence[Fit]:
        """Passages that have anything in common with the query, best first; equal ones in their order.

        Raises:
            ProviderError: A server that makes embeddings did not answer.
            BudgetExceeded: The run's limit is reached.
        """
        ...


class Search(Protocol):
    """A way to rank texts."""

    @property
    def name(self) -> str:
        """``bm25``, ``fuzzy`` or ``embeddings``."""
        ...

    async def index(self, passages: Sequence[Passage]) -> Index:
        """Prepares passages; what is costly is done once.

        Raises:
            ProviderError: A server that makes embeddings did not answer.
            BudgetExceeded: The run's limit is reached.
        """
        ...


def best_first(fits: Sequence[Fit]) -> list[Fit]:
    """Sorted by relevance; equal ones in their order."""
    return sorted(fits, key=lambda fit: (-fit.relevance, fit.position))
