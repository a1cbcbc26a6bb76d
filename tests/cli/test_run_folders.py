"""Workspaces and run folders of ``judge run`` through the command line."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import AfterValidator, TypeAdapter, ValidationError

from judge.jsontext import plain_message

Judge = Any
Lab = Any
TAKEN = "itself is taken as its workspace"


def test_an_empty_workspace_is_an_error_that_says_what_to_do(judge: Judge, lab: Lab, tmp_path: Path) -> None:
    task = lab.add("01_A", [[], []])
    empty = tmp_path / "empty"
    empty.mkdir()
    ran = judge("run", task, "-w", empty, "--judge", "rules", "--out", tmp_path / "out", "--json")
    assert ran.code == 5 and f"01_A: {empty}: no workspace: the folder is empty (put what" in ran.err
    verdicts = ran.json()["tasks"][0]["verdicts"]
    assert [item["verdict"] for item in verdicts] == ["ERROR", "ERROR"]
    assert all("--workspace" in item["error"] for item in verdicts)
    (empty / "main.py").write_text("print(1)\n", encoding="utf-8")
    assert judge("run", task, "-w", empty, "--judge", "rules", "--out", tmp_path / "out").code == 0


def test_the_workspace_itself_is_remarked_only_when_it_may_be_a_mistake(judge: Judge, lab: Lab, tmp_path: Path) -> None:
    task = lab.add("01_A", [[]])
    root = lab.workspaces / "01_A"
    rules = ("--judge", "rules", "--fresh", "--out", tmp_path / "out")
    assert TAKEN not in judge("run", task, "-w", root, *rules).err
    lab.add("02_B", [[]])
    assert TAKEN in judge("run", lab.tasks, "--only", "01_A", "-w", root, *rules).err
    (root / "39_Other").mkdir()
    assert TAKEN in judge("run", task, "-w", root, *rules).err


def test_settings_that_differ_are_told_in_words(judge: Judge, lab: Lab, tmp_path: Path) -> None:
    lab.add("01_A", [[]])
    command = ("run", lab.tasks, "-w", lab.workspaces, "--judge", "rules", "--out", tmp_path / "out")
    assert judge(*command).code == 0
    ran = judge(*command, "--gate")
    assert ran.code == 2 and "gate: off -> on" in ran.err


def test_words_on_python_are_in_no_message() -> None:
    def even(value: int) -> int:
        if value % 2:
            raise ValueError(f"expects an even number, not {value}")
        return value

    with pytest.raises(ValidationError) as caught:
        TypeAdapter(Annotated[int, AfterValidator(even)]).validate_python(3)
    assert plain_message(caught.value.errors()[0]["msg"]) == "expects an even number, not 3"
    assert plain_message("Field required") == "Field required"


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_tasks_that_were_interrupted_are_not_counted(lab: Lab, tmp_path: Path) -> None:
    for name in ("01_A", "02_B", "03_C"):
        lab.add(name, [[], [], [], []])
    lab.write_script(latency=0.5)
    command = [sys.executable, "-m", "judge", "run", lab.tasks, "-w", lab.workspaces, "--model", lab.model]
    command += ["--out", tmp_path / "out", "--concurrency", "4"]
    started = subprocess.Popen([str(item) for item in command], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    journal = tmp_path / "out" / "verdicts.jsonl"
    until = time.monotonic() + 60
    while time.monotonic() < until and not (journal.exists() and journal.stat().st_size):
        time.sleep(0.02)
    started.send_signal(signal.SIGINT)
    _, err = started.communicate(timeout=60)
    assert started.returncode == 130, err
    judged: dict[str, int] = {}
    for line in lab.lines(tmp_path / "out"):
        judged[line["task"]] = judged.get(line["task"], 0) + 1
    whole = sum(1 for number in judged.values() if number == 4)
    assert whole < 3
    assert all(int(found) <= whole for found in re.findall(r"(\d+)/3 tasks", err)), err
