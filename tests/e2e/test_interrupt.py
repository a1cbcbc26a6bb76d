"""Ctrl-C and SIGTERM keep what is done; a second one ends at once."""

from __future__ import annotations

import signal
import time
from pathlib import Path
from typing import Any

import pytest


def wait_for(path: Path, lines: int, seconds: float = 20.0) -> None:
    """Until a file has so many lines."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if path.exists() and path.read_bytes().count(b"\n") >= lines:
            return
        time.sleep(0.02)
    pytest.fail(f"{path} did not get {lines} lines in {seconds} s")


def run(start: Any, lab: Any, out: Path) -> Any:
    return start("run", lab.tasks, "-w", lab.workspaces, "-m", lab.model, "--out", out, "--concurrency", 2)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_keeps_what_is_done_and_in_flight(start: Any, lab: Any, tmp_path: Path, number: int) -> None:
    lab.add("01_A", [[] for _ in range(40)])
    lab.write_script(latency=0.3)
    out = tmp_path / "out"
    process = run(start, lab, out)
    wait_for(out / "verdicts.jsonl", 2)
    process.send_signal(number)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130, err
    assert "Traceback" not in err and "run again" in err
    kept = lab.lines(out)
    assert 2 <= len(kept) < 40 and len(lab.calls()) == len(kept), "what was paid for is kept"
    assert sum(item["satisfied"] is True for item in lab.judgments(out, "01_A")["requirements"]) == len(kept)
    lab.write_script()
    again = run(start, lab, out)
    again.communicate(timeout=60)
    assert again.returncode == 0
    assert len(lab.lines(out)) == 40 == len(lab.calls())


def test_a_second_signal_ends_at_once(start: Any, lab: Any, tmp_path: Path) -> None:
    lab.add("01_A", [[] for _ in range(6)])
    lab.answer(
        ("01_A", 1, {"verdict": "SATISFIED", "latency": 30}), ("01_A", 2, {"verdict": "SATISFIED", "latency": 30})
    )
    out = tmp_path / "out"
    process = run(start, lab, out)
    wait_for(out / "verdicts.jsonl", 1)
    wait_for(lab.root / "calls.jsonl", 3)
    process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=10)
    assert process.returncode == 130 and time.monotonic() - begin < 2
    assert len(lab.lines(out)) == 1


def test_a_hanging_call_does_not_hold_up_the_exit(start: Any, lab: Any, tmp_path: Path) -> None:
    lab.add("01_A", [[], []])
    lab.answer(("01_A", 1, {"verdict": "SATISFIED", "latency": 120}))
    out = tmp_path / "out"
    process = run(start, lab, out)
    wait_for(out / "verdicts.jsonl", 1)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=15)
    assert process.returncode == 130 and len(lab.lines(out)) == 1
