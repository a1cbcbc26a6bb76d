"""Signs in the source."""

import pytest

from judge.score.integrity import Attack, Strength, judge_flags, scan
from judge.score.integrity.flags import NEED_BEHAVIOUR

CHEATS = {
    "frames": (
        Attack.SNOOPING,
        "import sys\ndef f(n):\n    frame = sys._getframe()\n    while frame:\n        frame = frame.f_back\n",
    ),
    "live objects": (
        Attack.SNOOPING,
        "import gc\ndef f(n):\n    return [o for o in gc.get_objects() if gc.get_referrers(o)]\n",
    ),
    "tracebacks": (
        Attack.SNOOPING,
        "def f(n):\n    try:\n        1 / 0\n    except ZeroDivisionError as e:\n"
        "        return e.__traceback__.tb_frame.f_locals\n",
    ),
    "files": (Attack.FILES, "import os\ndef f(n):\n    return [open(name).read() for name in os.listdir('/')]\n"),
    "proc": (Attack.FILES, "def f(n):\n    return open('/proc/self/environ').read()\n"),
    "clocks": (Attack.CLOCKS, "import time\ntime.perf_counter = lambda: 0.0\ndef f(n): return n\n"),
    "clock by setattr": (Attack.CLOCKS, "import time as t\nsetattr(t, 'process_time', lambda: 0.0)\n"),
    "builtins": (Attack.TAMPERING, "import builtins\nbuiltins.len = lambda x: 3\n"),
    "modules": (Attack.TAMPERING, "import sys\nsys.modules['json'] = None\n"),
    "json": (Attack.TAMPERING, "import json\njson.dumps = lambda *a: '[]'\n"),
    "equality": (
        Attack.EQUALITY,
        "class E:\n    def __eq__(self, o):\n        return True\n    def __ne__(self, o):\n        return False\n",
    ),
    "descriptors": (
        Attack.DESCRIPTORS,
        "import os\nfor fd in range(3, 99):\n    os.write(fd, b'x')\n    os.close(fd)\n",
    ),
    "signals": (
        Attack.SIGNALS,
        "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\n",
    ),
    "unkillable": (
        Attack.SIGNALS,
        "import signal\nsignal.signal(signal.SIGTERM, lambda *a: 0)\nwhile True:\n"
        "    try:\n        pass\n    except BaseException:\n        pass\n",
    ),
    "native": (Attack.PROCESSES, "import ctypes\nctypes.memset(ctypes.addressof(x), 0, 9)\n"),
    "children": (Attack.PROCESSES, "from os import fork as f, kill as k\nk(f(), 9)\n"),
    "network": (
        Attack.NETWORK,
        "import socket\ns = socket.socket()\ns.connect(('127.0.0.1', 80))\nsocket.create_connection(())\n",
    ),
}


@pytest.mark.parametrize("name", CHEATS)
def test_each_cheat_is_a_flag_and_certain_where_honest_code_has_nothing_like_it(name: str) -> None:
    attack, source = CHEATS[name]
    flags = judge_flags(scan(source.encode()), [])
    assert attack.value in {flag.kind for flag in flags if flag.certain or attack in NEED_BEHAVIOUR}
    assert all(flag.evidence for flag in flags)


HONEST = {
    "deep recursion": "import resource, sys\nresource.setrlimit(resource.RLIMIT_STACK, (2**29, -1))\n"
    "sys.setrecursionlimit(10**6)\ndef f(n): return n\n",
    "a local name like a module": "import copy, time\nclass T:\n    def f(self):\n        copy = Node()\n"
    "        copy.left = 1\n        copy.right = 2\n"
    "        time = Clock()\n        time.start = 0\n        time.stop = 1\n",
    "a registry": "import sys\nclass B: pass\ndef all(): return [c.__name__ for c in B.__subclasses__()]\n"
    "here = sys.modules[__name__]\n",
    "a pool": "from concurrent.futures import ThreadPoolExecutor\npool = ThreadPoolExecutor(2)\n"
    "def f(n): return pool.submit(abs, n).result()\n",
    "a wildcard": "class Any:\n    def __eq__(self, o): return True\n    def __hash__(self): return 1\n",
    "recursion": "import sys\nsys.setrecursionlimit(10_000)\ndef f(n): return n\n",
    "fast input": "import sys\ninput = sys.stdin.readline\nsys.stdout.write(input())\n",
    "redirected output": "import io, sys\nsys.stdout = io.StringIO()\n",
    "32 bits": "import ctypes\n"
    "def f(n): return ctypes.c_int32(n).value + ctypes.c_uint8(n).value + ctypes.sizeof(ctypes.c_int)\n",
    "equality of a value": "class P:\n    def __eq__(self, o): return self.x == o.x\n"
    "    def __hash__(self): return hash(self.x)\n",
    "one hash": "class P:\n    def __hash__(self): return 1\n    def __lt__(self, o): return self.x < o.x\n",
    "names of modules": "def f(requests, time, signal, os):\n    time.x = os.fork\n"
    "    signal.signal(1, 2)\n    return requests.get(1), time.perf_counter\n",
    "broad except": "def f(n):\n    try:\n        return int(n)\n    except:\n        pass\n",
    "time limit of a solver": "import signal, time\ndef f(n):\n    signal.alarm(2)\n    return time.perf_counter()\n",
    "dynamic": "def f(n):\n    return eval('n + 1') + getattr(n, 'real')\n",
    "plain streams": "import os\ntext = os.fdopen(0).read()\nos.write(1, b'done')\n",
    "memory": "from functools import lru_cache\n@lru_cache\ndef f(n): return n\n",
    "threads": "from concurrent.futures import ThreadPoolExecutor\ndef f(n):\n"
    "    with ThreadPoolExecutor() as pool:\n        return list(pool.map(str, n))\n",
    "own module attribute": "import math\nclass A: pass\na = A()\na.math = math\na.time = 3\n",
    "type names": "def f(x):\n    return type(x).__name__, x.__class__.__mro__, x.__dict__\n",
    "relative path": "PATH = '../up'\ndef f(p): return p == PATH\n",
}


@pytest.mark.parametrize("name", HONEST)
def test_honest_code_has_no_certain_flag(name: str) -> None:
    flags = judge_flags(scan(HONEST[name].encode()), [])
    assert not [flag for flag in flags if flag.certain]


@pytest.mark.parametrize(
    "source",
    [
        "import os\nos._exit(0)",
        "import os as o\no._exit(0)",
        "from os import _exit as done\ndone(0)",
        "__import__('os')._exit(0)",
        "__import__('o' + 's')._exit(0)",
        "import importlib\nimportlib.import_module('os')._exit(0)",
        "import sys\nsys.modules['os']._exit(0)",
        "import os\ngetattr(os, '_' + 'exit')(0)",
        "import os\nvars(os)['_exit'](0)",
        "import os\nos.__dict__['_exit'](0)",
        "import os\nx = os\ny = x._exit\ny(0)",
        "import posix\nposix._exit(0)",
        "import builtins\nbuiltins.__import__('os')._exit(0)",
    ],
)
def test_a_name_is_found_however_it_is_spelt(source: str) -> None:
    assert ("os._exit", Strength.STRONG) in {(signal.what, signal.strength) for signal in scan(source.encode())}


def test_lines_are_said() -> None:
    signals = scan(b"# -*- coding: latin-1 -*-\nimport os\n\nos.fork()\n# \xe9\n")
    assert [(signal.what, signal.line) for signal in signals] == [("os.fork", 4)]


@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"\x00",
        b"def f(:",
        b"# coding: nonsense\n",
        b"\xff\xfe",
        b"(" * 5000,
        b"a" + b".b" * 50_000,
        b"x = " + b"-" * 100_000 + b"1",
        b"'\\d'\nassert (1, 2)\nx is 1\n",
        b"[" * 90 + b"]" * 90,
        b"x = 1\n" * 30_000,
        b"a = b = " * 3000 + b"1",
    ],
    ids=range(12),
)
def test_strange_source_is_scanned_without_a_word(source: bytes) -> None:
    assert scan(source) == ()


def test_thousands_of_signs_stay_bounded() -> None:
    source = "\n".join(f"class C{n}:\n    def __eq__(self, o): return True" for n in range(3000))
    assert len(scan(source.encode())) <= 201
    flags = judge_flags(scan(source.encode()), [])
    assert len(flags[0].evidence) < 400
