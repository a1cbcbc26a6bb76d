"""From attacks to tasks of a run: each attack is one task with one requirement, each clean twin another."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from judge.attack.build import Made, make_attack, make_base
from judge.attack.model import Attack, Base
from judge.attack.table import Corpus
from judge.engine.plan import TaskPlan


class Written(NamedTuple):
    """A corpus on disk.

    Attributes:
        plans: Clean twins first, then attacks.
        attacks: Those that could be written.
        notes: What is left out and why, one sentence each.
    """

    plans: tuple[TaskPlan, ...]
    attacks: tuple[Attack, ...]
    notes: tuple[str, ...]


def clean_name(base: Base, target: int) -> str:
    """The name of the task of a clean twin."""
    return f"clean--{base.name}--{target}"


def write_corpus(found: Corpus, folder: Path, *, steps: bool) -> Written:
    """Writes the workspaces of a corpus with their clean twins.

    Args:
        found: What is tried.
        folder: An empty folder.
        steps: Whether the trajectory of each is judged too.

    Raises:
        OSError: A clean twin cannot be written.
    """
    notes = list(found.notes)
    plans: list[TaskPlan] = []
    written: list[Attack] = []
    for attack in found.attacks:
        try:
            made = make_attack(attack, folder / attack.name)
        except (OSError, ImportError, ValueError) as error:  # a name that this file system refuses, a part that is gone
            notes.append(f"{attack.name}: not made, {' '.join(str(error).split())[:200]}")
            continue
        plans.append(_plan(attack.base, attack.target, attack.name, made, steps))
        written.append(attack)
    twins = {clean_name(item.base, item.target): item for item in written}
    clean = [
        _plan(item.base, item.target, name, make_base(item.base, folder / name), steps) for name, item in twins.items()
    ]
    return Written((*clean, *plans), tuple(written), tuple(notes))


def _plan(base: Base, target: int, name: str, made: Made, steps: bool) -> TaskPlan:
    return TaskPlan(base.task(name, [target]), made.workspace, made.trajectory if steps else None)
