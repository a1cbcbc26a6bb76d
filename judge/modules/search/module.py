"""The module ``search``: pieces of the workspace that fit a requirement, wherever they are."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence

from judge.modules.base import Case
from judge.modules.excerpt import numbered
from judge.modules.search.base import Fit, Index, Search
from judge.modules.search.chunks import Chunk, chunks_of
from judge.modules.search.once import Once
from judge.schemas import Evidence, EvidenceKind
from judge.text import split_lines
from judge.tokens import count, cut_middle

_MOST = 8
_TOKENS = 2_000
_ONE = 500
_LEAST = 60
_RELEVANT = 0.35
_SHOWN = 0.8
_NUMBERED = re.compile(r"^ {0,9}(\d{1,9})\| ", re.MULTILINE)

Indexed = tuple[tuple[Chunk, ...], Index]


class SearchModule:
    """Searches one workspace; its chunks are made and indexed once."""

    name = "search"

    def __init__(self, search: Search) -> None:
        """Makes a module for one workspace.

        Args:
            search: Ranks the chunks.
        """
        self._search = search
        self._once: Once[Indexed] = Once()

    async def gather(self, case: Case, found: Sequence[Evidence]) -> Sequence[Evidence]:
        """Chunks that fit the criterion and are not shown yet, best first.

        Args:
            case: The requirement.
            found: What other modules found; what is read already is not repeated.

        Returns:
            Evidence of kind ``search`` with path, lines and ``score``, within a token budget.

        Raises:
            ProviderError: A server that makes embeddings did not answer.
            BudgetExceeded: The run's limit is reached.
        """
        rows = await self.find(case, case.requirement.criteria)
        shown = _shown(found)
        left = _TOKENS
        items: list[Evidence] = []
        for chunk, fit in rows:
            if len(items) >= _MOST or left < _LEAST or fit.relevance < _RELEVANT:
                break
            if not chunk.text or _is_shown(chunk, shown):
                continue
            item = chunk_evidence(chunk, fit, self._search.name, len(items) + 1, min(_ONE, left))
            items.append(item)
            left -= item.tokens
        return items

    async def find(self, case: Case, query: str) -> list[tuple[Chunk, Fit]]:
        """Chunks of the workspace that fit a query, best first.

        Args:
            case: Any requirement on the workspace.
            query: Words, names, or a sentence.

        Raises:
            ProviderError: A server that makes embeddings did not answer.
            BudgetExceeded: The run's limit is reached.
        """
        chunks, index = await self._once.get(case.workspace, lambda: self._make(case))
        return [(chunks[fit.position], fit) for fit in await index.rank(query)]

    async def _make(self, case: Case) -> Indexed:
        chunks = await asyncio.to_thread(chunks_of, case)
        return chunks, await self._search.index([chunk.passage for chunk in chunks])


def chunk_evidence(chunk: Chunk, fit: Fit, method: str, rank: int, tokens: int) -> Evidence:
    """A found chunk as evidence.

    Args:
        chunk: What was found.
        fit: How well it fits.
        method: What ranked it.
        rank: Its place, from 1.
        tokens: Budget; a long chunk is cut in its middle.
    """
    text = chunk.text
    if chunk.line is not None:
        text = numbered(enumerate(split_lines(text), start=chunk.line))
    text = cut_middle(text, tokens)
    place = f"{chunk.path}:{chunk.line}-{chunk.end_line}" if chunk.line is not None else chunk.path
    return Evidence(
        module="search",
        kind=EvidenceKind.SEARCH,
        title=f"{place} {chunk.name}".strip() if chunk.name else place,
        text=text,
        path=chunk.path,
        line=chunk.line,
        end_line=chunk.end_line,
        why=f"rank {rank} by {method}",
        facts={"score": round(fit.relevance, 3)},
        tokens=count(text),
    )


def _shown(found: Sequence[Evidence]) -> dict[str, set[int]]:
    """Numbers of the lines of each file that other modules show."""
    lines: dict[str, set[int]] = {}
    for item in found:
        if item.path and item.text and item.kind in {EvidenceKind.FILE, EvidenceKind.ARTEFACT, EvidenceKind.SEARCH}:
            lines.setdefault(item.path, set()).update(int(number) for number in _NUMBERED.findall(item.text))
    return lines


def _is_shown(chunk: Chunk, shown: Mapping[str, set[int]]) -> bool:
    if chunk.path not in shown:
        return False
    if chunk.line is None or chunk.end_line is None:
        return True
    span = range(chunk.line, chunk.end_line + 1)
    return len(shown[chunk.path].intersection(span)) >= _SHOWN * len(span)
