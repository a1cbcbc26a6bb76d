"""Measures how long large trajectories take to convert, and how much memory: `python scripts/bench/trajectory.py`.

A synthetic Claude Code session of 100 MB is written into a temporary folder (with sub-agents, parallel calls, pictures,
the double results that the program keeps, and some damage), and the same amount as a DevAI list. Each is converted in a
process of its own. Fails above 10 seconds of CPU time or 300 MB of memory.
"""

from __future__ import annotations

import argparse
import base64
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

SECONDS, MEGABYTES = 10.0, 300.0
_HOME = "/home/" + "mjones"
_CHILD = """
import resource, sys, time
from pathlib import Path
from judge.trajectories import convert
from judge.trajectories.write import write_trajectory
started = time.process_time()
items = list(convert(Path(sys.argv[1])))
write_trajectory(items[0].trajectory, Path(sys.argv[2]))
seconds = time.process_time() - started
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)
print(seconds, peak, len(items[0].trajectory.steps))
"""
# About as many of the words that secrets are looked for by, and of home folders, as in sessions of real agents.
_WORDS = (
    "the model data frame column train test split accuracy result figure plot save load path config value error line "
    "function return import class self index batch epoch loss metric report table query cache step file score array "
    "shape mean label feature sample worker server request response buffer window layer weight image folder option "
    "string number object module package version branch commit message parser writer reader handler event token"
).split()


def _text(rng: random.Random, lines: int) -> str:
    """Something between prose, code and console output."""
    made = []
    for number in range(lines):
        words = " ".join(rng.choices(_WORDS, k=rng.randint(3, 12)))
        kind = number % 7
        if kind == 3 and number % 42 == 3:
            made.append(
                f"    {words.replace(' ', '_')[:50]} = os.path.join('{_HOME}/project/src', \"data_{number}.csv\")"
            )
        elif kind == 5:
            made.append(f"{number:6d}\u2192def {rng.choice(_WORDS)}_{number}(self, {', '.join(words.split()[:3])}):")
        else:
            made.append(words)
    return "\n".join(made)


def session(size: int) -> Iterator[str]:
    """The lines of a session of about that many characters."""
    rng = random.Random(7)
    picture = base64.b64encode(rng.randbytes(60_000)).decode()
    base = {
        "sessionId": "s",
        "version": "2.1.0",
        "cwd": f"{_HOME}/project",
        "gitBranch": "main",
        "userType": "external",
    }
    parent, written, number = None, 0, 0

    def record(kind: str, **more: object) -> str:
        nonlocal parent, number, written
        number += 1
        uuid = f"{rng.getrandbits(128):032x}"
        clock = f"{number // 3600 % 24:02d}:{number // 60 % 60:02d}:{number % 60:02d}"
        time = f"2026-01-{1 + number // 86400:02d}T{clock}.000Z"
        line = json.dumps(
            base | {"type": kind, "uuid": uuid, "parentUuid": parent, "isSidechain": False, "timestamp": time} | more
        )
        parent = uuid
        written += len(line) + 1
        return line

    yield record("user", message={"role": "user", "content": _text(rng, 20)})
    turn = 0
    while written < size:
        turn += 1
        usage = {"input_tokens": 3, "cache_read_input_tokens": 9000 + turn, "output_tokens": rng.randint(1, 400)}
        message = {"id": f"msg_{turn}", "role": "assistant", "model": "claude-sonnet-4-5", "usage": usage}
        yield record("assistant", message=message | {"content": [{"type": "text", "text": _text(rng, 3)}]})
        calls = [f"toolu_{turn}_{i}" for i in range(rng.choice((1, 1, 1, 3)))]
        for call in calls:
            tool = rng.choice(
                (
                    ("Bash", {"command": f"python src/train.py --epochs {turn}"}),
                    ("Write", {"file_path": f"{_HOME}/project/src/m{turn % 90}.py", "content": _text(rng, 40)}),
                    ("Read", {"file_path": f"{_HOME}/project/src/m{turn % 90}.py"}),
                    (
                        "Edit",
                        {"file_path": f"{_HOME}/project/a.py", "old_string": "a\nb", "new_string": _text(rng, 9)},
                    ),
                )
            )
            block = {"type": "tool_use", "id": call, "name": tool[0], "input": tool[1]}
            yield record("assistant", message=message | {"content": [block]})
        for call in calls:
            text = _text(rng, rng.randint(2, 120))
            content: object = text
            if rng.random() < 0.01:
                content = [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": picture}}]
            block = {"type": "tool_result", "tool_use_id": call, "content": content}
            extra = {"stdout": text, "stderr": "", "interrupted": False}
            yield record("user", message={"role": "user", "content": [block]}, toolUseResult=extra)
        if turn % 25 == 0:
            yield json.dumps({"type": "file-history-snapshot", "messageId": "m", "snapshot": {}})
        if turn % 200 == 0:
            yield record("user", message={"role": "user", "content": _text(rng, 2)})
    yield '{"type": "assistant", "uuid": "cut", "mess'


def steps(size: int) -> Iterator[str]:
    """The elements of a DevAI list of about that many characters."""
    rng = random.Random(8)
    written = number = 0
    usage = {
        "input_tokens": 5,
        "output_tokens": 2,
        "model": "m",
        "cost": 0.01,
        "llm_inference_time": 1,
        "step_execution_time": 2,
    }
    while written < size:
        step = {
            "step": number,
            "user_message": None,
            "agent": {"thought": _text(rng, 4), "action": f"python src/train.py --epochs {number}", "agent_name": "a"},
            "environment": _text(rng, rng.randint(2, 160)),
            "step_usage": usage,
            "accumulated_usage": {"accumulated_cost": 0.01 * number, "accumulated_time": 2 * number},
        }
        line = json.dumps(step)
        written, number = written + len(line), number + 1
        yield line


def main() -> int:
    """Prints one line a file; 1 when a bound is broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=100.0, help="size of each file")
    size = int(parser.parse_args().megabytes * 1_000_000)
    broken = False
    with tempfile.TemporaryDirectory() as folder:
        claude, devai = Path(folder) / "session.jsonl", Path(folder) / "devai.json"
        with claude.open("w", encoding="utf-8") as out:
            out.writelines(line + "\n" for line in session(size))
        with devai.open("w", encoding="utf-8") as out:
            out.write("[")
            for number, line in enumerate(steps(size)):
                out.write(("," if number else "") + line)
            out.write("]")
        for path in (claude, devai):
            done = subprocess.run(
                [sys.executable, "-c", _CHILD, str(path), str(path.with_suffix(".out"))],
                capture_output=True, text=True, check=True,
            )  # fmt: skip
            seconds, peak, count = map(float, done.stdout.split())
            bad = seconds > SECONDS or peak > MEGABYTES
            broken = broken or bad
            print(
                f"{path.name}: {path.stat().st_size / 1e6:.0f} MB, {count:.0f} steps: {seconds:.1f} s CPU"
                f" (at most {SECONDS:.0f}), {peak:.0f} MB (at most {MEGABYTES:.0f}){'  TOO MUCH' if bad else ''}"
            )
    return int(broken)


if __name__ == "__main__":
    raise SystemExit(main())
