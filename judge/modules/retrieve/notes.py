"""What is told of a trajectory beside its steps: which were left out, and whose last state is worth a doubt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from judge.modules.retrieve.needed import touched
from judge.schemas import Evidence, EvidenceKind
from judge.tokens import count

if TYPE_CHECKING:
    from judge.modules.retrieve.tables import Tables

_TOUCHES = 12


def left_out(tables: Tables, chosen: set[int], wrote: Mapping[int, str], paths: Sequence[str]) -> Evidence | None:
    """Which steps are not shown, and what they did to the files in question; None when all are shown.

    Args:
        tables: The trajectory.
        chosen: Positions of the steps that are shown.
        wrote: Steps that only wrote files which are shown: number -> files.
        paths: Files in question.
    """
    steps = tables.trajectory.steps
    out = [step.step for position, step in enumerate(steps) if position not in chosen and (position or len(steps) == 1)]
    if not out:
        return None
    notes: list[str] = []
    hits = touched(tables.history, paths)
    for number in out:
        hit = hits.get(number, [])
        if number in wrote:
            notes.append(f"{number} was the last to write {wrote[number]}")
        elif hit and len(notes) < _TOUCHES:
            notes.append(f"{number} touches {', '.join(hit[:3])}")
    text = f"steps not shown: {_ranges(out)}" + (f" ({'; '.join(notes)})" if notes else "")
    return _note("trajectory", text, {"steps": out})


def state_note(lines: Sequence[str]) -> Evidence | None:
    """The last state of doubtful files; None when there are none."""
    return _note("files in the trajectory", "\n".join(lines), {}) if lines else None


def _note(title: str, text: str, facts: dict[str, object]) -> Evidence:
    return Evidence(module="retrieve", kind=EvidenceKind.NOTE, title=title, text=text, facts=facts, tokens=count(text))


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
