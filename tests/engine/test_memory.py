"""A run keeps places of verdicts, not verdicts: memory does not grow with the number of requirements."""

from __future__ import annotations

import gc
from pathlib import Path

from judge.engine import RulesJudge, RunFolder, RunOptions, Silent, TaskPlan, build_header, prepare
from judge.engine.run import run
from judge.modules.base import Case
from judge.schemas import Citation, Evidence, Judgment, Requirement, Task, Usage, VerdictValue

_MANY = 120


def decide(case: Case) -> Judgment:
    number = case.requirement.requirement_id
    return Judgment(
        task=case.task.name,
        requirement_id=number,
        verdict=VerdictValue.SATISFIED if number % 2 else VerdictValue.UNSATISFIED,
        reason=f"reason {number}",
        confidence=0.5,
        citations=(Citation(path="a.py", line=1, quote="x = 1"),),
        usage=Usage(calls=1, input_tokens=10),
    )


class Watch(Silent):
    """Counts what is alive at the end of each task."""

    def __init__(self) -> None:
        self.before = _alive()  # other tests may have left some
        self.alive: list[tuple[int, int]] = []

    def task_finished(self, name: str) -> None:
        judgments, evidence = _alive()
        self.alive.append((judgments - self.before[0], evidence - self.before[1]))


def _alive() -> tuple[int, int]:
    gc.collect()
    kinds = [type(item) for item in gc.get_objects()]
    return kinds.count(Judgment), kinds.count(Evidence)


def test_verdicts_and_evidence_are_let_go_and_read_again(tmp_path: Path) -> None:
    (tmp_path / "ws").mkdir()
    (tmp_path / "ws" / "a.py").write_text("x = 1\n", encoding="utf-8")
    items = tuple(Requirement(requirement_id=number, criteria=f"{number}: `a.py`.") for number in range(_MANY))
    plans = [TaskPlan(Task(name=f"t{n}", query="q", requirements=items), tmp_path / "ws") for n in range(3)]
    options, watch, judge = RunOptions(concurrency=2), Watch(), RulesJudge(decide)
    prepared = prepare(plans, options)
    header = build_header(prepared, options, model="", prompts={})
    with RunFolder(tmp_path / "out", header) as folder:
        result = run(prepared, judge, options, folder, watch)
    assert len(watch.alive) == 3
    assert all(judgments < 20 and evidence < 20 for judgments, evidence in watch.alive), watch.alive
    assert result.totals.satisfied == 3 * _MANY // 2 and result.usage_total.calls == 3 * _MANY
    assert result.costs.tasks["t1"].calls == _MANY
    verdicts = result.tasks[2].verdicts
    assert len(verdicts) == _MANY and verdicts[7].reason == "reason 7" and _MANY not in verdicts
    assert [item.requirement_id for item in verdicts.values()] == sorted(verdicts)
