"""The module ``retrieve``: the steps of the trajectory that matter for one requirement."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from judge.modules.base import Case
from judge.modules.locate.mentions import Named, mentions
from judge.modules.words import words
from judge.schemas import Evidence, EvidenceKind, Setting, Step
from judge.tokens import count, cut_middle

if TYPE_CHECKING:
    from judge.schemas import Trajectory

_INDEX_CHARS = 20_000
_FIT = 0.25
_LEAST = 60
_LATE = 0.35
_NAMED = 1.0
_LAST_STEPS = 1
_FAILURE = re.compile(
    r"Traceback \(most recent call last\)|^\w*(?:Error|Exception)\b|exit code [1-9]|command not found|No such file",
    re.MULTILINE,
)


class _Scored(NamedTuple):
    score: float
    position: int
    why: str


class Retrieve:
    """Chooses steps of one trajectory; its ranking table is built once."""

    name = "retrieve"

    def __init__(self) -> None:
        """Makes a module for one trajectory."""
        self._lock = Lock()
        self._trajectory: Trajectory | None = None
        self._bm25: Any = None
        self._texts: list[str] = []

    async def gather(self, case: Case, found: Sequence[Evidence]) -> Sequence[Evidence]:
        """Steps in the order they happened, chosen by relevance with late ones first.

        Args:
            case: The requirement; without a trajectory, or black-box, there is nothing to find.
            found: What other modules found; steps that name located files come first.

        Returns:
            Evidence of kind ``step``, within the budget.
        """
        if case.trajectory is None or case.setting == Setting.BLACK_BOX or not case.trajectory.steps:
            return ()
        return await asyncio.to_thread(self._retrieve, case, case.trajectory, found)

    def _retrieve(self, case: Case, trajectory: Trajectory, found: Sequence[Evidence]) -> list[Evidence]:
        with self._lock:
            if self._trajectory is not trajectory:
                self._build(trajectory)
        left = case.bounds.retrieve_tokens
        chosen: list[tuple[int, Evidence]] = []
        for item in self._rank(case, found):
            if left < _LEAST:
                break
            evidence = _evidence(trajectory.steps[item.position], min(left, case.bounds.step_tokens), item.why)
            left -= evidence.tokens
            chosen.append((item.position, evidence))
        return [evidence for _, evidence in sorted(chosen, key=lambda pair: pair[0])]

    def _build(self, trajectory: Trajectory) -> None:
        from rank_bm25 import BM25Okapi

        self._trajectory = trajectory
        self._texts = [_text(step) for step in trajectory.steps]
        self._bm25 = BM25Okapi([words(_ends(text)) or ["-"] for text in self._texts])

    def _rank(self, case: Case, found: Sequence[Evidence]) -> list[_Scored]:
        criterion = case.requirement.criteria
        terms = sorted(set(words(criterion)))
        scores = (
            [max(0.0, float(value)) for value in self._bm25.get_scores(terms)] if terms else [0.0] * len(self._texts)
        )
        best = max(scores, default=0.0) or 1.0
        named = _named(criterion)
        located = [item.path for item in found if item.module == "locate" and item.path and _sure(item)]
        rows = []
        last = len(self._texts) - 1
        for index, text in enumerate(self._texts):
            if index == 0 and last > 0:
                continue  # the task itself, which the prompt holds already
            hits = [name for name in named if name in text]
            near = [path for path in located if path not in hits and path in text]
            fit = scores[index] / best
            if not hits and not near and fit < _FIT and index <= last - _LAST_STEPS:
                continue
            late = _LATE * index / max(last, 1)
            score = (
                (_NAMED if hits else 0.6 if near else 0.0) + fit + late + (0.2 if index > last - _LAST_STEPS else 0.0)
            )
            rows.append(_Scored(score, index, _why(hits, near, fit, index > last - _LAST_STEPS)))
        return sorted(rows, key=lambda row: (-row.score, -row.position))


def _named(criterion: str) -> list[str]:
    """Paths and quoted names in the criterion, with the bare file name of each path."""
    found: list[str] = []
    for item in mentions(criterion):
        if item.kind == Named.FILE or (item.kind == Named.FOLDER and item.quoted):
            found += [item.text, item.text.rstrip("/").rsplit("/", 1)[-1]]
        elif item.quoted and len(item.text) > 2:
            found.append(item.text)
    return list(dict.fromkeys(name for name in found if len(name) > 2))


def _sure(item: Evidence) -> bool:
    score = item.facts.get("score")
    return isinstance(score, (int, float)) and score >= 0.5


def _why(hits: Iterable[str], near: Iterable[str], fit: float, is_last: bool) -> str:
    reasons = []
    named = [*hits, *near]
    if named:
        reasons.append("names " + ", ".join(f"`{name}`" for name in named[:3]))
    if fit >= _FIT:
        reasons.append("shares words with the criterion")
    if is_last:
        reasons.append("last step")
    return "; ".join(reasons)


def _text(step: Step) -> str:
    parts = (step.user_message, step.thought, step.action, step.environment)
    return "\n".join(part for part in parts if part)


def _ends(text: str) -> str:
    half = _INDEX_CHARS // 2
    return text if len(text) <= _INDEX_CHARS else f"{text[:half]}\n{text[-half:]}"


def _evidence(step: Step, tokens: int, why: str) -> Evidence:
    """One step within a budget; what is too long is cut in its middle."""
    parts = [
        ("user", step.user_message or ""),
        ("thought", step.thought),
        ("action", step.action or ""),
        ("result", step.environment or ""),
    ]
    shares = _shares([count(text) for _, text in parts], tokens - 12)
    shown = [
        f"{name}: {cut_middle(text, share)}"
        for (name, text), share in zip(parts, shares, strict=True)
        if text and share
    ]
    text = "\n".join(shown)
    return Evidence(
        module="retrieve",
        kind=EvidenceKind.STEP,
        title=f"Step {step.step}",
        text=text,
        step=step.step,
        why=why,
        facts={"failed": True} if _ends_badly(step) else {},
        tokens=count(text),
    )


def _ends_badly(step: Step) -> bool:
    return bool(step.environment) and bool(_FAILURE.search((step.environment or "")[-4_000:]))


def _shares(sizes: Sequence[int], tokens: int) -> list[int]:
    """Divides a budget: what is short is kept whole, the rest is shared evenly among the long parts."""
    shares = [0] * len(sizes)
    open_parts = [index for index, size in enumerate(sizes) if size]
    left = max(tokens, 0)
    while open_parts:
        even = left // len(open_parts)
        small = [index for index in open_parts if sizes[index] <= even]
        if not small:
            for index in open_parts:
                shares[index] = even
            break
        for index in small:
            shares[index] = sizes[index]
            left -= sizes[index]
            open_parts.remove(index)
    return shares
