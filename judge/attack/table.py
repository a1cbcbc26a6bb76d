"""All attacks: every technique in both directions."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from importlib.util import find_spec
from typing import NamedTuple

from judge.attack.channels.claims import CLAIMS
from judge.attack.channels.code import CODE
from judge.attack.channels.data import DATA
from judge.attack.channels.hidden import HIDDEN
from judge.attack.channels.media import MEDIA
from judge.attack.channels.names import NAMES
from judge.attack.channels.office import OFFICE
from judge.attack.channels.prompts import PROMPTS
from judge.attack.channels.prose import PROSE
from judge.attack.channels.trajectory import TRAJECTORY
from judge.attack.channels.weights import WEIGHTS
from judge.attack.model import Attack, bases
from judge.schemas import Setting, VerdictValue

TECHNIQUES = (
    *CODE,
    *CLAIMS,
    *PROSE,
    *PROMPTS,
    *HIDDEN,
    *NAMES,
    *DATA,
    *OFFICE,
    *MEDIA,
    *WEIGHTS,
    *TRAJECTORY,
)
DIRECTIONS = (VerdictValue.SATISFIED, VerdictValue.UNSATISFIED)


class Corpus(NamedTuple):
    """What is tried.

    Attributes:
        attacks: In a fixed order.
        notes: What is left out and why, one sentence each.
    """

    attacks: tuple[Attack, ...]
    notes: tuple[str, ...]


def attacks() -> tuple[Attack, ...]:
    """Every technique in both directions, spread over the bases and their requirements."""
    found = []
    for direction in DIRECTIONS:
        places = [(base, target) for base in bases() for target in base.targets(direction)]
        for number, technique in enumerate(TECHNIQUES):
            base, target = places[number % len(places)]
            found.append(Attack(technique, direction, base, target))
    return tuple(found)


def corpus(setting: Setting = Setting.GRAY_BOX, only: Sequence[str] = (), exclude: Sequence[str] = ()) -> Corpus:
    """The attacks that can be made here.

    Args:
        setting: Black-box leaves out what is in the trajectory alone.
        only: Patterns of names or channels; none means all.
        exclude: Patterns of names or channels.
    """
    chosen, notes = [], []
    missing: dict[str, list[str]] = {}
    for attack in attacks():
        names = (attack.name, attack.technique.channel)
        if (only and not _fits(names, only)) or _fits(names, exclude):
            continue
        technique = attack.technique
        if technique.gray and setting is Setting.BLACK_BOX:
            continue
        if technique.needs and find_spec(technique.needs) is None:
            missing.setdefault(technique.needs, []).append(attack.name)
        else:
            chosen.append(attack)
    notes += [f"{', '.join(names)}: not made, {package} is not installed" for package, names in missing.items()]
    return Corpus(tuple(chosen), tuple(notes))


def _fits(names: Sequence[str], patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(name, pattern) for name in names for pattern in patterns)
