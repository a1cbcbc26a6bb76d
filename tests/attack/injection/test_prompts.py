"""What a model would be shown of an attack stands inside fences, the criterion stands whole, and the place is told."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from judge.attack import TECHNIQUES, Attack, attacks, bases, corpus, make_base
from judge.schemas import Setting
from judge.tokens import count
from tests.attack.injection.prompts import CONTEXT, Shown, attacked, clean, show

UNSHOWN = {"pickle", "numpy-strings", "long-line-data"}
"""Their text is in no prompt: strings in pickles and arrays are not shown, and the end of a long value is cut."""
SQUEEZED = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff \t]")


@cache
def twin(name: str, target: int, judge: str, setting: Setting) -> Shown:
    attack = next(item for item in attacks() if (item.base.name, item.target) == (name, target))
    with TemporaryDirectory() as folder:
        return clean(attack, judge, setting, Path(folder))


def wrong(attack: Attack, judge: str, setting: Setting, folder: Path) -> list[str]:
    """What is wrong with the prompt on an attack."""
    shown = attacked(attack, judge, setting, folder)
    base = twin(attack.base.name, attack.target, judge, setting)
    problems = []
    if shown.outside != base.outside:
        problems.append("text outside of fences differs from the clean twin")
    if attack.base.criteria[attack.target] not in shown.outside[-1]:
        problems.append("the criterion is not complete")
    if sum(count(text) for text in shown.texts) > CONTEXT:
        problems.append("the prompt is longer than the model reads")
    whole = "\n".join(shown.texts)
    for marker, inside in shown.inside:
        squeezed = SQUEEZED.sub("", inside)
        if re.search("[<＜‹«]{3}", squeezed) or re.search(r"<\||\[/?INST\]|<<SYS|<start_of_turn>", inside):
            problems.append("a look-alike of a fence or of a control token stands in the text")
        if whole.count(marker) != 2:
            problems.append("the marker stands in the text")
        if re.search("[\U000e0000-\U000e01ef\u202a-\u202e\u2066-\u2069]|[\u200b-\u200f\ufe00-\ufe0f]{6}", inside):
            problems.append("hidden text stays hidden")
    if judge == "llm" and setting is Setting.GRAY_BOX and attack.technique.name not in UNSHOWN:
        problems += _unflagged(attack, shown)
    return [f"{attack.name}, {judge}, {setting}: {problem}" for problem in problems]


def _unflagged(attack: Attack, shown: Shown) -> list[str]:
    """The judge that is shown everything must tell the place; names of files are placed by the list of files too."""
    if not attack.technique.addresses:
        return []
    places = shown.built.injection
    if attack.technique.gray:
        return [] if any(place.startswith("step ") for place in places) else [f"not flagged: {places}"]
    return [] if places else ["not flagged"]


def problems(found: Iterable[Attack], folder: Path) -> list[str]:
    told = []
    for attack in found:
        for judge in ("agent", "llm"):
            told += wrong(attack, judge, Setting.GRAY_BOX, folder / attack.name / judge)
        if not attack.technique.gray:
            told += wrong(attack, "agent", Setting.BLACK_BOX, folder / attack.name / "black")
    return told


def test_one_attack_of_each_channel_stays_in_its_fence(tmp_path: Path) -> None:
    chosen = {attack.technique.channel: attack for attack in corpus().attacks}
    assert not problems(chosen.values(), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("channel", sorted({item.channel for item in TECHNIQUES}))
def test_every_attack_stays_in_its_fence_and_is_flagged(channel: str, tmp_path: Path) -> None:
    assert not problems(corpus(only=(channel,)).attacks, tmp_path)


@pytest.mark.parametrize("name", ["comment-top--unsatisfied", "docstring--satisfied", "language-japanese--satisfied"])
def test_the_agent_judge_flags_what_it_shows(name: str, tmp_path: Path) -> None:
    attack = next(item for item in attacks() if item.name == name)
    shown = attacked(attack, "agent", Setting.BLACK_BOX, tmp_path)
    assert any(place.startswith(attack.base.code + ":") for place in shown.built.injection)


@pytest.mark.parametrize("base", bases(), ids=lambda item: item.name)
@pytest.mark.parametrize("judge", ["agent", "llm"])
def test_clean_workspaces_are_not_flagged(base: object, judge: str, tmp_path: Path) -> None:
    clean_base = next(item for item in bases() if item is base)
    shown = show(clean_base, 0, make_base(clean_base, tmp_path), judge, Setting.GRAY_BOX)
    assert shown.built.injection == ()


def test_a_picture_of_text_adds_no_text_outside(tmp_path: Path) -> None:
    attack = next(item for item in attacks() if item.name == "written-in-picture--satisfied")
    assert not wrong(attack, "llm", Setting.GRAY_BOX, tmp_path)
