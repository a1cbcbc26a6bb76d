"""Workers answer what they are asked, at every level."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

import pytest

from judge.score.execute import Program, Worker
from judge.score.reply import Status
from judge.score.sandbox import Level, Sandbox
from judge.score.suite.model import Limits
from judge.score.values import Opaque, Subclassed

if TYPE_CHECKING:
    from tests.score.conftest import Start

PLAIN = Sandbox(Level.NONE)

SOURCE = """
import collections, sys
Point = collections.namedtuple("Point", "x y")
def add(a, b=1):
    return a + b
def fill(items, *, extra):
    items.append(extra)
def fail(text):
    raise KeyError(text)
class Own(ValueError):
    pass
def own():
    raise Own("mine")
def point():
    return Point(1, 2)
def numbers():
    yield 1
def say(text):
    print(text)
    print("and", file=sys.stderr)
    return len(text)
class Stack:
    def __init__(self, *items):
        self.items = list(items)
    def put(self, item, times=1):
        self.items += [item] * times
        return self.items
    def take(self):
        return self.items.pop()
class Callable:
    def __call__(self, x):
        return x * 2
double = Callable()
async def later(x):
    import asyncio
    await asyncio.sleep(0)
    return x
"""


def test_calls_and_their_outcomes(sandbox: Sandbox, start: Start) -> None:
    worker = start(sandbox, SOURCE, "add")
    assert worker.call((1, 2)).value == 3
    assert worker.call((1,), {"b": 5}).value == 6
    assert worker.alive and worker.pid
    raised = worker.call((1, "x"))
    assert raised.status is Status.RAISED and raised.raised
    assert raised.raised.types[:2] == ("TypeError", "Exception")
    assert raised.detail.startswith("answer.py:5: TypeError")
    after = worker.call(([1],), {"extra": [2]}, entry="fill", after=True)
    assert (after.value, after.args_after) == (None, (([1, [2]],), {"extra": [2]}))
    assert worker.call((3,), entry="double").value == 6
    assert worker.call((), entry="own").raised.types[0] == "answer.Own"  # type: ignore[union-attr]
    assert worker.call((), entry="point").value == Subclassed("answer.Point", (1, 2))
    assert worker.call((), entry="numbers").value == Opaque("generator", "<generator object numbers at 0x…>")
    said = worker.call(("hé",), entry="say")
    assert (said.value, said.stdout) == (2, "hé\n")
    assert worker.call((1, 2)).stdout == ""
    missing = worker.call((), entry="absent")
    assert missing.status is Status.LOAD and "absent" in missing.detail


def test_values_keep_their_types_through_a_worker(start: Start) -> None:
    worker = start(PLAIN, "def f(x): return x")
    for value in ((1, [2]), True, -0.0, {1, 2}, b"\xff", 10**4500, "\ud800", {(1, 2): None}, 1j):
        read = worker.call((value,)).value
        assert type(read) is type(value) and (read == value)
    assert math.isnan(worker.call((math.nan,)).value)


def test_objects_and_their_methods(sandbox: Sandbox, start: Start) -> None:
    worker = start(sandbox, SOURCE, "Stack", kind="class")
    reply = worker.construct_and_call((1,), [("put", (2,), {}), ("put", (3,), {"times": 2}), ("take", (), {})])
    assert reply.value == [[1, 2], [1, 2, 3, 3], 3]
    failed = worker.construct_and_call((), [("put", (1,), {}), ("take", (), {}), ("take", (), {})])
    assert failed.status is Status.RAISED and failed.raised and failed.raised.types[0] == "IndexError"
    assert "call 3 (take)" in failed.detail


def test_coroutines_are_awaited_only_where_allowed(sandbox: Sandbox, start: Start) -> None:
    assert start(sandbox, SOURCE, "later", asynchronous=True).call((4,)).value == 4
    refused = start(sandbox, SOURCE, "later").call((4,)).value
    assert isinstance(refused, Opaque) and refused.type_name == "coroutine"


@pytest.mark.parametrize(
    ("source", "detail"),
    [
        ("def f(:", "SyntaxError"),
        ("import absent_module", "ModuleNotFoundError"),
        ("raise SystemExit(0)", "SystemExit"),
        ("1/0", "ZeroDivisionError"),
        ("g = 1", "has no f"),
        ("f = 3", "cannot be called"),
        ("raise AttributeError('own')", "own"),
        ("\0", "null bytes"),
        ("# coding: no-such-code\n", "encoding"),
    ],
)
def test_what_cannot_be_loaded_answers_load_each_time(source: str, detail: str, start: Start) -> None:
    worker = start(PLAIN, source)
    for _ in range(2):
        reply = worker.call((1,))
        assert reply.status is Status.LOAD
        assert detail in reply.detail
    assert worker.timed([(1,)]).status is Status.LOAD
    assert not worker.alive


def test_names_of_files_are_checked(start: Start) -> None:
    for name in ("../x.py", "/x.py", "a//b.py", "", "a\0b"):
        program = Program({"a.py": b"", name: b""}, "a.py", "f", "function")
        with Worker.start(PLAIN, program, Limits()) as worker:
            assert worker.call(()).status is Status.LOAD
    with Worker.start(PLAIN, Program({}, "a.py", "f", "function"), Limits()) as worker:
        assert "no file" in worker.call(()).detail


def test_a_submission_of_several_files(sandbox: Sandbox, start: Start) -> None:
    files = {"helper.py": b"from pack.deep import SEVEN\n", "pack/__init__.py": b"", "pack/deep.py": b"SEVEN = 7\n"}
    source = (
        "import helper, os\ndef f(): return helper.SEVEN, open(os.path.join(os.path.dirname(__file__), 'd')).read()"
    )
    reply = start(sandbox, source, files={**files, "d": b"data"}).call(())
    assert reply.value == (7, "data"), reply
    assert reply.evidence == ()


def test_a_file_named_like_a_module_does_not_replace_it() -> None:
    source = b"import random\ndef f(): return random.Random(1).random() > 0, __name__"
    with Worker.start(PLAIN, Program({"random.py": source}, "random.py", "f", "function"), Limits()) as worker:
        assert worker.call(()).status in (Status.RETURNED, Status.LOAD, Status.RAISED)


def test_imports_by_the_rules_of_the_suite(start: Start) -> None:
    source = "def f(name): return __import__(name).__name__"
    worker = start(PLAIN, source, deny_imports=("socket",))
    denied = worker.call(("socket",))
    assert denied.raised and denied.raised.types[0] == "ImportError"
    assert "denied: import socket" in denied.evidence
    assert worker.call(("json",)).value == "json"
    only = start(PLAIN, source, allow_imports=("decimal",))
    assert only.call(("decimal",)).value == "decimal"
    assert only.call(("json",)).status is Status.RAISED
    # What an allowed module imports is its own affair.
    assert start(PLAIN, "import json\ndef f(): return json.dumps([1])", allow_imports=("json",)).call(()).value == "[1]"


def test_conditions_and_signature(start: Start) -> None:
    worker = start(PLAIN, SOURCE, "add")
    assert worker.evaluate(["a > 1", "len(b) == 2", "a in b"], {"a": 2, "b": [1, 2]}).value == [True, True, True]
    assert worker.evaluate(["a > 1"], {"a": 0}).value == [False]
    assert worker.evaluate(["nothing"], {"a": 0}).status is Status.RAISED
    hinted = "from __future__ import annotations\n"
    hinted += "def f(a: list[int], /, *b: str, c: int | None = None) -> dict[str, int]: ..."
    assert start(PLAIN, hinted).signature() == "(a: list[int], /, *b: str, c: int | None=None) -> dict[str, int]"
    assert start(PLAIN, "f = lambda a, b=2: a").signature() == "(a, b=2)"
    assert start(PLAIN, "f = min").signature() is None
    assert start(PLAIN, "1/0").signature() is None


def test_time_limits_end_a_call_and_the_next_is_answered(sandbox: Sandbox, start: Start) -> None:
    source = "import time\ndef spin(): \n  while True: pass\ndef f(x): return x\ndef sleep(): time.sleep(60)"
    worker = start(sandbox, source, limits=Limits(cpu_s=0.3, wall_s=30))
    first = worker.pid
    spun = worker.call((), entry="spin")
    assert spun.status is Status.TIMEOUT and "CPU" in spun.detail
    assert worker.call((1,)).value == 1
    assert worker.pid != first
    slept = worker.call((), entry="sleep", wall_s=0.3)
    assert slept.status is Status.TIMEOUT and slept.wall_s < 20
    assert slept.cpu_s < 0.3


def test_a_worker_that_keeps_dying_is_asked_no_more(start: Start) -> None:
    worker = start(PLAIN, "import os\ndef f(): os._exit(3)", restarts=2)
    replies = [worker.call(()) for _ in range(5)]
    assert {reply.status for reply in replies} == {Status.CRASHED}
    assert ["not asked again" in reply.detail for reply in replies] == [False, False, False, True, True]
    assert "exit 3" in replies[0].detail or "pipe" in replies[0].detail


def test_memory_is_bounded(sandbox: Sandbox, start: Start) -> None:
    worker = start(sandbox, "def f(n): return len(bytearray(n))", limits=Limits(memory_mb=128))
    assert worker.call((1000,)).value == 1000
    reply = worker.call((10**9,))
    assert reply.status is Status.MEMORY
    assert worker.call((1000,)).value == 1000


def test_a_question_that_is_too_big_is_no_fault_of_the_submission(start: Start) -> None:
    worker = start(PLAIN, "def f(x): return 1")
    deep: list[object] = []
    for _ in range(6000):
        deep = [deep]
    assert worker.call((deep,)).status is Status.ENGINE
    assert worker.call((1,)).value == 1


def test_the_hash_seed_is_what_was_said(start: Start) -> None:
    source = "def f(): return hash('a'), sorted(__import__('os').environ)"
    one, two, other = (start(PLAIN, source, hash_seed=seed).call(()).value for seed in (5, 5, 6))
    assert one == two
    assert one[0] != other[0]
    assert not {"USER", "LOGNAME", "SHELL", "VIRTUAL_ENV"} & set(one[1])


def test_timed_calls(sandbox: Sandbox, start: Start) -> None:
    source = """
import time
def f(n):
    if n < 0:
        raise ValueError(n)
    return sum(range(n))
def sleep(s):
    time.sleep(s)
def sort(items):
    items.sort()
    return items
"""
    worker = start(sandbox, source)
    reply = worker.timed([(200_000,)] * 20 + [(-1,)])
    assert reply.status is Status.RETURNED, reply
    assert reply.values[:20] == (sum(range(200_000)),) * 20
    assert reply.replies[20].status is Status.RAISED
    assert 0.005 < reply.cpu_s <= reply.wall_s + 0.01
    assert reply.idle_cpu_s < 0.01
    slept = worker.timed([(0.2,)], entry="sleep")
    assert slept.wall_s >= 0.2 > slept.cpu_s
    shared = [3, 1, 2]
    assert worker.timed([(shared,), (shared,)], entry="sort").values == ([1, 2, 3], [1, 2, 3])
    assert shared == [3, 1, 2]
    late = worker.timed([(10**12,)], cpu_s=0.2)
    assert late.status is Status.TIMEOUT
    assert worker.timed([(10,)]).values == (45,)


def test_many_calls_of_a_fast_function_share_a_process(sandbox: Sandbox, start: Start) -> None:
    worker = start(sandbox, "def f(x): return x + 1")
    pid = worker.pid
    before = time.process_time()
    assert [worker.call((number,)).value for number in range(1000)] == list(range(1, 1001))
    assert worker.pid == pid
    # Our own share of a thousand calls; a fresh process for each would take minutes.
    assert time.process_time() - before < 30


def test_what_is_worked_out_only_when_the_answer_is_read_counts_as_time(sandbox: Sandbox, start: Start) -> None:
    source = (
        "def work():\n    return sum(i * i for i in range(300_000))\n"
        "class Late:\n    def __repr__(self):\n        return str(work())\n"
        "def late(n):\n    return Late()\ndef at_once(n):\n    return work()\n"
    )
    inputs = [(number,) for number in range(4)]
    late = start(sandbox, source, "late").timed(inputs)
    at_once = start(sandbox, source, "at_once").timed(inputs)
    assert late.status is at_once.status is Status.RETURNED
    assert late.cpu_s > at_once.cpu_s / 3
