"""Packs and relations: code of others, run where it belongs, its faults on one line."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Sequence
from itertools import count
from typing import Any

import pytest

from judge.errors import InputError
from judge.score.edge import EdgeInput, Verdict, check_relations, pack_inputs, parse_signature
from judge.score.edge import packs as packs_module
from judge.score.reply import Raised, Reply, Status
from judge.score.suite.model import Metamorphic

SIGNATURE = parse_signature("(numeral: str)")


def roman(signature: str, parameters: list[str]) -> Any:
    return [(["IV"], "subtractive"), ((), {"numeral": "MMMCMXCIX"}, "large")]


def endless(signature: str, parameters: list[str]) -> Any:
    return (([number], "counted") for number in count())


def broken(signature: str, parameters: list[str]) -> Any:
    raise ValueError("first line\nsecond line")


def odd(signature: str, parameters: list[str]) -> Any:
    return ["IV"]


def foreign(signature: str, parameters: list[str]) -> Any:
    return [([[object()]], "kind")]


def nothing(signature: str, parameters: list[str]) -> Any:
    return None


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    points = importlib.metadata.EntryPoints(
        importlib.metadata.EntryPoint(f"expert.{name}", f"{__name__}:{name}", packs_module.GROUP)
        for name in ("roman", "endless", "broken", "odd", "foreign", "nothing", "missing")
    )
    known = {name: globals().get(name) for name in ("roman", "endless", "broken", "odd", "foreign", "nothing")}

    def load(self: importlib.metadata.EntryPoint) -> Any:
        made = known.get(self.name.rpartition(".")[2])
        if made is None:
            raise ImportError("no module named expert")
        return made

    monkeypatch.setattr(importlib.metadata.EntryPoint, "load", load)
    monkeypatch.setattr(packs_module, "entry_points", lambda group: points.select(group=group))


def no_call(name: str, args: Sequence[Any]) -> Reply:
    raise AssertionError("nothing beside the suite is called")


def test_packs_give_inputs_with_their_own_kinds() -> None:
    assert pack_inputs(["expert.roman"], SIGNATURE, no_call) == [
        EdgeInput(("IV",), {}, "subtractive", "expert.roman", ("ordinary",)),
        EdgeInput((), {"numeral": "MMMCMXCIX"}, "large", "expert.roman", ("ordinary",)),
    ]


def test_an_endless_pack_is_cut() -> None:
    assert len(pack_inputs(["expert.endless"], SIGNATURE, no_call)) == 1000


def test_no_pack_is_loaded_unless_it_is_named() -> None:
    assert pack_inputs([], SIGNATURE, no_call) == []


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("expert.broken", "ValueError"),
        ("expert.odd", "(args, category)"),
        ("expert.foreign", "a object cannot be carried"),
        ("expert.nothing", "TypeError"),
        ("expert.missing", "ImportError"),
        ("expert.romann", "did you mean expert.roman?"),
        ("unheard", "installed"),
    ],
)
def test_faults_of_a_pack_are_one_line(name: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        pack_inputs([name], SIGNATURE, no_call)
    assert said in str(caught.value)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


def test_packs_beside_the_suite_are_called_by_the_caller() -> None:
    asked: list[Any] = []

    def call(name: str, args: Sequence[Any]) -> Reply:
        asked.append((name, tuple(args)))
        return Reply(Status.RETURNED, [(("X",), "single"), [["V"], {}, "single"]])

    found = pack_inputs(["more.py:cases"], SIGNATURE, call)
    assert asked == [("more.py:cases", ("(numeral: str)", ["numeral"]))]
    assert [item.args for item in found] == [("X",), ("V",)]
    assert {item.source for item in found} == {"more.py:cases"}


@pytest.mark.parametrize(
    "reply",
    [
        Reply(Status.RAISED, raised=Raised(("KeyError",), "x\ny")),
        Reply(Status.TIMEOUT, detail="10 s"),
        Reply(Status.RETURNED, "text"),
        Reply(Status.RETURNED, [1]),
        Reply(Status.RETURNED, [(["a"], 5)]),
        Reply(Status.RETURNED, [(["a"], {1: 2}, "x")]),
    ],
)
def test_faults_of_a_pack_beside_the_suite_are_one_line(reply: Reply) -> None:
    with pytest.raises(InputError) as caught:
        pack_inputs(["more.py:cases"], SIGNATURE, lambda name, args: reply)
    assert "more.py:cases" in str(caught.value)
    assert "\n" not in str(caught.value)


RELATION = Metamorphic(name="shift", transform="r.py:shift", relation="r.py:moved")


def suite_side(name: str, args: Sequence[Any]) -> Reply:
    if name.endswith("shift"):
        first = args[0][0]
        return Reply(Status.RETURNED, None if not first else [[item + 10 for item in first]])
    before, after, _, _ = args
    return Reply(Status.RETURNED, after == before + 10)


@pytest.mark.parametrize(("answer", "verdict"), [(max, Verdict.PASS), (lambda items: max(items) % 7, Verdict.FAIL)])
def test_relations_judge_two_answers(answer: Any, verdict: Verdict) -> None:
    (found,) = check_relations(
        [RELATION], [EdgeInput(([1, 5],))], suite_side, lambda args, kwargs: Reply(Status.RETURNED, answer(*args))
    )
    assert found.outcome.verdict is verdict
    assert found.changed is not None
    assert found.changed.args == ([11, 15],)


def test_what_a_relation_cannot_judge_is_dropped() -> None:
    def ask(args: Any, kwargs: Any) -> Reply:
        return Reply(Status.RETURNED, 1)

    (left_alone,) = check_relations([RELATION], [EdgeInput(([],))], suite_side, ask)
    assert left_alone.outcome.verdict is Verdict.DROP

    def failing(name: str, args: Sequence[Any]) -> Reply:
        return Reply(Status.RAISED) if name.endswith("moved") else suite_side(name, args)

    (failed,) = check_relations([RELATION], [EdgeInput(([1],))], failing, ask)
    assert failed.outcome.verdict is Verdict.DROP
    (crashed,) = check_relations(
        [RELATION], [EdgeInput(([1],))], suite_side, lambda args, kwargs: Reply(Status.CRASHED)
    )
    assert crashed.outcome.verdict is Verdict.FAIL
