"""Measures a report over much data: time of `judge report` and size of the page, against what is allowed.

Usage: python scripts/bench/report.py [RUN...] [--json]

Without RUN it makes three runs of 55 tasks and 366 requirements each, every verdict with a reason, citations and
evidence of about 25 kB; most of it is shared by the requirements of a task, as in real runs.
Exits with 1 when the page takes more than 5 s of CPU time or 10 MB.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SECONDS, BYTES = 5.0, 10_000_000
TASKS, REQUIREMENTS = 55, 366


def make_run(path: Path, seed: int) -> Path:
    """Writes a run folder like that of a model's run."""
    (path / "judgments").mkdir(parents=True)
    (path / "evidence").mkdir()
    header = {"version": "0", "judge": "agent", "model": f"bench:{seed}", "setting": "gray-box", "modules": ["ask"]}
    (path / "run.json").write_text(json.dumps(header), encoding="utf-8")
    lines = []
    for task in range(TASKS):
        name = f"{task:02}_Task_With_Quite_A_Long_Name_{seed}"
        numbers = range(REQUIREMENTS // TASKS + (task < REQUIREMENTS % TASKS))
        listed = [
            {"requirement_id": n, "prerequisites": list(range(max(0, n - 2), n)), "criteria": f"Criterion {n} " * 12,
             "category": f"Category {n % 6}", "satisfied": None}
            for n in numbers
        ]  # fmt: skip
        value = {"name": name, "query": "Do it. " * 150, "tags": [], "requirements": listed, "preferences": []}
        (path / "judgments" / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")
        lines += [_verdict(path, name, number, seed) for number in numbers]
    (path / "verdicts.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _verdict(path: Path, name: str, number: int, seed: int) -> str:
    items = [_item(f"src/{part}.py", f"load('{name}', {part + seed})") for part in range(4)]
    items.append(_item(f"logs/{number}.txt", f"epoch {number} of {name}"))
    data = json.dumps({"schema_version": 1, "evidence": items}).encode()
    digest = hashlib.sha256(data).hexdigest()
    (path / "evidence" / f"{digest}.json").write_bytes(data)
    cited = [
        {"path": f"src/{part}.py", "line": 40, "end_line": 41, "quote": "value_40", "verified": True}
        for part in range(4)
    ]
    usage = {"calls": 1, "input_tokens": 11_000, "output_tokens": 300, "cost": 0.01, "seconds": 3.0}
    return json.dumps(
        {"task": name, "requirement_id": number, "verdict": "SATISFIED" if (number + seed) % 3 else "UNSATISFIED",
         "reason": "`src/0.py` does what is asked for, as line 40 shows. " * 8, "confidence": 0.9, "citations": cited,
         "usage": usage, "seconds": 3.0, "judge": "agent", "model": "bench", "evidence_hash": digest}
    )  # fmt: skip


def _item(path: str, line: str) -> dict[str, object]:
    text = "\n".join(f"{row}| value_{row} = {line}" for row in range(1, 101))
    return {"module": "read", "kind": "file", "title": path, "path": path, "tokens": 1300, "text": text}


def main() -> int:
    """Prints time and size; the exit code says whether the limits are kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="*", type=Path, metavar="RUN", help="run folders or folders of judgments")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        runs = options.runs or [make_run(Path(folder) / f"run{seed}", seed) for seed in range(3)]
        out = Path(folder) / "out"
        command = [
            sys.executable,
            "-P",
            "-m",
            "judge",
            "report",
            *map(str, runs),
            "--out",
            str(out),
            "--format",
            "html",
        ]
        start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([*command, "--format", "markdown"], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
        wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        size, comment = ((out / name).stat().st_size for name in ("report.html", "report.md"))
    kept = seconds <= SECONDS and size <= BYTES
    if options.json:
        times = {"cpu_s": round(seconds, 2), "wall_s": round(wall, 2)}
        print(json.dumps({**times, "bytes": size, "markdown_bytes": comment, "kept": kept}, indent=2))
    else:
        print(f"{seconds:.2f} s CPU (limit {SECONDS:.0f}), {wall:.2f} s wall")
        print(f"{size / 1e6:.2f} MB (limit {BYTES / 1e6:.0f})")
        print(f"within the limits: {'yes' if kept else 'NO'}")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
