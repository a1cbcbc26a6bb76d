"""The module ``locate``: which files a requirement is about."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from judge.modules.base import Case
from judge.modules.locate import candidates
from judge.modules.locate.choose import ask_for_files
from judge.modules.locate.index import FileRanker, make_ranker
from judge.modules.locate.match import Hit, Matcher
from judge.modules.locate.mentions import Named, mentions, module_paths
from judge.modules.locate.notes import located, notes_on
from judge.modules.locate.symbols import Symbols
from judge.modules.search.base import Search
from judge.modules.search.bm25 import Bm25
from judge.modules.search.once import Once
from judge.schemas import Evidence

_WEAK = 0.3
"""Below this the best file is a guess, and a model is asked, where there is one."""
_USED = 0.55
_RELEVANT = 0.5
"""When the criterion itself leads to files, others below this are left out."""


class _Tables(NamedTuple):
    """What is made once for one workspace."""

    matcher: Matcher
    ranker: FileRanker
    symbols: Symbols


class Locate:
    """Finds the files for requirements of one workspace; its tables are built once."""

    name = "locate"

    def __init__(self, *, use_graph: bool = True, search: Search | None = None) -> None:
        """Makes a module for one workspace.

        Args:
            use_graph: Whether writers of artefacts and definitions of symbols are followed.
            search: Ranks files by what they say; BM25 when None.
        """
        self._use_graph = use_graph
        self._search = search or Bm25()
        self._once: Once[_Tables] = Once()

    async def gather(self, case: Case, found: Sequence[Evidence]) -> Sequence[Evidence]:
        """One item per located file, best first, after the notes on what is missing.

        Args:
            case: The requirement.
            found: Not used; locate comes first.

        Returns:
            Evidence without text: path, reason, and ``score`` among the facts.

        Raises:
            ProviderError: A model or a server that makes embeddings was asked and did not answer.
            BudgetExceeded: The run's limit is reached.
        """
        tables = await self._once.get(case.workspace, lambda: self._tables(case))
        fit = dict(await tables.ranker.rank(case.requirement.criteria))
        hits, notes = await asyncio.to_thread(self._find, case, tables, fit)
        if case.model is not None and (not hits or hits[0].score < _WEAK) and case.workspace.files:
            chosen = await ask_for_files(case, case.model)
            hits = candidates.best([*chosen, *hits], case.bounds.max_files)
        return [*notes, *(located(hit) for hit in hits)]

    async def _tables(self, case: Case) -> _Tables:
        ranker = await make_ranker(case, self._search, use_graph=self._use_graph)
        return _Tables(Matcher(case.workspace), ranker, Symbols(case.graph))

    def _find(self, case: Case, tables: _Tables, fit: Mapping[str, float]) -> tuple[list[Hit], list[Evidence]]:
        matcher = tables.matcher
        named = mentions(case.requirement.criteria)
        resolved = [matcher.resolve(item, "the criterion") for item in named if item.kind in candidates.PATHS]
        sure = {item.text for item in named if item.quoted or item.kind == Named.FILE}
        # `model.xyz` may be an attribute or a file of a rare kind: the tree tells.
        dotted = [replace(item, kind=Named.FILE) for item in named if item.kind == Named.SYMBOL and "." in item.text]
        dotted += [replace(item, text=path) for item in dotted for path in module_paths(item.text)]
        resolved += [found for item in dotted if (found := matcher.resolve(item, "the criterion")).hits]
        spelt = list(matcher.spelt_out(case.requirement.criteria))
        # `my report.md` without quotes names no `report.md`.
        resolved = [item for item in resolved if item.hits or not any(hit.path.endswith(item.named) for hit in spelt)]
        named_hits = [hit for item in resolved for hit in (*item.hits, *candidates.accepted(item, sure))] + spelt
        direct = list(named_hits)
        if self._use_graph:
            direct += candidates.producers(case, resolved)
            direct += candidates.symbols(tables.symbols, named)
            direct += candidates.around(case, direct)
        others = [*candidates.background(case, matcher, fit), *candidates.by_text(fit, case.bounds.max_files)]
        if self._use_graph:
            others += candidates.programs(case, direct)
        told = [item for item in resolved if item.hits or item.named in sure]
        if self._use_graph and candidates.leads(case, told, direct):
            own = {hit.path for hit in named_hits}
            direct = [hit for hit in direct if hit.score >= _USED or hit.path in own]
            others = [hit for hit in others if hit.score >= _RELEVANT]
        notes = [note for item in resolved for note in notes_on(item, sure)]
        return candidates.best([*direct, *others], case.bounds.max_files), notes
