"""Measures what a user waits for: `judge --help`, and a run over the bundled tasks.

Usage: python scripts/bench/cli.py [--repeat N] [--json]

CPU seconds are those of the process and its children, start of the interpreter included; the best repeat counts,
because everything else on the machine can only add to it. Exits with 1 when `judge --help` takes longer than allowed.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HELP_LIMIT = 0.25


def measure(arguments: list[str], cwd: Path) -> tuple[float, float]:
    """CPU seconds and wall seconds of one command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    command = [sys.executable, "-m", "judge", *arguments]
    subprocess.run(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def main() -> int:
    """Prints the table; the exit code says whether the limit is kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5, help="runs of each short command (default 5)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    bundled = [
        "run",
        str(ROOT / "devai" / "tasks"),
        "--workspace",
        str(ROOT / "devai" / "workspaces"),
        "--judge",
        "rules",
    ]
    rows = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments, repeat in (
            ("judge --help", ["--help"], options.repeat),
            ("judge run --help", ["run", "--help"], options.repeat),
            ("judge run (bundled tasks, rules)", [*bundled, "--fresh"], 1),
        ):
            results = [measure(arguments, Path(folder)) for _ in range(max(1, repeat))]
            rows[name] = {
                "cpu_s": round(min(cpu for cpu, _ in results), 3),
                "wall_s": round(min(w for _, w in results), 3),
            }
    kept = rows["judge --help"]["cpu_s"] <= HELP_LIMIT
    if options.json:
        print(json.dumps({"commands": rows, "help_limit_s": HELP_LIMIT, "kept": kept}, indent=2))
    else:
        for name, row in rows.items():
            print(f"{row['cpu_s']:7.3f} s CPU  {row['wall_s']:7.3f} s wall  {name}")
        print(f"judge --help within {HELP_LIMIT} s CPU: {'yes' if kept else 'NO'}")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
