"""The offline judge within the engine."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

from judge.engine.judges import RulesJudge
from judge.schemas import VerdictValue


def test_a_criterion_of_absurd_length_is_not_judged_rather_than_hung_on() -> None:
    asked: list[Any] = []
    case = SimpleNamespace(
        task=SimpleNamespace(name="A"), requirement=SimpleNamespace(requirement_id=3, criteria="`" * 1_000_000)
    )
    session = RulesJudge(lambda given: cast("Any", asked.append(given))).session()
    outcome = asyncio.run(session.judge(cast("Any", case)))
    assert outcome.judgment.verdict == VerdictValue.ERROR and "1,000,000" in outcome.judgment.error and not asked
