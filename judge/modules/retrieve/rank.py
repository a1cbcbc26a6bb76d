"""Ranks the steps of a trajectory for one requirement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from judge.modules.locate.mentions import Named, mentions
from judge.modules.words import words

if TYPE_CHECKING:
    from judge.modules.base import Case
    from judge.schemas import Evidence, Step

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
    case: Case,
    found: Sequence[Evidence],
    texts: Sequence[str],
    said: Sequence[str],
    bm25: Any,
    numbers: Sequence[int],
    needed: Mapping[int, str],
) -> list[Ranked]:
    """Steps worth showing, best first.

    Args:
        case: The requirement.
        found: What ``locate`` found.
        texts: Text of every step.
        said: The part of it that is the agent's own.
        bm25: Ranking table over the steps.
        numbers: Number of every step.
        needed: Numbers of steps that must be seen, the most telling first, with the reason.
    """
    criterion = case.requirement.criteria
    fits = _fits(bm25, criterion, len(texts))
    named, located = names_in(criterion), _located(found)
    order = {number: index for index, number in enumerate(needed)}
    rows, perhaps = [], []
    last = len(texts) - 1
    for index, text in enumerate(texts):
        if index == 0 and last > 0:
            continue  # the task itself, which the prompt holds already
        hits = [name for name in named if name in text]
        told = [name for name in hits if name in said[index]]
        if numbers[index] in needed:
            score = _NEEDED - order[numbers[index]] / (len(order) + 1)
            rows.append(Ranked(score, index, needed[numbers[index]], needed=True, aside=not hits))
            continue
        near = [path for path in located if path not in hits and path in text]
        fit = fits[index]
        is_last = index > last - _LAST_STEPS
        score = (_NAMED if told else _NEAR if near or hits else 0.0) + fit * 0.6 + _LATE * index / max(last, 1)
        score += _LAST if is_last else 0.0
        row = Ranked(score, index, _why(hits, near, fit, is_last))
        if told or is_last or (fit >= _FIT and score >= _LEAST):
            rows.append(row)
        elif fit >= _PERHAPS:
            perhaps.append(row)
    perhaps.sort(key=lambda row: -row.score)
    rows += perhaps[: max(0, _FEW - len(rows))]
    return sorted(rows, key=lambda row: (-row.score, -row.position))


def _fits(bm25: Any, criterion: str, number: int) -> list[float]:
    """How well each step's words fit the criterion, from 0 to 1."""
    terms = sorted(set(words(criterion)))
    scores = [max(0.0, float(value)) for value in bm25.get_scores(terms)] if terms else [0.0] * number
    best = max(scores, default=0.0) or 1.0
    return [score / best for score in scores]


def said_text(step: Step) -> str:
    """What an agent itself said and did in a step, and how a command failed: a mere listing of files is left out."""
    result = step.environment or ""
    parts = (step.user_message, step.thought, step.action, result if "Traceback" in result else "")
    return "\n".join(part for part in parts if part)


def step_text(step: Step) -> str:
    """All text of a step."""
    parts = (step.user_message, step.thought, step.action, step.environment)
    return "\n".join(part for part in parts if part)


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
