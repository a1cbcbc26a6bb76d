"""Ordinary code leaves no sign that could be taken for cheating; what no solution needs does."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from judge.score.reply import Status
from judge.score.sandbox import Level, Sandbox

if TYPE_CHECKING:
    from tests.score.conftest import Start

PLAIN = Sandbox(Level.NONE)
OPENS_WINDOWS = {"antigravity", "idlelib", "this", "turtledemo", "__main__"}

ORDINARY = """
import collections, dataclasses, typing, re, json, decimal, fractions, heapq, functools, logging
import random, statistics, datetime, zoneinfo, threading, concurrent.futures, hashlib, inspect, copy
import enum, warnings, uuid, secrets, platform, asyncio, textwrap, tempfile, os, gc, time, traceback
import unittest, doctest, string, pprint, locale
P=collections.namedtuple("P","x y")
@dataclasses.dataclass(order=True,slots=True)
class D: x:int=1
T=typing.TypedDict("T",{"a":int})
class N(typing.NamedTuple): a:int
E=enum.Enum("E","A B")
NT=typing.NewType("NT",int)
def f():
    logging.warning("x"); logging.getLogger("a").info("b")
    warnings.warn("w"); inspect.signature(f); inspect.getsource(f)
    try: 1/0
    except ZeroDivisionError: traceback.format_exc()
    with concurrent.futures.ThreadPoolExecutor(2) as ex: list(ex.map(str,[1,2]))
    t=threading.Thread(target=print); t.start(); t.join()
    zoneinfo.ZoneInfo("Europe/Berlin"); datetime.datetime.now(); time.localtime(); time.sleep(0)
    random.seed(1); secrets.token_hex(); os.urandom(3); uuid.uuid4(); hashlib.sha256(b"").hexdigest()
    copy.deepcopy([P(1,2)]); gc.collect(); platform.python_version(); os.path.exists("x")
    os.getcwd(); sorted([D(2),D(1)])
    pprint.pformat({}); re.compile("a+"); json.dumps({}); decimal.Decimal(1)/3; os.cpu_count(); locale.getlocale()
    functools.lru_cache(f); asyncio.run(asyncio.sleep(0)); os.environ.get("X")
    asyncio.run(g())
    return 1
async def g():
    return await asyncio.gather(asyncio.sleep(0), asyncio.to_thread(len, [1]))
"""


def test_ordinary_code_leaves_no_sign(sandbox: Sandbox, start: Start) -> None:
    reply = start(sandbox, ORDINARY).call(())
    assert (reply.value, reply.evidence) == (1, ()), reply


def test_no_import_of_the_library_leaves_a_sign(start: Start) -> None:
    worker = start(PLAIN, "def f(name): __import__(name)")
    for name in sorted(sys.stdlib_module_names - OPENS_WINDOWS):
        reply = worker.call((name,))
        assert reply.status in (Status.RETURNED, Status.RAISED), (name, reply)
        assert reply.evidence == (), (name, reply.evidence)


@pytest.mark.parametrize(
    ("body", "sign"),
    [
        ("open('/etc/passwd')", "audit: open /etc/passwd"),
        ("os.listdir('/etc')", "audit: os.listdir /etc"),
        ("os.system('true')", "audit: os.system"),
        ("subprocess.run(['true'])", "audit: subprocess.Popen true"),
        ("socket.socket()", "audit: socket.__new__"),
        ("ctypes.CDLL(None)", "audit: ctypes.dlopen"),
        ("gc.get_referrers(f)", "audit: gc.get_referrers"),
        ("sys._getframe()", "audit: sys._getframe"),
        ("sys.settrace(None)", "audit: sys.settrace"),
        ("sys._current_frames()", "audit: sys._current_frames"),
        ("os.kill(os.getpid(), 0)", "audit: os.kill"),
        ("resource.setrlimit(resource.RLIMIT_CORE, (0, 0))", "audit: resource.setrlimit"),
        ("sys.addaudithook(lambda *_: None)", "audit: sys.addaudithook"),
    ],
)
def test_what_no_solution_needs_is_noted(body: str, sign: str, start: Start) -> None:
    source = f"""
import ctypes, gc, os, resource, socket, subprocess, sys
def f():
    try:
        {body}
    except OSError:
        pass
"""
    reply = start(PLAIN, source).call(())
    assert any(found.startswith(sign) for found in reply.evidence), reply


def test_signs_survive_the_end_of_the_process(sandbox: Sandbox, start: Start) -> None:
    reply = start(sandbox, "import gc, os\ndef f():\n  gc.get_objects()\n  os._exit(0)").call(())
    assert reply.status is Status.CRASHED
    assert "audit: gc.get_objects" in reply.evidence


def test_a_flood_of_signs_is_bounded(start: Start) -> None:
    source = "import os\ndef f():\n  for n in range(3000):\n    try: open(f'/absent/{n}')\n    except OSError: pass"
    assert 0 < len(start(PLAIN, source).call(()).evidence) <= 200
