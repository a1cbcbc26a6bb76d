from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.trajectories import Outcome, read_outcome
from tests.trajectories.steps import CELL, TRACE, history


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("", Outcome.OK),
        ("epoch 1 loss 0.3\nMean Squared Error: 0.2\ndone", Outcome.OK),
        (None, Outcome.UNKNOWN),
        (TRACE, Outcome.ERROR),
        (
            "  File \"/workspace/src/train.py\", line 3\n    x = (\n        ^\nSyntaxError: '(' was never closed\n",
            Outcome.ERROR,
        ),
        ("python: can't open file '/workspace/src/train.py': [Errno 2] No such file or directory", Outcome.ERROR),
        ("bash: python: command not found", Outcome.ERROR),
        ("Killed", Outcome.KILLED),
        ("loss 0.1\n[Command timed out after 120 seconds]", Outcome.TIMEOUT),
        ("x\n[Command finished with exit code 1]", Outcome.ERROR),
        ("x\n[Command finished with exit code 0]", Outcome.OK),
        (TRACE + "\nexit code: 0", Outcome.OK),
        ("<returncode>124</returncode>", Outcome.TIMEOUT),
        ('{"stdout": "", "exit_code": 137}', Outcome.KILLED),
        ("Segmentation fault (core dumped)", Outcome.ERROR),
        ("Error: something\nwent on", Outcome.UNKNOWN),
        (TRACE + "\n".join(f"epoch {i}" for i in range(20)), Outcome.UNKNOWN),
        ('Traceback (most recent call last):\n  File "a.py", line 1\nKeyboardInterrupt', Outcome.KILLED),
    ],
)
def test_outcomes_are_read_from_the_answer(answer: str | None, outcome: Outcome) -> None:
    (run,) = history(("python src/train.py", answer)).runs
    assert run.outcome is outcome


def test_the_error_names_the_innermost_own_line() -> None:
    (run,) = history(("python src/train.py", TRACE)).runs
    assert (run.error, run.error_path, run.error_line) == ("ValueError: bad", "src/train.py", 7)


def test_hidden_output_tells_nothing() -> None:
    for action in (
        "python a.py > log 2>&1",
        "python a.py &",
        "nohup python a.py > /dev/null 2>&1 &",
        "python a.py 2>/dev/null",
    ):
        assert history((action, "")).runs[0].outcome is Outcome.UNKNOWN


def test_several_runs_share_an_answer_fairly() -> None:
    found = history(("python src/data.py && python src/train.py && python src/plot.py", "loaded\n" + TRACE))
    assert [run.outcome for run in found.runs] == [Outcome.OK, Outcome.ERROR, Outcome.NOT_RUN]
    assert [run.outcome for run in history(("python a.py; python b.py", "ok")).runs] == [Outcome.OK] * 2
    found = history(("python a.py; python b.py", "x\nexit code: 1"))
    assert [run.outcome for run in found.runs] == [Outcome.UNKNOWN] * 2
    found = history(("python src/train.py && echo done > done.txt", TRACE))
    assert found.last_write("done.txt") is None


ACTIONS = st.one_of(
    st.text(max_size=200),
    st.lists(
        st.sampled_from(
            ["cd ", "a/b.py", " > ", ">>", "<<EOF\n", "EOF\n", "'",
             '"', "$(", ")", "(", "`", "\\", "&&", "|", ";", "\n", "{", "}",
             "python ", "-c ", "echo ", "rm -rf ", "*", "if ", "fi",
             "for ", "done", "()", "Running command: ", "#", "mv ", "/workspace/"]
        ),
        max_size=25,
    ).map("".join),
    st.recursive(st.text(max_size=5) | st.none() | st.integers(), lambda i: st.lists(i, max_size=3) | st.dictionaries(
        st.sampled_from(["command", "path", "arguments", "name", "input", "content", "function", "code"]), i, max_size=4
    )).map(json.dumps),
)  # fmt: skip


@settings(deadline=None)
@given(st.lists(st.tuples(ACTIONS, st.none() | st.text(max_size=80)), max_size=4))
def test_no_action_breaks_the_history(steps: list[Any]) -> None:
    found = history(*steps)
    for path in (*found.paths, "a/b.py"):
        found.hand_written(path)
        found.never_executed(path)
        found.deleted(path)
        found.crashed_after_write(path)
        assert "\n" not in path


@pytest.mark.parametrize(
    "action",
    ["'" * 100_000, '"' * 99_999, "$(" * 50_000, "(" * 50_000, "echo " + "a" * 300_000, "`" * 99_999, "<<A " * 20_000,
     "{" * 100_000, "python " + "-" * 100_000, CELL + "(" * 50_000,
     CELL + "-" * 50_000 + "1", "a\n" * 50_000, "echo x > a.txt\n" * 20_000, "[" * 100_000],
)  # fmt: skip
def test_huge_and_deep_actions_end_soon(action: str) -> None:
    history((action, "x" * 100_000))


@given(st.text(max_size=300))
def test_no_answer_breaks_the_outcome(text: str) -> None:
    assert read_outcome(text).outcome in Outcome


@pytest.mark.parametrize(
    "text",
    ["a: " * 100_000, 'File "' * 50_000, "Error" * 50_000, "exit code " * 30_000, "= failed" * 30_000, " " * 300_000],
)
def test_long_answers_end_soon(text: str) -> None:
    read_outcome(text)
