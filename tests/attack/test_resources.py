"""The nastiest workspace we can write: judged within bounds of time and memory, without a traceback."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.attack.nasty import fill

MEMORY = 500 * 1024
"""KiB: all processes of a run together."""
CPU = 30.0
"""Seconds of all processes of a run together."""

MEASURE = r"""
import glob, json, re, resource, subprocess, sys, tempfile, time

def together(first):
    # Memory of a process and all below it; what they share counts once.
    parents = {}
    for place in glob.glob("/proc/[0-9]*/stat"):
        try:
            text = open(place).read()
        except OSError:
            continue
        parents[int(place.split("/")[2])] = int(text.rpartition(")")[2].split()[1])
    family = {first}
    while more := {child for child, parent in parents.items() if parent in family} - family:
        family |= more
    total = 0
    for member in family:
        try:
            total += int(re.search(r"(?m)^Pss: +([0-9]+)", open(f"/proc/{member}/smaps_rollup").read())[1])
        except (OSError, TypeError):
            continue
    return total

with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
    running = subprocess.Popen([sys.executable, "-m", "judge", *sys.argv[1:]], stdout=out, stderr=err)
    most = 0
    while running.poll() is None:
        most = max(most, together(running.pid))
        time.sleep(0.1)
    out.seek(0), err.seek(0)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime
    most = max(most, used.ru_maxrss)
    print(json.dumps([running.returncode, most, seconds, out.read()[-3000:], err.read()[-3000:]]))
"""


@pytest.fixture(scope="module")
def nasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    place = tmp_path_factory.mktemp("nasty")
    (place / "ws").mkdir()
    fill(place / "ws")
    size = sum(path.lstat().st_size for path in (place / "ws").rglob("*") if not path.is_symlink())
    assert size < 30_000_000, f"{size:,} bytes"
    names = sorted(path.name for path in (place / "ws").iterdir() if path.name.isascii() and path.name.isprintable())
    criteria = [f"`{name}` is read and shows the results." for name in names if "." in name][:40]
    criteria += ["The accuracy is saved in `results/metrics.txt`.", "Everything is plotted.", "x" * 5_000]
    requirements = [
        {"requirement_id": number, "prerequisites": [], "criteria": text} for number, text in enumerate(criteria)
    ]
    task = {"name": "nasty", "query": "Do it.", "tags": [], "requirements": requirements, "preferences": []}
    (place / "nasty.json").write_text(json.dumps(task))
    yield place
    (place / "ws" / "locked").chmod(0o700)


def measured(place: Path, *arguments: object) -> tuple[int, int, float, str, str]:
    command = [sys.executable, "-c", MEASURE, *map(str, arguments)]
    ran = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=280, check=True)
    code, memory, seconds, out, err = json.loads(ran.stdout)
    return code, memory, seconds, out, err


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("command", ["run", "graph", "evidence"])
def test_the_nastiest_workspace_stays_within_bounds(nasty: Path, command: str, tmp_path: Path) -> None:
    arguments: dict[str, tuple[Any, ...]] = {
        "run": ("run", "nasty.json", "-w", "ws", "--judge", "rules", "--out", tmp_path / "out"),
        "graph": ("graph", "ws"),
        "evidence": ("evidence", "nasty.json", "-w", "ws", "--requirement", "0"),
    }
    code, memory, seconds, _, err = measured(nasty, *arguments[command])
    print(f"{command}: {memory // 1024} MiB, {seconds:.1f} CPU s")  # figures for SECURITY.md
    assert code in (0, 5), err
    assert "Traceback" not in err
    assert memory < MEMORY, f"{memory // 1024} MiB"
    assert seconds < CPU
    if command == "run":
        lines = (tmp_path / "out" / "verdicts.jsonl").read_text().splitlines()
        assert len(lines) == len(json.loads((nasty / "nasty.json").read_text())["requirements"])
    assert not (nasty / "ws" / "results").exists(), "something was executed or written"
