"""The module ``retrieve``: the steps of the trajectory that matter for one requirement."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any

from judge.modules.base import Case
from judge.modules.retrieve.elide import Shown, shown_files
from judge.modules.retrieve.needed import needed_steps, only_wrote, touched
from judge.modules.retrieve.rank import Ranked, names_in, rank, said_text, step_text
from judge.modules.retrieve.show import Frame, boilerplate, show_step
from judge.modules.words import words
from judge.schemas import Evidence, EvidenceKind, Setting
from judge.tokens import count

if TYPE_CHECKING:
    from judge.schemas import Trajectory
    from judge.trajectories import FileEvent, FileHistory

_INDEX_CHARS = 20_000
_LEAST = 60
_TOUCHES = 12
_CONSIDERED = 80
_SURE = 0.5


@dataclass(slots=True)
class _Tables:
    """What is made once for one trajectory."""

    trajectory: Trajectory
    history: FileHistory
    bm25: Any
    texts: list[str]
    said: list[str]
    noise: frozenset[str]
    events: dict[int, list[FileEvent]]


class Retrieve:
    """Chooses steps of one trajectory; its tables are built once."""

    name = "retrieve"

    def __init__(self) -> None:
        """Makes a module for one trajectory."""
        self._lock = Lock()
        self._tables: _Tables | None = None

    async def gather(self, case: Case, found: Sequence[Evidence]) -> Sequence[Evidence]:
        """Steps in the order they happened, and a note on those that were left out.

        Steps that last made a file in question, or ran what makes it, are always there as far as the budget goes;
        the others are chosen by relevance, late ones first.

        Args:
            case: The requirement; without a trajectory, or black-box, there is nothing to find.
            found: What other modules found; what is shown of files is not repeated.

        Returns:
            Evidence of kind ``step``, within the budget, and one of kind ``note``.
        """
        if case.trajectory is None or case.setting == Setting.BLACK_BOX or not case.trajectory.steps:
            return ()
        return await asyncio.to_thread(self._retrieve, case, case.trajectory, found)

    def _retrieve(self, case: Case, trajectory: Trajectory, found: Sequence[Evidence]) -> list[Evidence]:
        with self._lock:
            if self._tables is None or self._tables.trajectory is not trajectory:
                self._tables = _build(trajectory)
            tables = self._tables
        needed = needed_steps(case, tables.history, found)
        numbers = [step.step for step in trajectory.steps]
        ranked = rank(case, found, tables.texts, tables.said, tables.bm25, numbers, needed)
        frame = Frame(tables.noise, tables.events, tuple(_names(case, found)))
        chosen, wrote = _fitting(case, tables, ranked, _files(found), frame)
        shown = _files(found)
        steps = []
        for item in sorted(chosen, key=lambda item: item.position):
            evidence = _evidence(tables, item, _budget(case, item), shown, frame)
            shown.add_step(evidence.step or 0, evidence.text)
            steps.append(evidence)
        note = _left_out(tables, {item.position for item in chosen}, wrote, found)
        return [*steps, note] if note is not None else steps


def _build(trajectory: Trajectory) -> _Tables:
    from rank_bm25 import BM25Okapi

    from judge.trajectories import file_history

    texts = [step_text(step) for step in trajectory.steps]
    bm25 = BM25Okapi([words(_ends(text)) or ["-"] for text in texts])
    said = [said_text(step) for step in trajectory.steps]
    history = file_history(trajectory)
    events: dict[int, list[FileEvent]] = {}
    for event in history.all_events:
        events.setdefault(event.step, []).append(event)
    return _Tables(trajectory, history, bm25, texts, said, boilerplate(trajectory.steps), events)


def _files(found: Sequence[Evidence]) -> Shown:
    return shown_files((item.path, item.text) for item in found if item.module == "read" and item.path)


def _names(case: Case, found: Sequence[Evidence]) -> list[str]:
    paths = [item.path for item in found if item.module == "locate" and item.path and _is_sure(item)]
    return [*names_in(case.requirement.criteria), *(path.rsplit("/", 1)[-1] for path in paths)]


def _budget(case: Case, item: Ranked) -> int:
    """Tokens of one step: less for what is only perhaps telling."""
    return case.bounds.step_tokens if item.needed else case.bounds.step_tokens // 3


def _fitting(
    case: Case, tables: _Tables, ranked: Sequence[Ranked], shown: Shown, frame: Frame
) -> tuple[list[Ranked], dict[int, str]]:
    """As many of the best steps as the budget holds, and steps that a note tells in full: number -> file written."""
    left = case.bounds.retrieve_tokens
    chosen = []
    wrote = {}
    for item in ranked[:_CONSIDERED]:
        if left < _LEAST:
            break
        number = tables.trajectory.steps[item.position].step
        path = only_wrote(tables.history, number, tables.events.get(number, ()), shown.whole) if item.aside else ""
        evidence = _evidence(tables, item, _budget(case, item), shown, frame)
        if path and not evidence.facts:
            wrote[number] = path
        elif evidence.tokens <= left:
            chosen.append(item)
            left -= evidence.tokens
    return chosen, wrote


def _evidence(tables: _Tables, item: Ranked, tokens: int, shown: Shown, frame: Frame) -> Evidence:
    step = tables.trajectory.steps[item.position]
    told = show_step(step, tokens, shown, frame)
    return Evidence(
        module="retrieve",
        kind=EvidenceKind.STEP,
        title=f"Step {step.step}",
        text=told.text,
        step=step.step,
        why=item.why,
        facts={"failed": True} if told.failed else {},
        tokens=count(told.text),
    )


def _left_out(
    tables: _Tables, chosen: set[int], wrote: Mapping[int, str], found: Sequence[Evidence]
) -> Evidence | None:
    """Which steps are not shown, and what they did to the files in question."""
    steps = tables.trajectory.steps
    out = [step.step for position, step in enumerate(steps) if position not in chosen and (position or len(steps) == 1)]
    if not out:
        return None
    paths = [item.path for item in found if item.module == "locate" and item.path and _is_sure(item)]
    paths += [item.facts["missing"] for item in found if isinstance(item.facts.get("missing"), str)]
    notes: list[str] = []
    hits = touched(tables.history, paths)
    for number in out:
        hit = hits.get(number, [])
        if number in wrote:
            notes.append(f"{number} was the last to write {wrote[number]}")
        elif hit and len(notes) < _TOUCHES:
            notes.append(f"{number} touches {', '.join(hit[:3])}")
    text = f"steps not shown: {_ranges(out)}" + (f" ({'; '.join(notes)})" if notes else "")
    return Evidence(
        module="retrieve",
        kind=EvidenceKind.NOTE,
        title="trajectory",
        text=text,
        facts={"steps": out},
        tokens=count(text),
    )


def _is_sure(item: Evidence) -> bool:
    score = item.facts.get("score")
    return isinstance(score, (int, float)) and score >= _SURE


def _ranges(numbers: Sequence[int]) -> str:
    """Numbers as ranges.

    >>> _ranges([1, 2, 3, 5])
    '1-3, 5'
    """
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ", ".join(str(part[0]) if len(part) == 1 else f"{part[0]}-{part[-1]}" for part in parts)


def _ends(text: str) -> str:
    half = _INDEX_CHARS // 2
    return text if len(text) <= _INDEX_CHARS else f"{text[:half]}\n{text[-half:]}"
