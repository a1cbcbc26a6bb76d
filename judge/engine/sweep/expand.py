"""From a sweep file to its cells."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from itertools import product

from judge.results import AgentSpec, Cell, SweepJudge, SweepModule, SweepSpec, Truncation
from judge.schemas import Setting

_RANK = frozenset({SweepModule.LOCATE.value, SweepModule.SEARCH.value, SweepModule.RETRIEVE.value})
"""Modules that rank texts."""
_SHOW = frozenset({SweepModule.RETRIEVE.value, SweepModule.PLANNING.value})
"""Modules that show steps of a trajectory."""
_UNSAFE = re.compile(r"[^A-Za-z0-9._+-]+")
_LONGEST = 120


def expand(spec: SweepSpec) -> tuple[Cell, ...]:
    """All cells: agent by agent, majorities after the judges they are made of.

    Args:
        spec: The sweep.
    """
    cells = [cell for agent in spec.agents for cell in _of_agent(spec, agent)]
    return tuple(_named(cells))


def _of_agent(spec: SweepSpec, agent: AgentSpec) -> Iterator[Cell]:
    order = [judge for judge in SweepJudge if judge in spec.judges]
    for judge in (item for item in order if item in {SweepJudge.AGENT, SweepJudge.LLM, SweepJudge.RULES}):
        for setting in spec.settings:
            yield from _asked(spec, Cell(name="", agent=agent.name, judge=judge, setting=setting))
    if SweepJudge.HUMAN in order:
        for rater in sorted(agent.raters) or [""]:
            yield Cell(name="", agent=agent.name, judge=SweepJudge.HUMAN, rater=rater)
    if SweepJudge.MAJORITY in order:
        for setting in spec.settings:
            yield Cell(name="", agent=agent.name, judge=SweepJudge.MAJORITY, setting=setting)


def _asked(spec: SweepSpec, cell: Cell) -> Iterator[Cell]:
    """The cell once for each model and module set that its judge has."""
    if cell.judge is SweepJudge.RULES:
        yield cell
        return
    sets = [ordered(names) for names in spec.module_sets] if cell.judge is SweepJudge.AGENT else [()]
    for model, modules in product(spec.models, dict.fromkeys(sets)):
        chosen = cell.model_copy(update={"model": model, "modules": modules})
        yield from (chosen.model_copy(update=more) for more in _variants(spec, chosen))


def _variants(spec: SweepSpec, cell: Cell) -> Iterator[dict[str, object]]:
    """Every combination of what makes a difference to a cell; of what makes none, the first."""
    shown = cell.setting is Setting.GRAY_BOX and bool(_SHOW & set(cell.modules))
    methods = spec.search_methods if _RANK & set(cell.modules) else ("bm25",)
    cuts = spec.truncations if shown else (Truncation(),)
    for votes, strictness, search, cut in product(spec.votes, spec.strictness, methods, cuts):
        yield {"votes": votes, "strictness": strictness, "search": search, "truncation": cut}


def ordered(names: Sequence[SweepModule]) -> tuple[str, ...]:
    """A module set in the order in which modules work; ``ask`` is always in it."""
    wanted = {*names, SweepModule.ASK}
    return tuple(module.value for module in SweepModule if module in wanted)


def _named(cells: Sequence[Cell]) -> Iterator[Cell]:
    """The cells with a name that is unique without regard to case, and can be a folder."""
    taken: set[str] = set()
    for cell in cells:
        modules = "+".join(cell.modules)
        setting = cell.setting.value if cell.setting is not None else ""
        parts = [cell.agent, cell.judge.value, setting, cell.model, modules, cell.variant, cell.rater]
        whole = "_".join(part for part in parts if part)
        name = _UNSAFE.sub("-", whole)
        if name.casefold() in taken or len(name) > _LONGEST:
            name = f"{name[:_LONGEST]}-{hashlib.sha256(whole.encode()).hexdigest()[:8]}"
        taken.add(name.casefold())
        yield cell.model_copy(update={"name": name})
