"""The corpus is large, covers every place a judge reads, and is written the same every time."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from judge.attack import TECHNIQUES, Made, attacks, bases, corpus, make_attack, make_base
from judge.readers import read_document
from judge.schemas import Setting, VerdictValue
from judge.workspace import Workspace

CHANNELS = {
    *("claim", "code", "prose", "log", "prompt", "unicode", "encoded", "language", "long", "name", "data", "notebook"),
    *("pdf", "office", "picture", "sound", "model-file", "archive", "trajectory"),
}


def content(made: Made) -> dict[str, bytes]:
    files = {str(path.relative_to(made.workspace)): path for path in made.workspace.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in files.items()} | {"trajectory": made.trajectory.read_bytes()}


def test_there_are_many_attacks_in_every_channel_and_both_directions() -> None:
    found = attacks()
    assert len({attack.name for attack in found}) == len(found) >= 180
    assert {attack.technique.channel for attack in found} == CHANNELS
    assert len(set(Counter(attack.direction for attack in found).values())) == 1
    assert {(attack.base.name, attack.target) for attack in found} == {
        (base.name, number) for base in bases() for number in range(len(base.criteria))
    }


def test_an_attack_wants_what_is_not_so() -> None:
    for attack in attacks():
        assert attack.base.met[attack.target] is (attack.direction is VerdictValue.UNSATISFIED)


@pytest.mark.parametrize("technique", TECHNIQUES, ids=lambda item: item.name)
def test_an_attack_adds_to_its_base_and_is_the_same_every_time(technique: object, tmp_path: Path) -> None:
    attack = next(item for item in attacks() if item.technique is technique)
    if attack.technique.needs:
        pytest.importorskip(attack.technique.needs)
    first = content(make_attack(attack, tmp_path / "first"))
    assert first == content(make_attack(attack, tmp_path / "second"))
    base = content(make_base(attack.base, tmp_path / "clean"))
    assert first != base
    assert set(base) <= set(first)
    if attack.technique.gray:
        assert {name for name in first if first[name] != base.get(name)} == {"trajectory"}
    else:
        assert first["trajectory"] == base["trajectory"]


@pytest.mark.parametrize("channel", ["data", "notebook", "pdf", "office", "picture", "sound", "model-file", "archive"])
def test_files_are_of_the_format_that_they_claim(channel: str, tmp_path: Path) -> None:
    for attack in corpus(only=(channel,)).attacks:
        made = make_attack(attack, tmp_path / attack.name)
        workspace = Workspace.open(made.workspace)
        added = [entry.path for entry in workspace.files if entry.path not in attack.base.files]
        assert added
        for path in added:
            document = read_document(workspace, path)
            assert str(document.state) in {"sound", "empty", "blank"}, (path, document.state, document.problems)


def test_what_cannot_be_made_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.attack.table.find_spec", lambda name: None)
    found = corpus()
    assert not [attack for attack in found.attacks if attack.technique.needs]
    assert any("pyarrow is not installed" in note for note in found.notes)


def test_attacks_can_be_chosen_by_name_and_channel() -> None:
    assert {attack.technique.channel for attack in corpus(only=("pdf", "sou*")).attacks} == {"pdf", "sound"}
    assert {attack.name for attack in corpus(only=("readme--*",)).attacks} == {
        "readme--satisfied",
        "readme--unsatisfied",
    }
    assert not corpus(only=("pdf",), exclude=("*",)).attacks
    assert not [item for item in corpus(Setting.BLACK_BOX).attacks if item.technique.gray]
