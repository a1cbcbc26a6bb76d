"""Nothing stays behind: not after hostile submissions, not when a worker or judge itself is killed."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from judge.score.execute import Program, Worker, run_program
from judge.score.reply import Status
from judge.score.sandbox import Sandbox
from judge.score.sandbox import box as boxes
from judge.score.suite.model import Limits
from tests.score.attacks.leftovers import gone, marked, seed

ROOT = Path(__file__).resolve().parents[3]
QUICK = Limits(cpu_s=0.3, wall_s=2, memory_mb=128, processes=6, output_kb=64, file_kb=16)

HOSTILE = (
    "def f(x):\n  while True: pass",
    "import os\ndef f(x): os._exit(0)",
    "import os\ndef f(x):\n  while True:\n    try: os.fork()\n    except OSError: pass",
    "def f(x): return bytearray(10**10)",
    "def f(x):\n  while True: print('x' * 1000)",
    "import os, time\ndef f(x):\n  if os.fork() == 0:\n    os.setsid(); time.sleep(600)\n  return x",
    "import os\ndef f(x): os.closerange(0, 1000); return x",
    "while True: pass",
    "import threading, time\nthreading.Thread(target=time.sleep, args=(600,)).start()\ndef f(x): return x",
    "import os, signal\nfor n in (9, signal.SIGSTOP): os.kill(os.getppid(), n)\ndef f(x): return x",
)


@pytest.fixture
def scratches(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every scratch folder on the machine's root that is made during the test."""
    made: list[str] = []
    original = boxes.settings

    def noted(*args: object) -> dict[str, object]:
        config = original(*args)  # type: ignore[arg-type]
        if config["remove"]:
            made.append(str(config["scratch"]))
        return config

    monkeypatch.setattr(boxes, "settings", noted)
    return made


def resident() -> int:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def open_descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def test_thirty_hostile_submissions_leave_nothing(isolated: Sandbox, scratches: list[str]) -> None:
    mark = seed()
    before = open_descriptors()
    memory = 0
    for number in range(30):
        source = HOSTILE[number % len(HOSTILE)].encode()
        program = Program({"a.py": source}, "a.py", "f", "function")
        with Worker.start(isolated, program, QUICK, hash_seed=mark) as worker:
            worker.call((1,))
        if number == len(HOSTILE):
            gc.collect()
            memory = resident()
    healthy = Program({"a.py": b"def f(x): return x + 1"}, "a.py", "f", "function")
    with Worker.start(isolated, healthy, Limits()) as worker:
        assert worker.call((1,)).value == 2
    gc.collect()
    assert gone(mark)
    assert open_descriptors() == before
    assert not [path for path in scratches if os.path.exists(path)]
    assert resident() - memory < 32 << 20


@pytest.mark.parametrize("victim", ["worker", "supervisor"])
def test_a_killed_worker_is_replaced_and_leaves_nothing(victim: str, isolated: Sandbox, scratches: list[str]) -> None:
    mark = seed()
    source = b"import os, time\nif os.fork() == 0: time.sleep(600)\ndef f(x): return x"
    with Worker.start(isolated, Program({"a.py": source}, "a.py", "f", "function"), Limits(), hash_seed=mark) as worker:
        assert worker.call((1,)).value == 1
        pid = worker.pid
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        os.kill(pid if victim == "worker" else int(stat[1]), signal.SIGKILL)
        # The kernel takes its time; until then the old one may still answer.
        deadline = time.monotonic() + 10
        while (status := worker.call((2,)).status) is Status.RETURNED and time.monotonic() < deadline:
            time.sleep(0.01)
        assert status is Status.CRASHED
        assert worker.call((3,)).value == 3
        assert worker.pid != pid
    assert gone(mark)
    assert not [path for path in scratches if os.path.exists(path)]


def test_workers_die_with_judge(isolated: Sandbox) -> None:
    mark = seed()
    script = f"""
import sys, time
from judge.score.execute import Program, Worker
from judge.score.sandbox import Level, Sandbox
from judge.score.suite.model import Limits
source = b"import os, time\\nif os.fork() == 0:\\n  os.setsid(); time.sleep(600)\\ndef f():\\n  while True: pass"
program = Program({{"a.py": source}}, "a.py", "f", "function")
worker = Worker.start(Sandbox(Level({isolated.level.value!r})), program, Limits(cpu_s=100, wall_s=100), {mark})
print(worker._session.box.scratch, flush=True)
worker.call(())
"""
    judge = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, cwd=ROOT, text=True)
    assert judge.stdout is not None
    scratch = judge.stdout.readline().strip()
    try:
        deadline = time.monotonic() + 20
        # The worker and its daemon; another user cannot look into the supervisor.
        while len(marked(mark)) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(0.3)
        assert len(marked(mark)) >= 2
    finally:
        judge.send_signal(signal.SIGKILL)
        judge.communicate()
    assert gone(mark)
    deadline = time.monotonic() + 10
    while scratch != "/box" and os.path.exists(scratch) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert scratch == "/box" or not os.path.exists(scratch)


def test_a_program_leaves_nothing(isolated: Sandbox, scratches: list[str]) -> None:

    source = b"import os, time\nfor _ in range(3):\n  if os.fork() == 0:\n    os.setsid(); time.sleep(600)\nprint(1)"
    before = open_descriptors()
    mark = seed()
    reply = run_program(isolated, Program({"a.py": source}, "a.py", "", "program"), b"", (), Limits(), mark)
    assert reply.stdout == b"1\n"
    assert gone(mark)
    assert open_descriptors() == before
    assert not [path for path in scratches if os.path.exists(path)]
