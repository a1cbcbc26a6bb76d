"""Programs read standard input and write standard output through real pipes."""

from __future__ import annotations

from typing import Any

import pytest

from judge.score.execute import Program, ProgramReply, run_program
from judge.score.reply import Status
from judge.score.sandbox import Sandbox
from judge.score.suite.model import Limits


def run(sandbox: Sandbox, source: str, stdin: bytes = b"", argv: tuple[str, ...] = (), **limits: Any) -> ProgramReply:
    files = {"main.py": source.encode(), "other.py": b"WORD = 'other'"}
    wanted = Limits(**{"cpu_s": 2.0, "wall_s": 10.0, "memory_mb": 256, **limits})
    return run_program(sandbox, Program(files, "main.py", "", "program"), stdin, argv, wanted)


def test_streams_arguments_and_exit_code(sandbox: Sandbox) -> None:
    source = """
import sys, other
data = sys.stdin.buffer.read()
sys.stdout.buffer.write(data[::-1])
print(len(data), sys.argv[1:], __name__, other.WORD)
print("trouble", file=sys.stderr)
exit(3)
"""
    reply = run(sandbox, source, b"a\xff\n", ("x", "y z"))
    assert (reply.status, reply.exit_code) == (Status.RETURNED, 3)
    assert reply.stdout == b"\n\xffa3 ['x', 'y z'] __main__ other\n"
    assert reply.stderr == b"trouble\n"


@pytest.mark.parametrize(
    ("source", "code", "error"),
    [
        ("print(input())", 1, "EOFError"),
        ("1/0", 1, "ZeroDivisionError"),
        ("def f(:", 1, "SyntaxError"),
        ("import sys; sys.exit('no')", 1, "no"),
        ("import sys; sys.exit(None)", 0, ""),
        ("import sys; sys.exit(256 + 7)", 7, ""),
        ("raise SystemExit(2)", 2, ""),
        ("quit()", 0, ""),
        ("import os; os._exit(9)", 9, ""),
        ("import atexit; atexit.register(print, 'late')", 0, ""),
        ("import threading, time; threading.Thread(target=lambda: (time.sleep(.1), print('late'))).start()", 0, ""),
    ],
)
def test_ends_are_those_of_the_interpreter(source: str, code: int, error: str) -> None:
    from judge.score.sandbox import Level

    reply = run(Sandbox(Level.NONE), source)
    assert (reply.status, reply.exit_code) == (Status.RETURNED, code), reply
    assert error in reply.stderr.decode()
    assert "judge" not in reply.stderr.decode()
    if "late" in source:
        assert reply.stdout == b"late\n"


def test_input_larger_than_a_pipe_and_input_that_nobody_reads(sandbox: Sandbox) -> None:
    data = b"0123456789\n" * 40_000
    assert run(sandbox, "import sys; print(len(sys.stdin.read()))", data).stdout == b"440000\n"
    assert run(sandbox, "print(1)", data).stdout == b"1\n"
    assert run(sandbox, "import sys\nfor line in sys.stdin: pass\nprint(line)", data).stdout == b"0123456789\n\n"


def test_limits(sandbox: Sandbox) -> None:
    spun = run(sandbox, "print(1, flush=True)\nwhile True: pass", cpu_s=0.3)
    assert spun.status is Status.TIMEOUT and spun.exit_code is None and spun.stdout == b"1\n"
    waited = run(sandbox, "import time; time.sleep(60)", wall_s=0.3)
    assert waited.status is Status.TIMEOUT
    much = run(sandbox, "import sys\nwhile True: sys.stdout.write('x' * 1000)", output_kb=64)
    assert much.status is Status.OUTPUT and len(much.stdout) == 64 * 1024
    memory = run(sandbox, "x = bytearray(10**9)")
    assert memory.exit_code == 1 and b"MemoryError" in memory.stderr
    killed = run(sandbox, "import os; os.kill(os.getpid(), 9)")
    assert killed.status is Status.CRASHED and killed.exit_code == -9


def test_an_answer_is_not_lost_when_children_keep_the_pipe_open(sandbox: Sandbox) -> None:
    source = "import os, time\nprint('answer', flush=True)\nif os.fork() == 0:\n  time.sleep(60)"
    reply = run(sandbox, source)
    assert (reply.status, reply.stdout) == (Status.RETURNED, b"answer\n")
    assert "audit: os.fork" in reply.evidence
    assert reply.wall_s < 10
