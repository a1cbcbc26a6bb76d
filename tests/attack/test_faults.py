"""What goes wrong around the program: full disks, read-only folders, clocks that jump, garbage in caches."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

NAMES = ("01_A", "02_B")
REQUIREMENTS = 16


def judge(
    *arguments: object, cwd: Path, prefix: tuple[str, ...] = (), code: str = ""
) -> subprocess.CompletedProcess[str]:
    program = ["-c", code] if code else ["-m", "judge"]
    env = {
        name: value for name, value in os.environ.items() if not name.startswith(("JUDGE_", "OPENAI_", "ANTHROPIC_"))
    }
    command = [*prefix, sys.executable, *program, *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture
def filled(lab: Any) -> Any:
    for name in NAMES:
        lab.add(name, [[] for _ in range(REQUIREMENTS // 2)])
    return lab


def keys(text: str) -> list[tuple[str, int]]:
    return [(line["task"], line["requirement_id"]) for line in map(json.loads, text.splitlines())]


def one_line(text: str) -> str:
    """The error a user reads; nothing of a traceback may stand beside it."""
    assert "Traceback" not in text, text[-1500:]
    errors = [line for line in text.splitlines() if line.startswith("judge: error")]
    assert errors, text
    return errors[-1]


MOUNTABLE = ("unshare", "--user", "--map-root-user", "--mount")


@pytest.fixture
def mounts() -> tuple[str, ...]:
    if not shutil.which("unshare"):
        pytest.skip("unshare is not installed")
    if subprocess.run(
        [*MOUNTABLE, "sh", "-c", "mount -t tmpfs none /mnt"], capture_output=True, check=False
    ).returncode:
        pytest.skip("this system does not allow mounts to users")
    return MOUNTABLE


@pytest.mark.parametrize("room", [4, 12, 20, 28])
def test_a_full_disk_loses_no_verdict_and_the_run_goes_on_when_there_is_room(
    filled: Any, tmp_path: Path, mounts: tuple[str, ...], room: int
) -> None:
    disk, kept = tmp_path / "disk", tmp_path / "kept"
    disk.mkdir()
    kept.mkdir()
    what = f"{filled.tasks} -w {filled.workspaces} -m {filled.model} --no-cache"
    run = f"{shlex.quote(sys.executable)} -m judge run {what} --out {disk}/run"
    script = f"""
mount -t tmpfs -o size={room}k none {disk} || exit 99
{run} > {kept}/first.out 2> {kept}/first.err; echo $? > {kept}/first.code
cp {disk}/run/verdicts.jsonl {kept}/first.jsonl 2>/dev/null || : > {kept}/first.jsonl
mount -o remount,size=20m {disk} || exit 99
{run} > {kept}/second.out 2> {kept}/second.err; echo $? > {kept}/second.code
cp {disk}/run/verdicts.jsonl {kept}/second.jsonl
"""
    ran = subprocess.run([*mounts, "sh", "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stderr
    assert (kept / "first.code").read_text().strip() not in ("0", "1")
    assert "No space left" in one_line((kept / "first.err").read_text())
    first = (kept / "first.jsonl").read_text()
    assert first == "" or first.endswith("\n"), "a line was left half written"
    assert (kept / "second.code").read_text().strip() == "0", (kept / "second.err").read_text()
    second = (kept / "second.jsonl").read_text()
    assert second.startswith(first), "a finished verdict was lost"
    assert len(keys(second)) == len(set(keys(second))) == REQUIREMENTS


def test_an_output_folder_that_cannot_be_written_is_one_line(
    filled: Any, tmp_path: Path, mounts: tuple[str, ...]
) -> None:
    place = tmp_path / "readonly"
    place.mkdir()
    what = f"{filled.tasks} -w {filled.workspaces} -m {filled.model}"
    run = f"{shlex.quote(sys.executable)} -m judge run {what} --out {place}/run"
    script = f"mount -t tmpfs -o ro none {place} || exit 99; {run}"
    ran = subprocess.run([*mounts, "sh", "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 2
    assert "Read-only" in one_line(ran.stderr)
    assert not filled.calls(), "calls were paid for although nothing could be kept"


def test_two_runs_into_one_folder(filled: Any, start: Any, tmp_path: Path) -> None:
    filled.write_script(latency=0.3)
    out = tmp_path / "out"
    arguments = ("run", filled.tasks, "-w", filled.workspaces, "-m", filled.model, "--out", out, "-c", 2)
    first = start(*arguments)
    end = time.monotonic() + 30
    while not (out / "verdicts.jsonl").exists() and time.monotonic() < end:
        time.sleep(0.02)
    second = judge(*arguments, cwd=tmp_path)
    assert second.returncode == 2
    assert "another judge" in one_line(second.stderr)
    _, err = first.communicate(timeout=60)
    assert first.returncode == 0, err
    assert len(keys((out / "verdicts.jsonl").read_text())) == REQUIREMENTS


CLOCK = """
import random, runpy, sys, time
real, draw = time.time, random.Random(3)
time.time = lambda: max(0.0, real() + draw.choice((0, 0, -86400 * 400, 86400 * 400, -real())))
sys.argv[0] = "judge"
runpy.run_module("judge", run_name="__main__", alter_sys=True)
"""


def test_clocks_that_jump_change_nothing(filled: Any, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = ("run", filled.tasks, "-w", filled.workspaces, "-m", filled.model, "--out", out)
    ran = judge(*arguments, cwd=tmp_path, code=CLOCK)
    assert ran.returncode == 0, ran.stderr[-800:]
    lines = filled.lines(out)
    assert len(lines) == REQUIREMENTS
    assert all(0 <= line["usage"]["seconds"] < 60 for line in lines)
    again = judge(*arguments, cwd=tmp_path, code=CLOCK)
    assert again.returncode == 0, again.stderr[-800:]
    assert filled.lines(out) == lines


@pytest.mark.parametrize(
    "garbage", [b"", b"\x00" * 5000, b"SQLite format 3\x00" + b"\xff" * 5000], ids=["empty", "zeros", "header"]
)
def test_garbage_in_the_caches_costs_no_verdict(filled: Any, tmp_path: Path, garbage: bytes) -> None:
    first = judge(
        "run", filled.tasks, "-w", filled.workspaces, "-m", filled.model, "--out", tmp_path / "one", cwd=tmp_path
    )
    assert first.returncode == 0
    cache = Path(os.environ["XDG_CACHE_HOME"]) / "judge"
    files = [path for path in cache.rglob("*") if path.is_file()]
    assert files, "no cache was written"
    for path in files:
        path.write_bytes(garbage)
    second = judge(
        "run", filled.tasks, "-w", filled.workspaces, "-m", filled.model, "--out", tmp_path / "two", cwd=tmp_path
    )
    assert second.returncode == 0, second.stderr
    assert "Traceback" not in second.stderr
    assert len(filled.lines(tmp_path / "two")) == REQUIREMENTS


@pytest.mark.parametrize("damage", ["cut", "garbage"])
def test_a_damaged_verdict_log(filled: Any, tmp_path: Path, damage: str) -> None:
    out = tmp_path / "out"
    arguments = ("run", filled.tasks, "-w", filled.workspaces, "-m", filled.model, "--out", out)
    assert judge(*arguments, cwd=tmp_path).returncode == 0
    log = out / "verdicts.jsonl"
    data = log.read_bytes()
    if damage == "cut":
        log.write_bytes(data[:-20])
        again = judge(*arguments, cwd=tmp_path)
        assert again.returncode == 0, again.stderr
        assert "cut off" in again.stderr
        assert sorted(keys(log.read_text())) == sorted(keys(data.decode()))
    else:
        log.write_bytes(b"garbage\n" + data)
        again = judge(*arguments, cwd=tmp_path)
        assert again.returncode == 2
        assert "line 1" in one_line(again.stderr)
        assert log.read_bytes() == b"garbage\n" + data, "what is there must not be touched"
