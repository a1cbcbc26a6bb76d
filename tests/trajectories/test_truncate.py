from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge import tokens
from judge.schemas import Step, Trajectory
from judge.trajectories import Part, cut_text, render_step, truncate, truncate_step


def make(count: int, words: int = 20) -> Trajectory:
    text = " ".join(f"word{i}" for i in range(words))
    steps = tuple(Step(step=i, thought=f"thought {i}", action="ls", environment=text) for i in range(count))
    return Trajectory(name="t", format="devai", steps=steps)


def test_without_limits_nothing_changes() -> None:
    trajectory = make(3)
    cut = truncate(trajectory)
    assert cut.steps == trajectory.steps and cut.dropped == cut.shortened == ()


@pytest.mark.parametrize(
    ("drop", "check"),
    [
        (Part.BEGINNING, lambda kept: kept[-1] == 9 and kept == list(range(kept[0], 10))),
        (Part.END, lambda kept: kept[0] == 0 and kept == list(range(len(kept)))),
        (Part.MIDDLE, lambda kept: kept[0] == 0 and kept[-1] == 9),
    ],
)
def test_whole_steps_are_dropped_where_asked(drop: Part, check: object) -> None:
    trajectory = make(10)
    cut = truncate(trajectory, budget=300, drop=drop)
    kept = [step.step for step in cut.steps]
    assert callable(check) and check(kept)
    assert 0 < len(kept) < 10
    assert sorted([*kept, *cut.dropped]) == list(range(10))
    assert cut.tokens <= 300
    assert tokens.count("\n".join(render_step(step) for step in cut.steps)) <= 300


def test_the_beginning_goes_first_and_the_middle_of_a_step() -> None:
    trajectory = make(4, words=400)
    cut = truncate(trajectory, budget=450, step_budget=200)
    assert [step.step for step in cut.steps] == [2, 3]
    assert cut.shortened == (2, 3)
    text = cut.steps[0].environment or ""
    assert text.startswith("word0") and text.endswith("word399")


def test_short_fields_of_a_long_step_stay_whole() -> None:
    step = Step(step=1, thought="short thought", action="python a.py", environment="x y z " * 5000)
    cut = truncate_step(step, 100)
    assert (cut.thought, cut.action) == ("short thought", "python a.py")
    assert tokens.count(render_step(cut)) <= 100


def test_a_text_is_cut_where_asked() -> None:
    text = " ".join(f"w{i}" for i in range(300))
    assert cut_text(text, 40, Part.END).startswith("w0")
    assert cut_text(text, 40, Part.BEGINNING).endswith("w299")
    middle = cut_text(text, 40)
    assert middle.startswith("w0") and middle.endswith("w299")


@settings(deadline=None, max_examples=40)
@given(st.text(max_size=400), st.text(max_size=400), st.integers(20, 200), st.sampled_from(list(Part)))
def test_a_step_keeps_to_its_budget(thought: str, environment: str, budget: int, part: Part) -> None:
    step = Step(step=1, thought=thought, action="ls", environment=environment)
    assert tokens.count(render_step(truncate_step(step, budget, part))) <= max(budget, 30)
