"""Ranks the steps of a trajectory for one requirement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from judge.modules.locate.mentions import Named, mentions
from judge.trajectories.truncate import Part

if TYPE_CHECKING:
    from judge.modules.base import Case
    from judge.modules.retrieve.tables import Tables
    from judge.modules.search.base import Fit
    from judge.schemas import Evidence

_NEEDED = 10.0
_NAMED = 1.0
_NEAR = 0.3
_LATE = 0.35
_LAST = 0.2
_FIT = 0.5
_PERHAPS = 0.25
_FEW = 4
_LEAST = 0.75
_SURE = 0.5
_LAST_STEPS = 1


class Ranked(NamedTuple):
    """A step by its position, with why it is shown.

    Attributes:
        score: The larger, the more telling.
        position: Among all steps.
        why: The reason.
        needed: Whether it must be seen.
        aside: Whether nothing in the criterion names what it is about.
    """

    score: float
    position: int
    why: str
    needed: bool = False
    aside: bool = False


def rank(
    case: Case, found: Sequence[Evidence], tables: Tables, fits: Sequence[Fit], needed: Mapping[int, str]
) -> list[Ranked]:
    """Steps worth showing, best first.

    Args:
        case: The requirement; its strategies say which steps are given up first.
        found: What ``locate`` found.
        tables: The trajectory.
        fits: How well steps fit the criterion.
        needed: Numbers of steps that must be seen, the most telling first, with the reason.
    """
    relevance = {fit.position: fit.relevance for fit in fits}
    named, located = names_in(case.requirement.criteria), _located(found)
    order = {number: index for index, number in enumerate(needed)}
    steps = tables.trajectory.steps
    last = len(steps) - 1
    kept = Part(case.strategies.drop)
    rows, perhaps = [], []
    for index, text in enumerate(tables.texts):
        if index == 0 and last > 0:
            continue  # the task itself, which the prompt holds already
        hits = [name for name in named if name in text]
        number = steps[index].step
        if number in needed:
            score = _NEEDED - order[number] / (len(order) + 1)
            rows.append(Ranked(score, index, needed[number], needed=True, aside=not hits))
            continue
        told = [name for name in hits if name in tables.said[index]]
        near = [path for path in located if path not in hits and path in text]
        fit = relevance.get(index, 0.0)
        is_last = index > last - _LAST_STEPS
        score = (_NAMED if told else _NEAR if near or hits else 0.0) + fit * 0.6 + _LATE * _place(index, last, kept)
        score += _LAST if is_last else 0.0
        row = Ranked(score, index, _why(hits, near, fit, is_last))
        if told or is_last or (fit >= _FIT and score >= _LEAST):
            rows.append(row)
        elif fit >= _PERHAPS:
            perhaps.append(row)
    perhaps.sort(key=lambda row: -row.score)
    rows += perhaps[: max(0, _FEW - len(rows))]
    return sorted(rows, key=lambda row: (-row.score, -_place(row.position, last, kept), -row.position))


def _place(index: int, last: int, drop: Part) -> float:
    """How long a step is kept by its place alone, from 0 to 1, when one part of the trajectory is given up first."""
    share = index / max(last, 1)
    if drop is Part.BEGINNING:
        return share
    return 1 - share if drop is Part.END else abs(2 * share - 1)


def names_in(criterion: str) -> list[str]:
    """Paths and quoted names in the criterion, with the bare file name of each path."""
    found: list[str] = []
    for item in mentions(criterion):
        if item.kind == Named.FILE or (item.kind == Named.FOLDER and item.quoted):
            found += [item.text, item.text.rstrip("/").rsplit("/", 1)[-1]]
        elif item.quoted and len(item.text) > 2:
            found.append(item.text)
    return list(dict.fromkeys(name for name in found if len(name) > 2))


def _located(found: Sequence[Evidence]) -> list[str]:
    rows = [item for item in found if item.module == "locate" and item.path]
    return [item.path or "" for item in rows if _score(item) >= _SURE]


def _score(item: Evidence) -> float:
    score = item.facts.get("score")
    return float(score) if isinstance(score, (int, float)) else 0.0


def _why(hits: Sequence[str], near: Sequence[str], fit: float, is_last: bool) -> str:
    reasons = []
    named = [*hits, *near]
    if named:
        reasons.append("names " + ", ".join(f"`{name}`" for name in named[:3]))
    if fit >= _FIT:
        reasons.append("shares words with the criterion")
    if is_last:
        reasons.append("last step")
    return "; ".join(reasons)
