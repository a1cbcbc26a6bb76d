"""Counting votes, asking for them, and what becomes of votes that cannot be given."""

from __future__ import annotations

import asyncio
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.engine import AgentJudge, Outcome, RunOptions, for_requirement, open_case
from judge.engine.votes import Tie, pooled, spokesman, standing
from judge.errors import BudgetExceeded, ProviderError
from judge.models import Reply, Request
from judge.schemas import Citation, Judgment, Requirement, Task, Usage, VerdictValue
from judge.workspace import Workspace

S, U, E = VerdictValue.SATISFIED, VerdictValue.UNSATISFIED, VerdictValue.ERROR
DOWN = ProviderError("down", status=503)


@pytest.mark.parametrize("total", [1, 2, 3, 4, 5, 6])
def test_only_a_majority_of_all_votes_decides(total: int) -> None:
    for votes in product((S, U, E), repeat=total):
        end = standing(votes, total, Tie.ERROR)
        met, unmet = votes.count(S), votes.count(U)
        expected = S if 2 * met > total else U if 2 * unmet > total else E
        assert end.verdict == expected
        assert end.tied == (met == unmet and E not in votes)
        assert standing(votes, total, Tie.UNSATISFIED).verdict == (U if end.tied else expected)


@pytest.mark.parametrize("total", [1, 2, 3, 4, 5])
def test_asking_stops_when_no_vote_can_change_the_verdict_and_not_before(total: int) -> None:
    for votes in product((S, U, E), repeat=total):
        for given_ in range(total):
            now = standing(votes[:given_], total, Tie.ERROR)
            ends = {
                standing((*votes[:given_], *rest), total, Tie.ERROR)[::2]
                for rest in product((S, U, E), repeat=total - given_)
            }
            if now.verdict is None:
                assert len(ends) > 1 and 1 <= now.needed <= total - given_
            else:
                assert {verdict for verdict, _ in ends} == {now.verdict}


def _judgment(verdict: VerdictValue, confidence: float = 0.9, **more: Any) -> Judgment:
    return Judgment(task="t", requirement_id=0, verdict=verdict, reason="r", confidence=confidence, **more)


shares = st.floats(0, 1)


@given(st.lists(shares, min_size=1, max_size=5), st.lists(shares, max_size=3), shares, st.integers(0, 2))
def test_confidence_is_monotone_and_never_certain(yes: list[float], no: list[float], more: float, failed: int) -> None:
    def sure(agree: list[float], against: list[float], errors: int = failed) -> float:
        ballots = [_judgment(S, value) for value in agree] + [_judgment(U, value) for value in against]
        return pooled([*ballots, *[_judgment(E, 0.0)] * errors], S)

    base = sure(yes, no)
    assert 0 <= base <= 0.99
    raised = [max(yes[0], more), *yes[1:]]
    assert sure(raised, no) >= base
    assert sure(yes, [*no, max(0.5, more)]) <= max(base, 0.5)
    assert sure([*yes, 1.0], no) >= base
    if not no and not failed:
        assert base <= max(yes) + 1e-4


def test_more_agreement_is_surer() -> None:
    three = [_judgment(S)] * 3
    assert (
        pooled(three, S)
        == 0.9
        > pooled([*three[:2], _judgment(U)], S)
        > pooled([*three[:2], _judgment(U), _judgment(U)], S)
    )
    assert pooled([*three[:2], _judgment(E, 0.0)], S) == pytest.approx(0.7667, abs=1e-4)


def test_the_vote_with_the_best_quotes_speaks() -> None:
    found, lost = Citation(path="a", quote="q", verified=True), Citation(path="a", quote="x", verified=False)
    wrong = _judgment(S, 1.0, citations=(found, found, lost), citations_verified=False)
    best = _judgment(S, 0.6, citations=(found, found), citations_verified=True)
    less = _judgment(S, 0.9, citations=(found,), citations_verified=True)
    other = _judgment(U, 1.0, citations=(found,) * 5, citations_verified=True)
    assert spokesman([wrong, less, other, best], S) is best
    assert spokesman([_judgment(S, 0.5), _judgment(S, 0.7)], S).confidence == 0.7


def _answer(verdict: VerdictValue, confidence: float = 0.8) -> Reply:
    text = f'{{"reason": "{verdict} it is", "citations": [], "confidence": {confidence}, "verdict": "{verdict}"}}'
    return Reply(text, usage=Usage(calls=1, input_tokens=10, output_tokens=2, cost=0.01))


class Model:
    """Votes in turn."""

    sees_images = False
    context_tokens = 50_000

    def __init__(self, name: str, *votes: Any) -> None:
        self.id = name
        self.votes = votes
        self.asked: list[Request] = []
        self.flying = self.most = 0

    async def complete(self, request: Request) -> Reply:
        vote = self.votes[min(len(self.asked), len(self.votes) - 1)]
        self.asked.append(request)
        self.flying += 1
        self.most = max(self.most, self.flying)
        await asyncio.sleep(0)
        self.flying -= 1
        if isinstance(vote, Exception):
            raise vote
        return vote if isinstance(vote, Reply) else _answer(vote)

    async def close(self) -> None:
        pass


def ask(root: Path, *models: Model, **options: Any) -> Outcome:
    (root / "ws").mkdir(exist_ok=True)
    (root / "ws" / "a.py").write_text("x = 1\n", encoding="utf-8")
    task = Task(name="t", query="q", requirements=(Requirement(requirement_id=0, criteria="It is in `a.py`."),))

    async def work() -> Outcome:
        case = open_case(task, Workspace.open(root / "ws"))
        session = AgentJudge(models, RunOptions(judge="agent", **options)).session()
        try:
            return await session.judge(for_requirement(case, task.requirements[0]))
        finally:
            case.documents.close()

    return asyncio.run(work())


def test_one_vote_is_as_before(tmp_path: Path) -> None:
    model = Model("m", S)
    judgment = ask(tmp_path, model).judgment
    assert (judgment.verdict, judgment.confidence, judgment.votes, judgment.ballots) == (S, 0.8, (S,), ())
    assert [(item.temperature, item.vote) for item in model.asked] == [(0.0, 0)]


def test_two_equal_votes_of_three_are_enough(tmp_path: Path) -> None:
    model = Model("m", S, S, AssertionError("not to be asked"))
    judgment = ask(tmp_path, model, votes=3).judgment
    assert judgment.verdict == S and judgment.votes == (S, S) and judgment.usage.calls == 2
    assert judgment.usage.cost == pytest.approx(0.02) and judgment.confidence == 0.8
    assert [(item.model, item.vote, item.verdict, item.reason) for item in judgment.ballots] == [
        ("m", 0, S, "SATISFIED it is"),
        ("m", 1, S, "SATISFIED it is"),
    ]
    assert [item.vote for item in model.asked] == [0, 1] and model.most == 2
    assert all(item.temperature and item.temperature > 0 for item in model.asked)
    assert len({item.messages for item in model.asked}) == 1


@pytest.mark.parametrize(("votes", "verdict"), [((S, U, U), U), ((U, S, S), S), ((S, DOWN, S), S)])
def test_the_third_vote_decides(tmp_path: Path, votes: tuple[Any, ...], verdict: VerdictValue) -> None:
    model = Model("m", *votes)
    judgment = ask(tmp_path, model, votes=3).judgment
    assert judgment.verdict == verdict and len(model.asked) == len(judgment.votes) == 3
    assert judgment.reason == f"{verdict} it is" and judgment.confidence < 0.8


@pytest.mark.parametrize("votes", [(DOWN, DOWN), (S, U, DOWN), (DOWN, S, Reply("no verdict")), (DOWN, U, Reply(""))])
def test_votes_that_fail_are_votes_for_nothing(tmp_path: Path, votes: tuple[Any, ...]) -> None:
    outcome = ask(tmp_path, Model("m", *votes), votes=3)
    judgment = outcome.judgment
    assert judgment.verdict == E and judgment.confidence == 0 and not judgment.reason and not judgment.citations
    assert "no majority of 3 votes" in judgment.error and "ERROR" in judgment.error
    assert isinstance(outcome.failure, ProviderError) and outcome.failure.status == 503


def test_a_panel_asks_different_models_first(tmp_path: Path) -> None:
    models = [Model("a", S), Model("b", S), Model("c", U)]
    judgment = ask(tmp_path, *models).judgment
    assert judgment.verdict == S and [len(model.asked) for model in models] == [1, 1, 0]
    assert [(item.model, item.verdict) for item in judgment.ballots] == [("a", S), ("b", S)]
    assert [(part.purpose, part.model, part.usage.calls) for part in judgment.spent] == [
        ("judge", "a", 1),
        ("judge", "b", 1),
    ]
    models = [Model("a", S), Model("b", U), Model("c", U)]
    judgment = ask(tmp_path, *models).judgment
    assert judgment.verdict == U and [item.model for item in judgment.ballots] == ["a", "b", "c"]


@pytest.mark.parametrize(("tie", "verdict"), [("error", E), ("unsatisfied", U)])
def test_a_tie_is_never_satisfied(tmp_path: Path, tie: str, verdict: VerdictValue) -> None:
    judgment = ask(tmp_path, Model("a", S), Model("b", U), tie=tie).judgment
    assert judgment.verdict == verdict and judgment.votes == (S, U)
    told = judgment.error if verdict == E else judgment.reason
    assert "tie" in told and "1 SATISFIED, 1 UNSATISFIED" in told


@pytest.mark.parametrize("tie", ["error", "unsatisfied"])
def test_an_outage_of_one_is_no_tie(tmp_path: Path, tie: str) -> None:
    for verdict in (S, U):
        outcome = ask(tmp_path, Model("a", verdict), Model("b", DOWN), tie=tie)
        assert outcome.judgment.verdict == E and outcome.failure is not None
        assert [item.error != "" for item in outcome.judgment.ballots] == [False, True]


def test_the_rest_of_a_panel_decides_when_it_is_the_majority_of_all(tmp_path: Path) -> None:
    outcome = ask(tmp_path, Model("a", DOWN), Model("b", S), Model("c", S))
    assert outcome.judgment.verdict == S and outcome.judgment.votes == (E, S, S) and outcome.failure is None


def test_the_budget_ends_it(tmp_path: Path) -> None:
    with pytest.raises(BudgetExceeded):
        ask(tmp_path, Model("m", BudgetExceeded("limit")), votes=3)


def test_a_budget_that_ends_in_the_middle_of_the_votes_keeps_what_was_used(tmp_path: Path) -> None:
    models = [Model("a", S), Model("b", U), Model("c", BudgetExceeded("limit")), Model("d", U), Model("e", U)]
    alone = ask(tmp_path, Model("m", S, BudgetExceeded("limit")), votes=3)
    for outcome in (alone, ask(tmp_path, *models)):
        assert outcome.judgment.verdict == E and isinstance(outcome.failure, BudgetExceeded)
        assert outcome.judgment.usage.calls > 0 and "not finished" in outcome.judgment.error


def test_members_of_a_panel_fail_for_themselves(tmp_path: Path) -> None:
    down, up = Model("down", ProviderError("no key", status=401)), [Model("a", S), Model("b", S)]
    (tmp_path / "ws").mkdir()
    (tmp_path / "ws" / "a.py").write_text("x = 1\n", encoding="utf-8")
    items = tuple(Requirement(requirement_id=n, criteria=f"{n} is in `a.py`.") for n in range(5))
    task = Task(name="t", query="q", requirements=items)

    async def work() -> list[Outcome]:
        case = open_case(task, Workspace.open(tmp_path / "ws"))
        session = AgentJudge([down, *up], RunOptions(judge="agent")).session()
        try:
            return [await session.judge(for_requirement(case, item)) for item in items]
        finally:
            case.documents.close()

    outcomes = asyncio.run(work())
    assert [item.judgment.verdict for item in outcomes] == [S] * 5
    assert len(down.asked) == 1, "a refused key is not tried again"
    assert "not asked" in outcomes[-1].judgment.ballots[0].error
