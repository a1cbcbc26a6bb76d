"""A task as a whole: one shared part, the first question alone where prompts are kept, the same words on a rerun."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from judge.engine import AgentJudge, RunFolder, RunOptions, TaskPlan, build_header, prepare
from judge.engine.run import run
from judge.models import Reply, Request
from judge.schemas import Requirement, Task, Usage

GOOD = '{"reason": "r", "citations": [], "confidence": 0.7, "verdict": "SATISFIED"}'
CODE = "".join(f"value_{n} = compute({n})\n" for n in range(300))


class Model:
    """Keeps what it is asked, and how many were in flight then."""

    id = "fake:m"
    sees_images = False
    context_tokens = 100_000

    def __init__(self, fails: str = "") -> None:
        self.requests: list[Request] = []
        self.flying = 0
        self.with_others: list[int] = []
        self._fails = fails

    async def complete(self, request: Request) -> Reply:
        self.flying += 1
        self.requests.append(request)
        self.with_others.append(self.flying)
        await asyncio.sleep(0.1)
        self.flying -= 1
        if self._fails and any(self._fails in message.text for message in request.messages):
            return Reply("no")
        return Reply(GOOD, usage=Usage(calls=1, cost=0.0))

    async def close(self) -> None:
        pass


def judged(root: Path, model: Model, *, number: int = 5, tasks: str = "a", out: str = "out", **options: Any) -> Any:
    place = root / "ws" / "src"
    place.mkdir(parents=True, exist_ok=True)
    (place / "main.py").write_text(CODE, encoding="utf-8")
    items = tuple(Requirement(requirement_id=n, criteria=f"Value {n} is in `src/main.py`.") for n in range(number))
    plans = [TaskPlan(Task(name=name, query="q", requirements=items), root / "ws") for name in tasks]
    chosen = RunOptions(judge="agent", **options)
    judge = AgentJudge(model, chosen)
    prepared = prepare(plans, chosen)
    header = build_header(prepared, chosen, model=model.id, prompts=judge.prompts())
    with RunFolder(root / out, header) as folder:
        return run(prepared, judge, chosen, folder)


def prefixes(model: Model) -> list[str]:
    return ["".join(message.text for message in request.messages[:-1]) for request in model.requests]


def test_what_a_task_shares_is_sent_alike_and_the_file_once_in_each_prompt(tmp_path: Path) -> None:
    model = Model()
    assert judged(tmp_path, model, tasks="ab").totals.satisfied == 10
    assert len(model.requests) == 10 and len(set(prefixes(model))) == 1
    for request in model.requests:
        assert "".join(message.text for message in request.messages).count("value_7 = compute(7)") == 1
        assert [message.cache for message in request.messages] == [False, True, False]


def test_where_prompts_are_kept_the_first_question_of_each_task_goes_alone(tmp_path: Path) -> None:
    model = Model()
    judged(tmp_path, model, warm=True, concurrency=16)
    assert model.with_others == [1, 1, 2, 3, 4]
    cold = Model()
    judged(tmp_path, cold, out="cold", concurrency=16)
    assert cold.with_others == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("number", [1, 2])
def test_few_requirements_do_not_wait_for_each_other(tmp_path: Path, number: int) -> None:
    model = Model()
    judged(tmp_path, model, number=number, warm=True, concurrency=16)
    assert model.with_others == [1, 2][:number]


def test_the_first_question_is_one_vote_alone(tmp_path: Path) -> None:
    model = Model()
    judged(tmp_path, model, warm=True, votes=3, concurrency=16)
    assert model.with_others[:3] == [1, 1, 1] and [request.vote for request in model.requests[:2]] == [0, 1]
    assert len(model.requests) == 10


def test_a_first_question_that_fails_holds_nobody_up(tmp_path: Path) -> None:
    model = Model(fails="Value 0 is in `src/main.py`.")
    result = judged(tmp_path, model, warm=True)
    assert result.totals.satisfied == 4 and result.totals.errors == 1


def test_a_continued_run_words_its_prompts_alike(tmp_path: Path) -> None:
    first, second = Model(fails="Value 3 is in `src/main.py`."), Model()
    judged(tmp_path, first)
    result = judged(tmp_path, second)
    assert result.totals.satisfied == 5 and len(second.requests) == 1
    hashes = {}
    for line in (item for task in result.tasks for item in task.verdicts.values()):
        hashes.setdefault(line.requirement_id, set()).add(line.prompt_hash)
    assert all(len(found) == 1 for found in hashes.values())
    bare = [text.split("<<<BEGIN")[0] for text in prefixes(second)]
    assert set(bare) == {text.split("<<<BEGIN")[0] for text in prefixes(first)}
