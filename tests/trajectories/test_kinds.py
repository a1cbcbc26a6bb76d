"""The same stories of a file, told in the actions of several agents."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from judge.schemas import Step, Trajectory
from judge.trajectories import Effect, FileHistory, Origin, Outcome, file_history
from judge.trajectories.action import render_call

Action = tuple[str, str]  # the tool and the text of a call
SCRIPT = "print('a')\nopen('results/m.txt', 'w').write(str(1))\n"
TRACE = """Traceback (most recent call last):
  File "/workspace/src/train.py", line 1, in <module>
    main()
ValueError: x
"""


class Dialect:
    """How one agent runs a command and writes a file."""

    def __init__(self, run: Callable[[str], Action], write: Callable[[str, str], Action]) -> None:
        self.run, self.write = run, write

    def __repr__(self) -> str:
        return self.run.__name__


def claude_code(command: str) -> Action:
    return "Bash", render_call("Bash", {"command": command, "description": "do it"})[0]


def claude_write(path: str, text: str) -> Action:
    return "Write", render_call("Write", {"file_path": f"/workspace/{path}", "content": text})[0]


def codex(command: str) -> Action:
    return "shell", render_call("shell", {"command": ["bash", "-lc", command], "workdir": "/workspace"}, "/workspace")[
        0
    ]


def codex_write(path: str, text: str) -> Action:
    body = "".join(f"+{line}\n" for line in text.splitlines())
    patch = f"*** Begin Patch\n*** Add File: {path}\n{body}*** End Patch"
    return "shell", render_call("shell", {"command": ["apply_patch", patch]})[0]


def codex_json(command: str) -> Action:
    return "", json.dumps({"command": ["bash", "-lc", command]})


def openhands(command: str) -> Action:
    return "execute_bash", render_call("execute_bash", {"command": f"cd /workspace && {command}", "is_input": "false"})[
        0
    ]


def openhands_write(path: str, text: str) -> Action:
    arguments = {"command": "create", "path": f"/workspace/{path}", "file_text": text}
    return "str_replace_editor", render_call("str_replace_editor", arguments)[0]


def swe_agent(command: str) -> Action:
    return "", command


def swe_write(path: str, text: str) -> Action:
    quoted = text.replace("'", "'\\''")
    return "", f"str_replace_editor create /workspace/{path} --file_text '{quoted}'"


def devai(command: str) -> Action:
    return "", f"Running command: {command}"


def devai_write(path: str, text: str) -> Action:
    return "", f"Running command: mkdir -p x && cat > {path} << 'EOF'\n{text}EOF"


DIALECTS = [
    Dialect(claude_code, claude_write),
    Dialect(codex, codex_write),
    Dialect(codex_json, codex_write),
    Dialect(openhands, openhands_write),
    Dialect(swe_agent, swe_write),
    Dialect(devai, devai_write),
]
agents = pytest.mark.parametrize("agent", DIALECTS, ids=repr)


def told(*steps: tuple[Action, str]) -> FileHistory:
    made = [
        Step.model_validate({"step": n, "action": action, "environment": answer, **({"tool": tool} if tool else {})})
        for n, ((tool, action), answer) in enumerate(steps)
    ]
    return file_history(Trajectory(name="t", format="devai", steps=tuple(made)))


@agents
def test_a_metric_typed_in(agent: Dialect) -> None:
    run = (agent.run("python src/train.py"), "0.81")
    for typed in (agent.run("echo 'accuracy: 0.97' > results/m.txt"), agent.write("results/m.txt", "accuracy: 0.97\n")):
        found = told((agent.write("src/train.py", SCRIPT), ""), run, (typed, ""))
        assert found.hand_written("results/m.txt") is True
        last = found.last_write("results/m.txt")
        assert last is not None and last.step == 2


@agents
def test_a_number_changed_in_a_computed_file(agent: Dialect) -> None:
    found = told(
        (agent.run("python src/train.py > results/m.txt"), ""), (agent.run("sed -i 's/0.8/0.9/' results/m.txt"), "")
    )
    last = found.last_write("results/m.txt")
    assert last is not None and (last.effect, last.origin) == (Effect.EDITED, Origin.HAND)
    assert found.hand_written("results/m.txt") is None


@agents
def test_a_script_that_crashed_after_it_was_changed(agent: Dialect) -> None:
    found = told(
        (agent.write("src/train.py", SCRIPT), ""),
        (agent.run("python src/train.py"), "done"),
        (agent.write("src/train.py", SCRIPT + "x\n"), ""),
        (agent.run("python src/train.py"), TRACE),
    )
    assert [run.outcome for run in found.runs] == [Outcome.OK, Outcome.ERROR]
    assert found.crashed_after_write("src/train.py") is True
    assert found.runs[-1].frames == (("src/train.py", 1),)


@agents
def test_a_file_removed_and_made_again_by_hand(agent: Dialect) -> None:
    found = told(
        (agent.run("python src/train.py > results/m.txt"), ""),
        (agent.run("rm -rf results"), ""),
        (agent.write("results/m.txt", "accuracy: 0.97\n"), ""),
    )
    assert found.deleted("results/m.txt") is False
    assert found.hand_written("results/m.txt") is True
    assert [e.effect for e in found.events("results/m.txt")][-2:] == [Effect.REMOVED, Effect.WRITTEN]


@agents
def test_a_script_that_was_never_executed(agent: Dialect) -> None:
    wrote = (agent.write("src/train.py", SCRIPT), "")
    assert told(wrote, (agent.run("ls -la src"), "train.py")).never_executed("src/train.py") is True
    assert told(wrote, (agent.run("python src/train.py"), "")).never_executed("src/train.py") is False


@agents
def test_a_result_copied_from_elsewhere(agent: Dialect) -> None:
    found = told((agent.run("cp ../old_project/m.txt results/m.txt"), ""))
    last = found.last_write("results/m.txt")
    assert last is not None and last.origin is Origin.COPY and last.source.endswith("old_project/m.txt")


@agents
def test_the_settings_of_the_last_run(agent: Dialect) -> None:
    found = told((agent.run("python src/train.py"), ""), (agent.run("python src/train.py --episodes 10"), ""))
    assert "--episodes 10" in found.runs[-1].command


@agents
def test_a_test_run_and_its_failures(agent: Dialect) -> None:
    report = "..F\n=== short test summary info ===\nFAILED tests/test_a.py::test_b\n1 failed, 2 passed in 0.12s\n"
    found = told(
        (agent.run("python -m pytest -q tests"), report), (agent.run("cat results/report.txt"), "3 passed in 0.1s")
    )
    assert [(suite.step, suite.tally.passed, suite.tally.failed) for suite in found.suites] == [(0, 2, 1)]


@agents
def test_a_request_and_its_answer(agent: Dialect) -> None:
    found = told(
        (agent.run("curl -s -i http://localhost:8080/plants?x=1"), "HTTP/1.1 200 OK\n\n[]"),
        (agent.run("curl -s -X POST localhost:8080/advice -d '{}'"), "HTTP/1.1 422 X\n"),
        (agent.run("curl -s http://127.0.0.1:8080/none"), "curl: (7) Failed to connect"),
        (agent.run("curl -s https://example.org/other"), "<html>"),
    )
    answers = [(e.answer.method, e.answer.path, e.answer.answered, e.answer.status) for e in found.exchanges]
    assert answers == [
        ("GET", "/plants", True, 200),
        ("POST", "/advice", False, 422),
        ("GET", "/none", False, None),
    ]
