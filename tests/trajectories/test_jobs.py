"""Commands in the background: how they ended is told by a later step."""

from __future__ import annotations

import pytest

from judge.schemas import Step, Trajectory
from judge.trajectories import Outcome, file_history

CLAUDE = "Command running in background with ID: bash_1"
CODEX = "Wall time: 1.0 seconds\nProcess running with session ID 5\nOutput:\nepoch 1"
TRACE = 'Traceback (most recent call last):\n  File "train.py", line 3, in <module>\nKeyError: 1'


def history_of(started: str, *polls: tuple[str, str]) -> list[Outcome]:
    pairs = [("python train.py", started), *polls]
    steps = [Step(step=n, action=action, environment=text) for n, (action, text) in enumerate(pairs)]
    found = file_history(Trajectory(name="t", format="devai", steps=tuple(steps)))
    return [run.outcome for run in found.runs if run.script == "train.py"]


@pytest.mark.parametrize(
    ("started", "ask", "answer", "outcome"),
    [
        (
            CLAUDE,
            'BashOutput {"bash_id": "bash_1"}',
            f"<status>failed</status>\n<exit_code>1</exit_code>\n<stderr>{TRACE}",
            Outcome.ERROR,
        ),
        (
            CLAUDE,
            'BashOutput {"bash_id": "bash_1"}',
            "<status>completed</status>\n<exit_code>0</exit_code>",
            Outcome.OK,
        ),
        (CLAUDE, 'BashOutput {"bash_id": "bash_1"}', "<status>running</status>", Outcome.UNKNOWN),
        (
            CLAUDE,
            'BashOutput {"bash_id": "bash_12"}',
            "<status>failed</status>\n<exit_code>1</exit_code>",
            Outcome.UNKNOWN,
        ),
        (CLAUDE, 'KillShell {"shell_id": "bash_1"}', "Successfully killed shell: bash_1", Outcome.KILLED),
        (
            CODEX,
            'write_stdin {"session_id": 5, "chars": ""}',
            f"Process exited with code 1\nOutput:\n{TRACE}",
            Outcome.ERROR,
        ),
        (
            CODEX,
            'write_stdin {"session_id": 5, "chars": ""}',
            "Process exited with code 0\nOutput:\nacc 0.9",
            Outcome.OK,
        ),
        (CODEX, "cat log5.txt", "Process exited with code 1", Outcome.UNKNOWN),
    ],
)
def test_a_later_step_tells_how_it_ended(started: str, ask: str, answer: str, outcome: Outcome) -> None:
    assert history_of(started, (ask, answer)) == [outcome]


def test_what_never_ended_is_unknown() -> None:
    assert history_of(CLAUDE) == [Outcome.UNKNOWN]
    asked = ('write_stdin {"session_id": 5}', "Process running with session ID 5\nOutput:\nepoch 2")
    assert history_of(CODEX, asked) == [Outcome.UNKNOWN]
    assert history_of(CODEX, asked, ('write_stdin {"session_id": 5}', "Process exited with code 2")) == [Outcome.ERROR]


@pytest.mark.parametrize("command", ["bash -lc 'python train.py'", "/bin/zsh -lc 'cd /w && python train.py'"])
def test_the_shell_around_a_command_is_no_run_of_its_own(command: str) -> None:
    step = Step(step=0, action=command, environment="boom", exit_code=2)
    runs = file_history(Trajectory(name="t", format="devai", steps=(step,))).runs
    assert [(run.script is not None, run.outcome) for run in runs] == [(True, Outcome.ERROR)]
