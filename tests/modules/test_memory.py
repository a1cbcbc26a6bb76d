"""Earlier verdicts as evidence: the judge's own, marked as such."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

from judge.modules.ask import Ask
from judge.modules.base import Case
from judge.modules.memory import Memory
from judge.schemas import EvidenceKind, Judgment, VerdictValue

Make = Callable[..., Case]


def judgment(number: int, verdict: VerdictValue, reason: str = "") -> Judgment:
    return Judgment(task="t", requirement_id=number, verdict=verdict, reason=reason, confidence=0.9)


def test_earlier_verdicts_are_told_with_reason_and_as_possibly_wrong(make_case: Make) -> None:
    case = make_case({"a.py": "x = 1\n"}, "It runs.", earlier=("Data is loaded.", "A model is trained.", "Plots."))
    earlier = (
        judgment(0, VerdictValue.SATISFIED, "`a.py` reads it.\nSecond line."),
        judgment(1, VerdictValue.UNSATISFIED, "No model."),
        judgment(2, VerdictValue.ERROR),
    )
    (item,) = asyncio.run(Memory().gather(replace(case, earlier=earlier), []))
    assert item.kind == EvidenceKind.MEMORY and "may be wrong" in item.title
    lines = item.text.splitlines()
    assert lines[0] == "prerequisite 0 (Data is loaded.): SATISFIED - `a.py` reads it. Second line."
    assert lines[1] == "prerequisite 1 (A model is trained.): UNSATISFIED - No model."
    assert lines[2] == "prerequisite 2 (Plots.): not judged, nothing follows from it"
    prompt = "\n".join(message.text for message in Ask().build(case, [item]).request.messages)
    assert "may be wrong" in prompt and "UNSATISFIED - No model." in prompt


def test_nothing_decided_gives_nothing(make_case: Make) -> None:
    assert asyncio.run(Memory().gather(make_case({"a.py": ""}, "It runs."), [])) == ()


def test_of_very_many_the_latest_are_kept(make_case: Make) -> None:
    case = make_case({"a.py": ""}, "It runs.", earlier=tuple(f"Criterion {n} " + "word " * 40 for n in range(200)))
    many = tuple(judgment(n, VerdictValue.SATISFIED, "reason " * 500) for n in range(200))
    (item,) = asyncio.run(Memory().gather(replace(case, earlier=many), []))
    assert item.tokens < 1_700 and "prerequisite 199 " in item.text and "earlier ones are left out" in item.text
