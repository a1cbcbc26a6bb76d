"""Bombs of processes, memory, output, replies and files are bounded, and nothing of them stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from judge.score.reply import Status
from judge.score.sandbox import Level, Sandbox
from judge.score.suite.model import Limits
from tests.score.attacks.leftovers import gone, seed

if TYPE_CHECKING:
    from tests.score.conftest import Start

QUICK = Limits(cpu_s=0.5, wall_s=4, memory_mb=256, processes=8, output_kb=64)


def test_a_fork_bomb_is_bounded_and_swept_away(isolated: Sandbox, start: Start) -> None:
    mark = seed()
    source = "import os\ndef f():\n  while True:\n    try: os.fork()\n    except OSError: pass"
    worker = start(isolated, source, limits=QUICK, hash_seed=mark)
    reply = worker.call(())
    assert reply.status in (Status.TIMEOUT, Status.MEMORY, Status.CRASHED)
    assert "audit: os.fork" in reply.evidence
    worker.close()
    assert gone(mark)


def test_threads_count_as_processes(isolated: Sandbox, start: Start) -> None:
    source = """
import threading, time
def f():
    made = 0
    try:
        for _ in range(200):
            threading.Thread(target=time.sleep, args=(30,), daemon=True).start()
            made += 1
    except RuntimeError:
        return made
"""
    reply = start(isolated, source, limits=QUICK).call(())
    assert isinstance(reply.value, int) and reply.value <= QUICK.processes
    assert any(sign.startswith("threads: ") for sign in reply.evidence)


def test_memory_of_children_is_counted_together(isolated: Sandbox, start: Start) -> None:
    source = """
import os, time
def f():
    for _ in range(6):
        if os.fork() == 0:
            block = bytearray(b"x") * (150 << 20)
            time.sleep(60)
    time.sleep(60)
"""
    limits = Limits(cpu_s=20, wall_s=30, memory_mb=200, processes=8)
    reply = start(isolated, source, limits=limits).call(())
    assert reply.status is Status.MEMORY and "together" in reply.detail


def test_endless_output_is_cut(sandbox: Sandbox, start: Start) -> None:
    source = "import os\ndef f(n):\n  while True: os.write(n, b'x' * 4096)\ndef g(): return print('y' * 1000)"
    worker = start(sandbox, source, limits=QUICK)
    reply = worker.call((1,))
    assert reply.status is Status.OUTPUT and "standard output" in reply.detail
    assert worker.call((2,)).status is Status.TIMEOUT
    assert worker.call((), entry="g").stdout == "y" * 1000 + "\n"


@pytest.mark.parametrize(
    "body",
    ["[0] * 3_000_000", "'x' * 50_000_000", "deep()", "bush()", "1 << 10**8", "{i: {} for i in range(1_500_000)}"],
)
def test_replies_beyond_the_bounds_are_refused(body: str, sandbox: Sandbox, start: Start) -> None:
    source = f"""
def deep():
    value = []
    for _ in range(100_000):
        value = [value]
    return value
def bush():
    value = []
    for _ in range(80):
        value = (value, value)
    return value
def f(): return {body}
def g(): return 1
"""
    worker = start(sandbox, source, limits=Limits(cpu_s=10, wall_s=30, memory_mb=1024))
    reply = worker.call(())
    assert reply.status is Status.OUTPUT, reply.status
    assert worker.call((), entry="g").value == 1


@pytest.mark.parametrize("file_kb", [0, 64])
def test_disk_space_is_bounded(file_kb: int, isolated: Sandbox, start: Start) -> None:
    source = """
import os
def f():
    where = (os.getcwd(), "/", "/tmp", "/dev/shm", "/var/tmp", os.path.expanduser("~"))
    for folder in where:
        for number in range(40):
            try:
                with open(os.path.join(folder, f"fill{number}"), "wb", buffering=0) as stream:
                    while True:
                        stream.write(b"x" * 1024)
            except OSError:
                pass
    sizes = {}
    for folder in where:
        for number in range(40):
            try:
                status = os.stat(os.path.join(folder, f"fill{number}"))
                sizes[status.st_dev, status.st_ino] = status.st_size
            except OSError:
                pass
    return sum(sizes.values())
"""
    reply = start(isolated, source, limits=Limits(cpu_s=5, wall_s=20, file_kb=file_kb)).call(())
    if isolated.level is Level.RESTRICTED and file_kb:
        assert reply.status is Status.OUTPUT and "KiB in files" in reply.detail
        return
    assert reply.status is Status.RETURNED, reply
    # Beside what is allowed the scratch folder in memory has room for the submission itself.
    assert 0 <= reply.value <= (file_kb and file_kb * 1024 + 64 * 1024)
    assert bool(reply.value) is bool(file_kb)
