"""Measures what stands between the judge and a model: time, rate, own CPU, memory, and what prompts cost.

Usage: python scripts/bench/models.py [--requirements N] [--load N] [--latency S] [--concurrency C]
    [--task FILE --workspace DIR] [--skip PART]... [--json]

Runs `judge run` as a user would, in a process of its own, against `model_server.py` on the loopback: every answer takes
the same time, every requirement is another one, nothing comes from a cache. Times are those between the first request
that arrives and the last answer that leaves; the program's start and the graph come before. Exits with 1 when a bound
is not kept:

- latency: N requirements, latency L, concurrency C take N x L / C, and at most a tenth more;
- rate: a server that takes R requests a minute is used to nine tenths at least, and no second sees more refusals than
  calls in flight; with the limit set, told in headers, told by Retry-After alone, and not told at all;
- load: own CPU per requirement stays below 10 ms, and memory does not grow with their number.

With --task and --workspace it also tells what the whole program needs for one task at 200 ms a call, start and graph
included: the least of three runs, which other work on the machine disturbs least. The last part prints calls and prompt
tokens of the bundled tasks, as `prompts.py` counts them.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
WORKSPACE = ROOT / "devai" / "workspaces" / "03_Lighthouse_Gridworld_QLearning_RL"
FILES = ("src/train.py", "src/env.py", "src/agent.py", "config.json")
CPU_LIMIT = 0.010
GROWTH_LIMIT = 1.15
PER_TASK = 100


@dataclass(frozen=True, slots=True)
class Measured:
    """One run.

    Attributes:
        code: Its exit code.
        seconds: From the first request to the last answer.
        wall: Of the whole process.
        cpu: Of the whole process, seconds.
        served: Answers.
        refused: Refusals, and those of the worst second.
        worst: Refusals in the worst second.
        most: Calls in flight at most.
        memory: Answers so far -> resident memory, MB.
    """

    code: int
    seconds: float
    wall: float
    cpu: float
    served: int
    refused: int
    worst: int
    most: int
    memory: dict[int, float]


@contextmanager
def server(*arguments: str) -> Iterator[str]:
    """A model on the loopback; gives its address."""
    command = [sys.executable, str(Path(__file__).with_name("model_server.py")), *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def make(folder: Path, tasks: int, requirements: int) -> None:
    """Tasks on copies of one workspace; no two requirements are the same."""
    for number in range(tasks):
        name = f"Bench_{number:04}"
        criteria = [
            f"Number {number}-{index}: `{FILES[index % len(FILES)]}` is there and holds what step {index} needs."
            for index in range(requirements)
        ]
        items = [
            {"requirement_id": index, "prerequisites": [], "criteria": text, "category": "x", "satisfied": None}
            for index, text in enumerate(criteria)
        ]
        task = {"name": name, "query": "Train an agent.", "tags": [], "requirements": items, "preferences": []}
        task |= {"is_kaggle_api_needed": False, "is_training_needed": False, "is_web_navigation_needed": False}
        (folder / "tasks").mkdir(parents=True, exist_ok=True)
        (folder / "tasks" / f"{name}.json").write_text(json.dumps(task), encoding="utf-8")
        shutil.copytree(WORKSPACE, folder / "workspaces" / name)


def run(url: str, tasks: int, requirements: int, *options: str) -> Measured:
    """Judges so many requirements and measures it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make(folder, tasks, requirements)
        command = [sys.executable, "-m", "judge", "run", str(folder / "tasks"), "-w", str(folder / "workspaces")]
        command += ["--model", "openai:bench", "--base-url", f"{url}/v1", "--out", str(folder / "out"), *options]
        environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), "PYTHONPATH": str(ROOT)}
        started = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        memory: dict[int, float] = {}
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            memory[int(_stats(url)["served"])] = _resident(process.pid)
            time.sleep(0.5)
        process.returncode = os.waitstatus_to_exitcode(status)
        found = _stats(url)
        return Measured(
            code=process.returncode,
            seconds=float(found["seconds"]),
            wall=time.perf_counter() - started,
            cpu=usage.ru_utime + usage.ru_stime,
            served=int(found["served"]),
            refused=int(found["refused"]),
            worst=int(found["refused_in_worst_second"]),
            most=int(found["most_in_flight"]),
            memory=memory,
        )


def latency(count: int, seconds: float, places: int) -> dict[str, Any]:
    """Wall time against N x L / C."""
    with server("--latency", str(seconds)) as url:
        got = run(url, 1, count, "-c", str(places))
    bound = count * seconds / places
    return {
        "requirements": count,
        "latency_s": seconds,
        "concurrency": places,
        "bound_s": round(bound, 2),
        "measured_s": round(got.seconds, 2),
        "ratio": round(got.seconds / bound, 3),
        "process_s": round(got.wall, 2),
        "kept": got.served == count and got.seconds <= 1.1 * bound,
    }


def rate(count: int, per_minute: int, places: int) -> dict[str, Any]:
    """A server with a limit, told in four ways."""
    ways = {
        "set by --requests-per-minute": ([], ["--requests-per-minute", str(per_minute)]),
        "told in headers": (["--headers"], []),
        "told by Retry-After": (["--retry-after", "1"], []),
        "not told": ([], []),
    }
    rows: dict[str, Any] = {}
    # What servers call so many a minute is a bucket that holds a second or two of them.
    burst = max(2, per_minute // 30)
    bound = (count - burst) * 60 / per_minute
    for name, (offered, options) in ways.items():
        limits = ["--latency", "0.05", "--per-minute", str(per_minute), "--burst", str(burst), *offered]
        with server(*limits) as url:
            got = run(url, 1, count, "-c", str(places), *options)
        whole = count * 60 / per_minute
        rows[name] = {
            "bound_s": round(bound, 2),
            "measured_s": round(got.seconds, 2),
            "ratio": round(got.seconds / whole, 3),
            "refused": got.refused,
            "refused_in_worst_second": got.worst,
            "kept": got.served == count and got.seconds <= 1.1 * whole and got.worst <= places,
        }
    return {"requirements": count, "per_minute": per_minute, "concurrency": places, "ways": rows}


def load(count: int, places: int) -> dict[str, Any]:
    """Own CPU and memory over many requirements."""
    tasks = max(1, count // PER_TASK)
    with server("--latency", "0.02") as url:
        least = run(url, tasks, 1, "-c", str(places))
    with server("--latency", "0.02") as url:
        got = run(url, tasks, PER_TASK, "-c", str(places))
    cpu = (got.cpu - least.cpu) / max(1, got.served - least.served)
    marks = [share for share in (0.25, 0.5, 0.75, 1.0) if got.memory]
    sizes = [got.memory[min(got.memory, key=lambda at: abs(at - share * got.served))] for share in marks]
    growth = sizes[-1] / sizes[0] if sizes else 1.0
    slope = (sizes[-1] - sizes[0]) / (0.75 * got.served / 1_000) if sizes else 0.0
    return {
        "requirements": got.served,
        "tasks": tasks,
        "cpu_ms_per_requirement": round(1_000 * cpu, 2),
        "cpu_ms_per_task_for_its_graph": round(1_000 * least.cpu / tasks, 1),
        "requirements_per_second": round(got.served / max(got.seconds, 0.001), 1),
        "memory_mb_at_quarters": [round(size) for size in sizes],
        "memory_mb_per_1000_requirements": round(slope, 2),
        "growth": round(growth, 3),
        "kept": got.code == 0 and cpu <= CPU_LIMIT and growth <= GROWTH_LIMIT,
    }


def whole(task: Path, workspace: Path) -> dict[str, Any]:
    """The whole program on one task: the least of three runs, with nothing kept from the ones before."""
    rows = []
    with server("--latency", "0.2") as url:
        for _ in range(3):
            with tempfile.TemporaryDirectory() as name:
                command = [sys.executable, "-m", "judge", "run", str(task), "-w", str(workspace), "--no-cache"]
                command += ["--model", "openai:bench", "--base-url", f"{url}/v1", "--out", f"{name}/out"]
                environment = {**os.environ, "XDG_CACHE_HOME": f"{name}/cache", "PYTHONPATH": str(ROOT)}
                before, started = os.times(), time.perf_counter()
                quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
                code = subprocess.run(command, cwd=name, env=environment, check=False, **quiet).returncode
                wall, after = time.perf_counter() - started, os.times()
                cpu = after.children_user + after.children_system - before.children_user - before.children_system
                rows.append((wall, cpu, code))
        calls = int(_stats(url)["served"]) // len(rows)
    wall, cpu = (round(min(row[place] for row in rows), 2) for place in (0, 1))
    return {"calls": calls, "wall_s": wall, "cpu_s": cpu, "kept": all(row[2] == 0 for row in rows)}


def prompts() -> dict[str, Any]:
    """Calls and prompt tokens of the bundled tasks."""
    command = [sys.executable, str(Path(__file__).with_name("prompts.py")), "--json"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    try:
        found: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        return {"kept": False, "error": done.stderr.strip()[-300:]}
    return found | {"kept": done.returncode == 0}


def _stats(url: str) -> dict[str, float]:
    with urllib.request.urlopen(f"{url}/stats", timeout=10) as response:
        found: dict[str, float] = json.load(response)
    return found


def _resident(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    except OSError:  # no such file system, or the process has just ended
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:")), 0.0)


def main() -> int:
    """Prints one block a part; the exit code says whether all bounds are kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requirements", type=int, default=240, help="for latency and rate (default 240)")
    parser.add_argument("--load", type=int, default=2_000, help="for CPU and memory (default 2,000)")
    parser.add_argument("--latency", type=float, default=0.5, help="seconds to an answer (default 0.5)")
    parser.add_argument("--concurrency", type=int, default=8, help="calls in flight (default 8)")
    parser.add_argument("--per-minute", type=int, default=900, help="requests that the server takes (default 900)")
    parser.add_argument("--task", type=Path, help="a task file, for what the whole program needs")
    parser.add_argument("--workspace", type=Path, help="its workspace")
    parts = ("latency", "rate", "load", "whole", "prompts")
    parser.add_argument("--skip", action="append", default=[], choices=parts, help="leave a part out")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    work = {
        "latency": lambda: latency(options.requirements, options.latency, options.concurrency),
        "rate": lambda: rate(options.requirements, options.per_minute, options.concurrency),
        "load": lambda: load(options.load, options.concurrency),
        "whole": lambda: whole(options.task.resolve(), options.workspace.resolve()),
        "prompts": prompts,
    }
    found: dict[str, dict[str, Any]] = {}
    for name in parts:
        if name in options.skip or (name == "whole" and not (options.task and options.workspace)):
            continue
        found[name] = work[name]()
        if not options.json:
            print(f"{name}: {json.dumps(found[name], indent=2)}", flush=True)
    if options.json:
        print(json.dumps(found, indent=2))
    rows = [*found.values(), *found.get("rate", {}).get("ways", {}).values()]
    return 0 if all(row.get("kept", True) for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
