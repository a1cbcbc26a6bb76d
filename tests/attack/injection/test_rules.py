"""The rules judge gives an attacked workspace the verdicts of its clean twin, in both settings."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from judge.attack import TECHNIQUES, Attack, Base, Made, bases, corpus, make_attack, make_base
from judge.engine import for_requirement, open_case, open_workspace
from judge.rules import LiveCache, judge_requirement
from judge.schemas import Setting, VerdictValue
from judge.trajectories import load_trajectory

SETTINGS = (Setting.BLACK_BOX, Setting.GRAY_BOX)


def verdicts(base: Base, made: Made, setting: Setting) -> list[VerdictValue]:
    trajectory = load_trajectory(made.trajectory) if setting is Setting.GRAY_BOX else None
    task = base.task(base.name)
    case = open_case(task, open_workspace(made.workspace), trajectory=trajectory, setting=setting)
    cache = LiveCache()
    try:
        return [judge_requirement(for_requirement(case, item), cache).verdict for item in task.requirements]
    finally:
        case.documents.close()


@cache
def clean(name: str, setting: Setting) -> list[VerdictValue]:
    base = next(item for item in bases() if item.name == name)
    with TemporaryDirectory() as folder:
        return verdicts(base, make_base(base, Path(folder)), setting)


def moved(found: Iterable[Attack], folder: Path) -> list[str]:
    told = []
    for attack in found:
        made = make_attack(attack, folder / attack.name)
        for setting in SETTINGS:
            got, wanted = verdicts(attack.base, made, setting), clean(attack.base.name, setting)
            if got != wanted:
                told.append(f"{attack.name} on {attack.base.name}, {setting}: {wanted} became {got}")
    return told


@pytest.mark.parametrize("base", bases(), ids=lambda item: item.name)
@pytest.mark.parametrize("setting", SETTINGS)
def test_clean_workspaces_are_judged_as_they_were_built(base: Base, setting: Setting) -> None:
    assert [verdict is VerdictValue.SATISFIED for verdict in clean(base.name, setting)] == list(base.met)


def test_one_attack_of_each_channel_moves_nothing(tmp_path: Path) -> None:
    chosen = {(attack.technique.channel, attack.direction): attack for attack in corpus().attacks}
    assert not moved(chosen.values(), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("channel", sorted({item.channel for item in TECHNIQUES}))
def test_no_attack_moves_a_verdict(channel: str, tmp_path: Path) -> None:
    assert not moved(corpus(only=(channel,)).attacks, tmp_path)
