"""kill -9 at any moment: finished verdicts are kept, none is doubled, none is paid for twice."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path
from typing import Any

import pytest

KILLS = int(os.environ.get("JUDGE_TEST_KILLS", "12"))
REQUIREMENTS = 24


def wait(chance: random.Random, journal: Path, before: int, process: Any) -> None:
    """Until some moment: now and then during the start, else soon after one of the next verdicts is written."""
    if chance.random() < 0.25:
        time.sleep(chance.uniform(0.05, 1.2))
        return
    wanted = before + chance.randint(1, 6)
    end = time.monotonic() + 20
    while time.monotonic() < end and process.poll() is None:
        if journal.exists() and journal.read_bytes().count(b"\n") >= wanted:
            break
        time.sleep(0.002)
    time.sleep(chance.uniform(0.0, 0.04))


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_killed_at_random_moments(start: Any, lab: Any, tmp_path: Path) -> None:
    chance = random.Random(20240607)
    for name in ("01_A", "02_B", "03_C"):
        lab.add(name, [[] if number % 4 == 0 else [number - 1] for number in range(REQUIREMENTS // 3)])
    lab.write_script(latency=0.02)
    number, killed = 0, 0
    while killed < KILLS:
        number += 1
        out = tmp_path / f"out{number}"
        (lab.root / "calls.jsonl").unlink(missing_ok=True)
        calls_of_lost = 0
        finished: dict[tuple[str, int], dict[str, Any]] = {}
        for _ in range(3):  # several kills in one run folder, then to the end
            process = start("run", lab.tasks, "-w", lab.workspaces, "-m", lab.model, "--out", out, "-c", 2)
            wait(chance, out / "verdicts.jsonl", len(finished), process)
            process.kill()
            process.communicate(timeout=20)
            killed += process.returncode == -9
            text = (out / "verdicts.jsonl").read_bytes() if (out / "verdicts.jsonl").exists() else b""
            now = {
                (line["task"], line["requirement_id"]): line
                for line in lab.lines_of(text[: text.rfind(b"\n") + 1].decode("utf-8"))
            }
            assert {key: now.get(key) for key in finished} == finished, "a finished verdict was lost or changed"
            finished = now
            calls_of_lost = len(lab.calls()) - len(finished)
            assert 0 <= calls_of_lost <= 2 * 3, "only calls in flight at a kill may be lost"
        process = start("run", lab.tasks, "-w", lab.workspaces, "-m", lab.model, "--out", out, "-c", 2)
        _, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
        lines = lab.lines(out)
        keys = [(line["task"], line["requirement_id"]) for line in lines]
        assert len(keys) == len(set(keys)) == REQUIREMENTS, "a verdict is missing or doubled"
        assert {key: line for key, line in zip(keys, lines, strict=True) if key in finished} == finished
        assert len(lab.calls()) - calls_of_lost == REQUIREMENTS, "a finished verdict was paid for again"
        assert not list(out.glob("**/.*.tmp")), "what a kill left half written is swept up"
