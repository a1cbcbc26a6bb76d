"""What cells of a sweep share."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from judge.engine.sweep import SharedWorkspaces
from judge.engine.sweep.plan import members_of
from judge.engine.sweep.shared import Memo, MemoModel, request_key
from judge.models import Message, Reply, Request, Role
from judge.results import Cell, SweepJudge
from judge.schemas import Setting, Usage
from judge.workspace import Workspace


class Model:
    """Counts its calls."""

    id = "fake:m"
    sees_images = False
    context_tokens = 1000

    def __init__(self) -> None:
        self.calls = 0

    async def complete(self, request: Request) -> Reply:
        self.calls += 1
        return Reply(f"answer {self.calls}", usage=Usage(calls=1, cost=0.5))

    async def close(self) -> None:
        pass


def test_an_equal_request_is_made_once_and_costs_once() -> None:
    memo, model = Memo(), Model()
    request = Request((Message(Role.USER, "hi"),))
    first = asyncio.run(MemoModel(model, memo).complete(request))
    second = asyncio.run(MemoModel(model, memo).complete(request))
    assert (model.calls, first.text, second.text) == (1, "answer 1", "answer 1")
    assert (first.usage.cost, second.usage) == (0.5, Usage())


def test_every_difference_is_another_request() -> None:
    base = Request((Message(Role.USER, "ab"), Message(Role.USER, "c")))
    others = [
        replace(base, messages=(Message(Role.USER, "a"), Message(Role.USER, "bc"))),
        replace(base, messages=(Message(Role.SYSTEM, "ab"), Message(Role.USER, "c"))),
        replace(base, schema={"type": "object"}),
        replace(base, temperature=0.5),
        replace(base, vote=1),
        replace(base, max_output_tokens=1),
        replace(base, purpose="repair"),
    ]
    keys = {request_key("m", item) for item in (base, *others)} | {request_key("n", base)}
    assert len(keys) == len(others) + 2


def test_a_workspace_is_analysed_once(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n", encoding="utf-8")
    library = SharedWorkspaces()
    first, second = (library.parts(Workspace.open(tmp_path)) for _ in range(2))
    assert first is second and library.built == 1
    library.close()


def test_an_ablation_does_not_outvote_the_other_judges() -> None:
    def cell(judge: SweepJudge, *modules: str, model: str = "", setting: Setting = Setting.BLACK_BOX) -> Cell:
        return Cell(name="", agent="a", judge=judge, setting=setting, model=model, modules=modules)

    agent, majority = SweepJudge.AGENT, cell(SweepJudge.MAJORITY)
    cells = [
        cell(agent, "ask", model="m"),
        cell(agent, "graph", "ask", model="m"),
        cell(agent, "ask", model="n"),
        cell(SweepJudge.RULES),
        cell(SweepJudge.RULES, setting=Setting.GRAY_BOX),
        Cell(name="", agent="a", judge=SweepJudge.HUMAN),
        majority,
    ]
    assert members_of(majority, cells) == [cells[1], cells[2], cells[3]]
