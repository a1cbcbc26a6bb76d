"""Bounds on everything but the files of a workspace; and the table of all bounds, which names the tests of each."""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from judge.bounded import read_lines, read_whole
from judge.config import load_settings
from judge.engine.alignment.source import read_journal
from judge.engine.header import read_header
from judge.engine.sweep.spec import load_sweep, parse_sweep
from judge.errors import JudgeError
from judge.jsontext.parse import MAX_BYTES
from judge.models.pricebook import load_rates
from judge.models.script import load_script
from judge.score.suite import load_suite
from judge.tasks import load_tasks
from judge.trajectories import load_trajectory
from tests.attack.bounds import BOUNDS, Bound, markdown, value_of

ROOT = Path(__file__).resolve().parents[2]


@cache
def named_tests(path: str) -> frozenset[str]:
    """The tests of a file."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


@pytest.mark.parametrize("bound", BOUNDS, ids=[item.what for item in BOUNDS])
def test_each_bound_is_in_the_code_and_has_a_test(bound: Bound) -> None:
    assert value_of(bound) > 0
    assert bound.tests
    for test in bound.tests:
        path, _, name = test.partition("::")
        assert name in named_tests(path), test


def test_the_table_tells_every_bound_with_its_value() -> None:
    rows = [line for line in markdown().splitlines() if line.startswith("| ")]
    assert len(rows) == len(BOUNDS) + 1
    assert all(row.count(" | ") == 3 for row in rows)
    assert "| bytes read of one file | 32 MiB |" in markdown()


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def task(**more: Any) -> str:
    requirement = {"requirement_id": 0, "prerequisites": [], "criteria": "x"}
    known = {"name": "a", "query": "q", "tags": [], "requirements": [requirement], "preferences": []}
    return json.dumps(known | more)


@pytest.mark.parametrize(
    ("make", "bound", "said"),
    [
        (lambda depth: task(extra=nested(depth - 1)), 100, "nested deeper than 100"),
        (lambda length: task(name="a" * length), 200, "201 bytes long"),
    ],
    ids=["depth", "name"],
)
def test_a_task_file(tmp_path: Path, make: Callable[[int], str], bound: int, said: str) -> None:
    file = tmp_path / "a.json"
    file.write_text(make(bound))
    assert len(load_tasks([file]).tasks) == 1
    file.write_text(make(bound + 1))
    found = load_tasks([file])
    assert not found.tasks
    assert [said in str(problem) for item in found.invalid for problem in item.problems] == [True]


def test_a_task_file_that_is_too_large(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text(task())
    with file.open("ab") as stream:  # white space after the task
        stream.write(b" " * (MAX_BYTES - file.stat().st_size))
    assert len(load_tasks([file]).tasks) == 1
    with file.open("ab") as stream:
        stream.write(b" ")
    found = load_tasks([file])
    assert not found.tasks
    assert ["larger than 64 MB" in str(problem) for item in found.invalid for problem in item.problems] == [True]


def chat(steps: int, text: str = "x") -> list[dict[str, Any]]:
    call = {"type": "function", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}
    found: list[dict[str, Any]] = [{"role": "user", "content": "hi"}]
    for number in range(steps):
        found.append({"role": "assistant", "content": text, "tool_calls": [{"id": f"c{number}", **call}]})
        found.append({"role": "tool", "tool_call_id": f"c{number}", "content": "a.txt"})
    return found


def test_steps_of_a_trajectory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.trajectories.build._MAX_STEPS", 5)
    for steps, said in ((5, False), (6, True)):
        (tmp_path / "a.json").write_text(json.dumps(chat(steps)))
        found = load_trajectory(tmp_path / "a.json")
        assert len(found.steps) == 5
        assert any("more than 5 steps" in problem for problem in found.problems) is said


def test_a_text_of_a_trajectory(tmp_path: Path) -> None:
    for length, cut in ((400_000, False), (400_002, True)):
        (tmp_path / "a.json").write_text(json.dumps(chat(1, "y" * length)))
        shown = str(load_trajectory(tmp_path / "a.json").steps[0])
        assert ("2 characters cut" in shown) is cut
        assert ("y" * 400_000 in shown) is not cut


@pytest.mark.parametrize(
    ("constant", "size", "said"),
    [("source._MAX_LINE", 300_000, "the rest is not read"), ("source.MAX_BYTES", 3_000_000, "the rest is not read")],
)
def test_the_size_of_a_trajectory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, constant: str, size: int, said: str
) -> None:
    lines = [json.dumps(item) for item in chat(3)]
    (tmp_path / "a.jsonl").write_text("\n".join(lines) + "\n")
    whole = load_trajectory(tmp_path / "a.jsonl")
    assert not whole.problems
    monkeypatch.setattr(f"judge.trajectories.{constant}", size)
    assert load_trajectory(tmp_path / "a.jsonl") == whole
    long = json.dumps(chat(1, "y" * 8 * size)[1])
    (tmp_path / "a.jsonl").write_text("\n".join([*lines, long, *lines[1:]]) + "\n")
    found = load_trajectory(tmp_path / "a.jsonl")
    assert any(said in problem for problem in found.problems), found.problems


def test_depth_of_a_line_of_a_trajectory(tmp_path: Path) -> None:
    for depth, steps in ((99, 3), (100, 2)):
        odd = {"role": "assistant", "content": "z", "extra": nested(depth)}
        (tmp_path / "a.jsonl").write_text("\n".join(json.dumps(item) for item in [*chat(2), odd]) + "\n")
        found = load_trajectory(tmp_path / "a.jsonl")
        assert (len(found.steps), bool(found.problems)) == (steps, steps == 2)


def test_a_file_that_is_read_at_once(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"x" * 100)
    assert read_whole(file, 100) == b"x" * 100
    with pytest.raises(OSError, match="larger than"):
        read_whole(file, 99)


def test_a_line_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"x" * 10 + b"\n" + b"y" * 25 + b"\n" + b"z" * 20)
    assert list(read_lines(file, 10)) == [b"x" * 10 + b"\n", b"y" * 10 + b"\n", b"z" * 10]
    assert list(read_lines(file, 100)) == [b"x" * 10 + b"\n", b"y" * 25 + b"\n", b"z" * 20]


READERS: tuple[tuple[str, Callable[[Path], Any]], ...] = (
    ("run.json", read_header),
    ("verdicts.jsonl", lambda path: list(read_journal(path, []))),
    ("judge.toml", lambda path: load_settings(config=path, environ={})),
    ("prices.toml", lambda path: load_rates(path, "openai:x")),
    ("script.json", load_script),
    ("sweep.yaml", load_sweep),
    ("suite.yaml", load_suite),
)
NAMES = [name for name, _ in READERS]


@pytest.mark.parametrize(("name", "read"), READERS, ids=NAMES)
def test_a_pipe_in_place_of_a_file_is_refused_at_once(tmp_path: Path, name: str, read: Callable[[Path], Any]) -> None:
    os.mkfifo(tmp_path / name)
    with pytest.raises(JudgeError, match="regular file"):
        read(tmp_path / name)


@pytest.mark.parametrize(("name", "read"), READERS, ids=NAMES)
def test_a_file_that_is_far_too_large_is_refused(tmp_path: Path, name: str, read: Callable[[Path], Any]) -> None:
    with (tmp_path / name).open("wb") as file:
        file.truncate(150 << 20)
    if name == "verdicts.jsonl":  # its lines are bounded, and a run may have many
        notes: list[str] = []
        assert not list(read_journal(tmp_path / name, notes))
        assert len(notes) == 1 and "left out" in notes[0]
    else:
        with pytest.raises(JudgeError, match="larger than"):
            read(tmp_path / name)


def test_aliases_of_a_sweep_file_cannot_blow_up() -> None:
    rows = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    rows += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 12)]
    for text in ("\n".join(rows), "a: &a [*a]", "votes: [" + "1, " * 10_000 + "1]"):
        found = parse_sweep(text.encode())
        assert [problem.what for problem in found.problems] == [
            "has more values, with all its aliases written out, than any sweep file"
        ]
    few = parse_sweep(("votes: [" + "1, " * 9_990 + "1]").encode())
    assert not any("more values" in problem.what for problem in few.problems)


def test_a_criterion(lab: Any, start: Any, tmp_path: Path) -> None:
    lab.add("01_A", [[], []])
    file = next(lab.tasks.glob("*.json"))
    found = json.loads(file.read_text())
    for requirement, length in zip(found["requirements"], (32_000, 32_001), strict=True):
        requirement["criteria"] = "x" * length
    file.write_text(json.dumps(found))
    process = start("run", lab.tasks, "-w", lab.workspaces, "--judge", "rules", "--out", tmp_path / "out")
    _, err = process.communicate(timeout=100)
    lines = [json.loads(line) for line in (tmp_path / "out" / "verdicts.jsonl").read_text().splitlines()]
    lines.sort(key=lambda line: int(line["requirement_id"]))
    assert [line["verdict"] == "ERROR" for line in lines] == [False, True]
    assert "32,001 characters" in json.dumps(lines[1])
    assert "Traceback" not in err
