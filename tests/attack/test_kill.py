"""kill -9 at random moments of every command that writes: what is there is whole, and running again completes it."""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

KILLS = int(os.environ.get("JUDGE_TEST_KILLS", "3"))
ROOT = Path(__file__).resolve().parents[2]

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


class Command(NamedTuple):
    """What is run, which files it writes, and how they are read."""

    arguments: tuple[object, ...]
    files: Callable[[], dict[str, Any]]


def documents(folder: Path, pattern: str) -> dict[str, Any]:
    """JSON files by name; one that is half written makes this fail."""
    return {path.name: json.loads(path.read_bytes()) for path in sorted(folder.rglob(pattern))}


def verdicts(folder: Path) -> dict[str, Any]:
    """Verdicts of all run folders; a line must not be there twice."""
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("verdicts.jsonl")):
        for line in path.read_text().splitlines(keepends=True):
            if line.endswith("\n"):
                item = json.loads(line)
                key = f"{path.parent.name}/{item['task']}/{item['requirement_id']}"
                assert key not in found, f"{key} is doubled"
                found[key] = item["verdict"]
    return found


def totals(folder: Path) -> dict[str, Any]:
    found = {}
    for path in folder.rglob("submissions.jsonl"):
        for line in path.read_text().splitlines(keepends=True):
            if line.endswith("\n"):
                report = json.loads(line)["report"]
                assert report["submission"] not in found, "a submission was scored twice"
                found[report["submission"]] = report["total"]
    return found


def sweep(place: Path) -> Command:
    file = place / "sweep.yaml"
    bundled = (ROOT / "devai" / "sweeps" / "bundled.yaml").read_text()
    file.write_text(bundled.replace("../../", f"{ROOT}/").replace("../", f"{ROOT}/devai/"))
    return Command(("sweep", file, "--out", place / "out"), lambda: verdicts(place / "out"))


def align(place: Path) -> Command:
    labels = ROOT / "devai" / "labels"
    arguments = ("align", labels, "--labels", labels, "--markdown", place / "a.md", "--html", place / "a.html")
    return Command(arguments, lambda: {path.name: path.read_text() for path in place.glob("a.*")})


def convert(place: Path) -> Command:
    samples = ROOT / "trajectories" / "samples"
    files = [path for path in sorted(samples.glob("*/*.json*")) if path.parent.name not in ("cline", "atif")]
    arguments = ("trajectory", "convert", *files, "--out", place / "out", "--force")
    return Command(arguments, lambda: documents(place / "out", "*.json"))


def score(place: Path) -> Command:
    suite = next((ROOT / "devai" / "suites").glob("*/suite.yaml"))
    arguments = ("score", suite, suite.parent / "submissions", "--no-performance", "--out", place / "out")
    return Command(arguments, lambda: totals(place / "out"))


@pytest.mark.parametrize("make", [sweep, align, convert, score], ids=lambda make: make.__name__)
def test_killed_and_run_again(make: Callable[[Path], Command], start: Any, tmp_path: Path) -> None:
    chance = random.Random(f"5 {make.__name__}")
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    for place in (whole, cut):
        place.mkdir()
    command = make(whole)
    begin = time.monotonic()
    process = start(*command.arguments)
    _, err = process.communicate(timeout=300)
    seconds = time.monotonic() - begin
    assert process.returncode in (0, 1), err
    expected = command.files()
    assert expected
    command = make(cut)
    killed = 0
    for _ in range(KILLS + 2):
        process = start(*command.arguments)
        time.sleep(chance.uniform(0.2, 0.95) * seconds)
        process.kill()
        process.communicate(timeout=30)
        killed += process.returncode == -9
        before = command.files()
        assert {key: expected.get(key) for key in before} == before, "something half written or wrong was left"
        if killed >= KILLS:
            break
    process = start(*command.arguments)
    _, err = process.communicate(timeout=300)
    assert process.returncode in (0, 1), err
    assert command.files() == expected
    assert not [path for path in cut.rglob("*") if path.name.endswith((".tmp", ".part"))], (
        "a kill left something behind"
    )
