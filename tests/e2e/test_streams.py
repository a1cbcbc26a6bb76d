"""The program with odd standard streams and in odd folders, each time as a process of its own."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

TASK = {
    "name": "A",
    "query": "q",
    "tags": [],
    "preferences": [],
    "requirements": [
        {"requirement_id": 0, "prerequisites": [], "criteria": "Saved in `m.pkl`.", "category": "", "satisfied": None}
    ],
}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "ws").mkdir()
    (tmp_path / "ws" / "a.pdf").write_bytes(b"%PDF-1.4\n")
    task = json.loads(json.dumps(TASK).replace("m.pkl", "a.pdf"))
    (tmp_path / "task.json").write_text(json.dumps(task), encoding="utf-8")
    return tmp_path


def shell(place: Path, redirect: str, *more: str) -> subprocess.CompletedProcess[str]:
    judge = f"{shlex.quote(sys.executable)} -P -m judge"
    command = f"{judge} run task.json -w ws --out run {' '.join(more)} {redirect}"
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], cwd=place, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.parametrize("redirect", [">&-", "2>&-", "<&- >&- 2>&-", "| head -c 1", "2>/dev/full"])
def test_streams_that_nobody_reads_cost_neither_verdicts_nor_the_exit_code(place: Path, redirect: str) -> None:
    assert shell(place, redirect).returncode == 0
    lines = (place / "run" / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["task"] for line in lines] == ["A"]
    assert shell(place, redirect, "--fail-under", "1").returncode == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no /dev/full")
def test_results_that_cannot_be_written_are_an_error_on_one_line(place: Path) -> None:
    ran = shell(place, ">/dev/full")
    assert ran.returncode == 2 and "No space left" in ran.stderr.splitlines()[-1] and "Traceback" not in ran.stderr


def test_a_current_folder_that_was_removed_is_no_obstacle(place: Path) -> None:
    paths = " ".join(shlex.quote(part) for part in (f"{place}/task.json", "-w", f"{place}/ws", "--out", f"{place}/run"))
    command = f"mkdir gone; cd gone; rmdir ../gone; {shlex.quote(sys.executable)} -P -m judge run {paths}"
    ran = subprocess.run(["bash", "-c", command], cwd=place, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("flags", [[], ["-P"]])
def test_no_module_of_the_current_folder_is_imported(place: Path, flags: list[str]) -> None:
    for name in ("json", "networkx", "pydantic", "typer", "PIL", "pypdfium2", "logging", "rich", "yaml"):
        (place / "ws" / f"{name}.py").write_text(f"open({str(place / 'ran')!r}, 'w').close()\n", encoding="utf-8")
    command = [sys.executable, *flags, "-m", "judge", "run", "../task.json", "-w", ".", "--out", "../run"]
    ran = subprocess.run(command, cwd=place / "ws", capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stderr
    assert not (place / "ran").exists()


def test_the_reading_process_takes_nothing_from_the_current_folder(place: Path) -> None:
    """Whatever an empty entry of PYTHONPATH means to the program itself, its helper is started without it."""
    (place / "ws" / "colorsys.py").write_text("raise SystemExit", encoding="utf-8")
    code = (
        "import os, sys; from pathlib import Path; os.environ['PYTHONPATH'] = ':'; sys.path.insert(0, os.getcwd())\n"
        "from judge.readers.isolate import _module_path\n"
        "print(os.getcwd() in _module_path())"
    )
    ran = subprocess.run(
        [sys.executable, "-P", "-c", code], cwd=place / "ws", capture_output=True, text=True, timeout=60, check=False
    )
    assert ran.stdout == "False\n", ran.stderr
