"""Each attack on the execution gets its answer: no effect, and a sign where there is one to see."""

from __future__ import annotations

import os
import socket
import time
from typing import TYPE_CHECKING

import pytest

from judge.score import compare
from judge.score.reply import Status
from judge.score.sandbox import Sandbox
from judge.score.suite.model import Compare, Limits
from judge.score.values import Opaque
from tests.score.attacks.leftovers import gone, marked, seed

if TYPE_CHECKING:
    from pathlib import Path

    from tests.score.conftest import Start

QUICK = Limits(cpu_s=0.5, wall_s=4, memory_mb=256, processes=8, output_kb=64)


def test_an_answer_that_equals_everything_equals_nothing(sandbox: Sandbox, start: Start) -> None:
    source = """
class Right(int):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    __hash__ = int.__hash__
    __class__ = int
class Any:
    def __eq__(self, other): return True
    def __repr__(self): return "42"
    __class__ = int
def f(kind): return Right(1) if kind else Any()
"""
    worker = start(sandbox, source)
    for kind in (True, False):
        assert not compare.equal(worker.call((kind,)).value, 42, Compare()).ok
    assert isinstance(worker.call((False,)).value, Opaque)


def test_what_is_expected_is_not_to_be_found_inside(sandbox: Sandbox, start: Start) -> None:
    source = """
import gc, sys
def f(x):
    found, frame = [], sys._getframe()
    while frame is not None:
        found.append(frame.f_locals)
        frame = frame.f_back
    found += [item for item in gc.get_objects() if type(item) in (dict, list, tuple)]
    return any("expected" in part or 424242 in part.values() for part in found if type(part) is dict)
"""
    reply = start(sandbox, source).call((1,))
    assert reply.value is False, reply
    assert {"audit: sys._getframe", "audit: gc.get_objects"} <= set(reply.evidence)


def test_files_of_the_machine_cannot_be_read(isolated: Sandbox, start: Start, tmp_path: Path) -> None:
    (tmp_path / "reference.py").write_text("SECRET", encoding="utf-8")
    os.chmod(tmp_path, 0o755)
    source = f"""
import os
def f():
    found = []
    for root, folders, files in os.walk("/"):
        if root == "/":
            folders[:] = [name for name in folders if name not in ("proc", "usr", "lib", "lib64")]
        found += [os.path.join(root, name) for name in files if name in ("reference.py", "suite.yaml", "shadow")]
    for path in ({str(tmp_path / "reference.py")!r}, "/etc/passwd", "/root/.bashrc", "/proc/1/environ", "/proc/1/mem"):
        try:
            found.append(open(path).read())
        except OSError:
            pass
    return found
"""
    reply = start(isolated, source).call((), cpu_s=20, wall_s=60)
    assert reply.value == [], reply
    assert "audit: open /etc/passwd" in reply.evidence


def test_stopped_clocks_stop_no_clock(sandbox: Sandbox, start: Start) -> None:
    source = """
import time, gc
for name in ("time", "perf_counter", "monotonic", "process_time", "thread_time", "perf_counter_ns", "clock_gettime"):
    setattr(time, name, lambda *_: 0)
def f(n): return sum(i * i for i in range(n))
"""
    worker = start(sandbox, source)
    timed = worker.timed([(300_000,)] * 3)
    assert timed.cpu_s > 0.01 and timed.wall_s > 0.01
    called = worker.call((300_000,))
    assert called.cpu_s > 0.003


def test_noise_on_every_descriptor_is_no_answer(sandbox: Sandbox, start: Start) -> None:
    source = """
import os
def f(kind):
    if kind == "plain":
        return 1
    forged = {"noise": b"x" * 100, "huge": b"\\xff" * 8, "frame": (5).to_bytes(8, "big") + b"d\\0\\0\\0\\0"}[kind]
    for number in range(3, 64):
        try:
            os.set_blocking(number, False)
            os.write(number, forged)
        except OSError:
            pass
    return 1
"""
    worker = start(sandbox, source)
    for kind in ("noise", "huge", "frame"):
        reply = worker.call((kind,), wall_s=3)
        assert reply.status in (Status.OUTPUT, Status.CRASHED, Status.TIMEOUT), (kind, reply)
        assert any(sign.startswith("forged: ") for sign in reply.evidence) or reply.status is not Status.OUTPUT
        assert worker.call(("plain",)).value == 1


def test_an_answer_ahead_of_the_question_is_refused(sandbox: Sandbox, start: Start) -> None:
    source = """
import sys
def f():
    frame = sys._getframe()
    while "channel" not in frame.f_locals:
        frame = frame.f_back
    channel = frame.f_locals["channel"]
    for _ in range(5):
        channel.send({"status": "returned", "value": 1})
    return 1
"""
    worker = start(sandbox, source)
    replies = [worker.call(()) for _ in range(3)]
    # The first may be taken before the others come; none is ever taken for the answer to another question.
    assert Status.OUTPUT in {reply.status for reply in replies[:2]}
    assert any(sign.startswith("forged: ") for reply in replies for sign in reply.evidence)


@pytest.mark.parametrize(
    "body",
    [
        "os._exit(0)",
        "os.kill(os.getpid(), signal.SIGKILL)",
        "os.abort()",
        "os.closerange(0, 4096)",
        "ctypes.string_at(0)",
        "sys.setrecursionlimit(10**9); deep(10**9)",
    ],
)
def test_an_end_in_the_middle_of_a_call_is_a_crash(body: str, sandbox: Sandbox, start: Start) -> None:
    source = f"import ctypes, os, signal, sys\ndef deep(n):\n    return deep(n - 1)\ndef f(): {body}\ndef g(): return 1"
    worker = start(sandbox, source, limits=Limits(cpu_s=5, wall_s=20, memory_mb=256))
    reply = worker.call(())
    # Endless recursion may meet the limit of memory first.
    assert reply.status in (Status.CRASHED, Status.MEMORY, Status.RAISED if "deep" in body else Status.CRASHED), reply
    assert worker.call((), entry="g").value == 1


@pytest.mark.parametrize(
    "body",
    [
        "  while True: pass",
        """
    for number in range(1, 65):
        try: signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError): pass
    while True:
        try:
            while True: pass
        except BaseException: pass""",
        "  re.match('(a+)+$', 'a' * 60 + 'b')",
        "  10 ** 10 ** 9",
        "  threading.Thread(target=f).start() or time.sleep(60)",
    ],
)
def test_nothing_outlasts_the_limit_of_time(body: str, sandbox: Sandbox, start: Start) -> None:
    mark = seed()
    worker = start(sandbox, f"import re, signal, threading, time\ndef f():\n{body}", limits=QUICK, hash_seed=mark)
    began = time.monotonic()
    reply = worker.call(())
    assert reply.status in (Status.TIMEOUT, Status.MEMORY), reply
    assert time.monotonic() - began < 30
    assert gone(mark)


def test_there_is_no_network(isolated: Sandbox, start: Start) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(1)
        source = f"import socket\ndef f(): socket.create_connection(('127.0.0.1', {listener.getsockname()[1]}), 2)"
        reply = start(isolated, source).call(())
        assert reply.status is Status.RAISED
        assert any(sign.startswith("audit: socket.") for sign in reply.evidence)
        listener.settimeout(0.2)
        with pytest.raises(TimeoutError):
            listener.accept()


def test_daemons_do_not_outlive_their_worker(isolated: Sandbox, start: Start) -> None:
    mark = seed()
    source = """
import os, signal, time
def f():
    for _ in range(3):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                    signal.signal(number, signal.SIG_IGN)
                os.closerange(0, 64)
                while True: time.sleep(1)
            os._exit(0)
    return 1
"""
    worker = start(isolated, source, limits=QUICK, hash_seed=mark)
    assert worker.call(()).value == 1
    deadline = time.monotonic() + 10
    # The worker and three daemons; another user cannot look into the supervisor.
    while len(marked(mark)) < 4 and time.monotonic() < deadline:
        time.sleep(0.02)
    assert len(marked(mark)) >= 4
    worker.close()
    assert gone(mark)


@pytest.mark.parametrize("source", ["import sys; sys.exit(0)", "import os; os._exit(0)", "while True: pass", "exit()"])
def test_an_end_or_no_end_while_loading(source: str, sandbox: Sandbox, start: Start) -> None:
    mark = seed()
    worker = start(sandbox, source, limits=QUICK, hash_seed=mark)
    for _ in range(3):
        assert worker.call((1,)).status is Status.LOAD
    assert gone(mark)


def test_changed_modules_change_nothing_outside(sandbox: Sandbox, start: Start) -> None:
    source = """
import builtins, sys, os, struct
for name in list(sys.modules):
    if name not in ("sys", "builtins", "__main__"):
        sys.modules[name] = None
os.read = os.write = struct.pack = lambda *_: b""
builtins.len = builtins.type = builtins.isinstance = lambda *_: 0
sys.stdout = sys.stderr = None
def f(x): return x
"""
    worker = start(sandbox, source)
    assert worker.call(([1, "two"],)).value == [1, "two"]
    assert worker.call(([1, "two"],), after=True).args_after == (([1, "two"],), {})


def test_work_ahead_of_the_clock_is_seen(sandbox: Sandbox, start: Start) -> None:
    source = """
import threading
def spin():
    while True: pass
threading.Thread(target=spin, daemon=True).start()
def f(x): return x
"""
    worker = start(sandbox, source)
    reply = worker.timed([(number,) for number in range(2000)])
    assert reply.idle_cpu_s > 0.002
    assert any(sign.startswith("threads: ") for sign in reply.evidence)


def test_rights_do_not_come_back(isolated: Sandbox, start: Start) -> None:
    source = """
import ctypes, os, resource
libc = ctypes.CDLL(None, use_errno=True)
def f():
    done = []
    for name, attempt in {
        "user": lambda: os.setuid(0),
        "limit": lambda: resource.setrlimit(resource.RLIMIT_NPROC, (9999, 9999)),
        "namespace": lambda: 1 / (1 + libc.unshare(0x10000000)),
        "mount": lambda: 1 / (1 + libc.mount(b"none", b"/", b"tmpfs", 0, None)),
        "chroot": lambda: os.chroot("/"),
        "trace": lambda: 1 / (1 + libc.ptrace(16, os.getppid(), 0, 0)),
    }.items():
        try:
            attempt()
            done.append(name)
        except (OSError, ValueError, ZeroDivisionError):
            pass
    return done
"""
    reply = start(isolated, source).call(())
    assert reply.value == []
    assert any(sign.startswith("audit: ctypes.") for sign in reply.evidence)
