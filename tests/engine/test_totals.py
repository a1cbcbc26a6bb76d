"""The paper's counts, with ERROR in no share unless the rest decides."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judge.engine.totals import totals
from judge.schemas import Requirement, Task, VerdictValue

S, U, E = VerdictValue.SATISFIED, VerdictValue.UNSATISFIED, VerdictValue.ERROR


def task(*prerequisites: tuple[int, ...]) -> Task:
    items = tuple(Requirement(requirement_id=i, prerequisites=p, criteria="c") for i, p in enumerate(prerequisites))
    return Task(name="t", query="q", requirements=items)


def test_direct_and_transitive_prerequisites() -> None:
    counts = totals([(task((), (0,), (1,)), {0: U, 1: S, 2: S})])
    assert (counts.independent.met, counts.dependent.met, counts.transitive.met, counts.solved.met) == (2, 1, 0, 0)
    assert counts.solved.of == 1


def test_errors_are_undecided_unless_something_else_decides() -> None:
    counts = totals([(task((), (0,)), {0: E, 1: S}), (task((), (0,)), {0: E, 1: U}), (task(()), {0: S})])
    assert (counts.independent.met, counts.independent.of) == (2, 3)
    assert (counts.dependent.met, counts.dependent.of) == (1, 2)
    assert (counts.solved.met, counts.solved.of) == (1, 2)
    assert counts.errors == 2


def test_nothing_judged_has_no_rate() -> None:
    counts = totals([(task((), ()), {})])
    assert counts.independent.rate is None
    assert counts.pending == 2


@pytest.mark.shared
@pytest.mark.parametrize(("agent", "expected"), [("MetaGPT", (81, 24, 18, 0)), ("OpenHands", (157, 105, 95, 1))])
def test_counts_of_the_human_consensus(shared_dir: Path, agent: str, expected: tuple[int, ...]) -> None:
    pairs = []
    for path in sorted((shared_dir / "devai" / "judgment" / agent / "human_as_a_judge").glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        labels = {item["requirement_id"]: S if item["satisfied"] else U for item in data["requirements"]}
        pairs.append((Task.model_validate(data), labels))
    counts = totals(pairs)
    found = (counts.independent.met, counts.dependent.met, counts.transitive.met, counts.solved.met)
    assert found == expected
