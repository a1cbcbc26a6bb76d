"""Reachability: what an entry point can get to."""

# ruff: noqa: E501 - one case a line reads best

from __future__ import annotations

import pytest

from judge.modules.graph import EntryKind
from tests.modules.graph.conftest import Make

GUARD = "\nif __name__ == '__main__':\n    main()\n"


def _reached(graph, path: str = "run.py") -> dict[str, bool]:  # type: ignore[no-untyped-def]
    return {item.qualname: item.reachable for item in graph.files[path].definitions}


@pytest.mark.parametrize(
    "call",
    [
        "if False:\n        dead()",
        "x = dead() if False else None",
        "x = False and dead()",
        "x = True or dead()",
        "if 0:\n        dead()",
        "return\n    dead()",
        "raise SystemExit\n    dead()",
        "import sys\n    sys.exit()\n    dead()",
        "while True:\n        pass\n    dead()",
        "if not True:\n        dead()",
        "'dead()'",
        "# dead()\n    pass",
        "if DEBUG:\n        dead()",
        "x: dead = 1",
        "for i in []:\n        return\n        dead()",
    ],
)
def test_not_reached(make: Make, call: str) -> None:
    source = f"import math\nDEBUG = False\ndef dead():\n    math.sqrt(2)\ndef main():\n    {call}\n" + GUARD
    graph = make({"run.py": source})
    assert _reached(graph) == {"dead": False, "main": True}
    assert not next(item for item in graph.files["run.py"].calls if item.name == "sqrt").reachable


@pytest.mark.parametrize(
    "call",
    [
        "live()",
        "if True:\n        live()",
        "f = live\n    f()",
        "print([live() for _ in range(2)])",
        "import threading\n    threading.Thread(target=live).start()",
        "list(map(live, [1]))",
        "{'a': live}['a']()",
        "(lambda: live())()",
        "getattr(__import__('run'), 'live')()",
        "globals()['live']()",
        "from functools import partial\n    partial(live)()",
        "try:\n        live()\n    except ValueError:\n        pass",
        "def inner():\n        live()\n    inner()",
        "with open('x') as f:\n        live()",
        "while input():\n        return\n    live()",
        "@live\n    def g():\n        pass",
        "assert live()",
        "x = 1 if input() else live()",
        "import atexit\n    atexit.register(live)",
    ],
)
def test_reached(make: Make, call: str) -> None:
    source = f"import math\ndef live(*a):\n    math.sqrt(2)\ndef main():\n    {call}\n" + GUARD
    graph = make({"run.py": source})
    assert _reached(graph)["live"]
    assert next(item for item in graph.files["run.py"].calls if item.name == "sqrt").reachable


def test_methods_are_reached_through_instances(make: Make) -> None:
    graph = make(
        {
            "run.py": """
                class Agent:
                    def __init__(self): self.setup()
                    def setup(self): return sorted([1])
                    def act(self, s): return sorted(s)
                    def unused(self): return sorted([2])
                    def __len__(self): return len("x")
                    @property
                    def size(self): return sorted([3])
                class Never:
                    def act(self, s): return sorted(s)
                def play(agent):
                    print(agent.size)
                    return agent.act(1)
                play(Agent())
            """
        }
    )
    assert _reached(graph) == {
        "Agent": True,
        "Agent.__init__": True,
        "Agent.setup": True,
        "Agent.act": True,
        "Agent.unused": False,
        "Agent.__len__": True,
        "Agent.size": True,
        "Never": False,
        "Never.act": False,
        "play": True,
    }


def test_a_library_call_does_not_reach_a_namesake(make: Make) -> None:
    graph = make(
        {
            "run.py": """
                from sklearn.svm import SVC
                class Mine:
                    def fit(self, x): return sorted(x)
                Mine()
                SVC().fit([1])
            """
        }
    )
    assert _reached(graph) == {"Mine": True, "Mine.fit": False}


def test_frameworks_call_their_hooks(make: Make) -> None:
    graph = make(
        {
            "run.py": """
                import torch, gymnasium as gym
                from flask import Flask
                from keras.callbacks import Callback
                app = Flask(__name__)
                @app.route("/")
                def index(): return page()
                def page(): return sorted([1])
                class Net(torch.nn.Module):
                    def forward(self, x): return self.block(x)
                    def block(self, x): return sorted(x)
                    def never(self, x): return sorted(x)
                class Env(gym.Env):
                    def reset(self): return sorted([1])
                    def step(self, a): return sorted([a])
                class Stop(Callback):
                    def on_epoch_end(self, e, logs): return sorted([e])
                class Data(torch.utils.data.Dataset):
                    def __getitem__(self, i): return sorted([i])
                    def __len__(self): return 3
                class Other(torch.nn.Module):
                    def forward(self, x): return sorted(x)
                net = Net(); env = Env(); Data()
                fit(callbacks=[Stop()])
                net(1)
            """
        }
    )
    reached = _reached(graph)
    assert [name for name, live in reached.items() if not live] == ["Net.never", "Other", "Other.forward"]


def test_overrides_are_reached_through_the_base_class(make: Make) -> None:
    graph = make(
        {
            "run.py": """
                class Base:
                    def run(self): return self.step()
                    def step(self): raise NotImplementedError
                class Child(Base):
                    def step(self): return sorted([1])
                class Unmade(Base):
                    def step(self): return sorted([2])
                Child().run()
            """
        }
    )
    reached = _reached(graph)
    assert reached["Child.step"] and reached["Base.run"] and not reached["Unmade.step"]


def test_registering_decorators_reach_and_wrappers_do_not(make: Make) -> None:
    graph = make(
        {
            "run.py": """
                import functools, click
                TABLE = {}
                def register(name):
                    def deco(fn):
                        TABLE[name] = fn
                        return fn
                    return deco
                def timed(fn):
                    @functools.wraps(fn)
                    def inner(*a):
                        return fn(*a)
                    return inner
                @register("a")
                def one(): return sorted([1])
                @timed
                def two(): return sorted([2])
                @functools.lru_cache
                def three(): return sorted([3])
                @click.command()
                def four(): return sorted([4])
                TABLE["a"]()
            """
        }
    )
    reached = _reached(graph)
    assert reached["one"] and reached["four"] and not reached["two"] and not reached["three"]


def test_entries_follow_imports_and_nothing_else(make: Make) -> None:
    graph = make(
        {
            "main.py": "from src.a import go\ngo()\n",
            "src/__init__.py": "",
            "src/a.py": "from src.b import helper\ndef go():\n    return helper()\ndef spare():\n    return sorted([1])\n",
            "src/b.py": "import numpy as np\nRNG = np.random.default_rng(0)\ndef helper():\n    return RNG\n",
            "src/old.py": "from sklearn.svm import SVC\nmodel = SVC()\ndef train():\n    return model.fit(1)\n",
        }
    )
    assert graph.entry_points() == ("main.py",)
    assert _reached(graph, "src/a.py") == {"go": True, "spare": False}
    assert all(call.reachable for call in graph.files["src/b.py"].calls)
    assert not any(call.reachable for call in graph.files["src/old.py"].calls)
    assert not graph.library


def test_without_entry_points_public_things_count(make: Make) -> None:
    graph = make(
        {
            "lib.py": "def fit(x):\n    return _inner(x)\ndef _inner(x):\n    return sorted(x)\ndef _dead():\n    return 1\n"
        }
    )
    assert graph.library
    assert _reached(graph, "lib.py") == {"fit": True, "_inner": True, "_dead": False}


@pytest.mark.parametrize(
    ("files", "entry", "kind"),
    [
        ({"a.py": "def main(): pass\nif __name__ == '__main__':\n    main()\n"}, "a.py", EntryKind.MAIN_GUARD),
        ({"a.py": "print('x')\n"}, "a.py", EntryKind.SCRIPT),
        ({"p/__main__.py": "from p.a import go\n", "p/a.py": "def go(): pass\n"}, "p/__main__.py", EntryKind.SCRIPT),
        ({"a.py": "from fastapi import FastAPI\napp = FastAPI()\n"}, "a.py", EntryKind.APP),
        (
            {"p/a.py": "def go(): return sorted([1])\n", "pyproject.toml": "[project.scripts]\nx = 'p.a:go'\n"},
            "p/a.py",
            EntryKind.CONSOLE_SCRIPT,
        ),
        (
            {
                "p/a.py": "def go(): return sorted([1])\n",
                "setup.py": "from setuptools import setup\nsetup(entry_points={'console_scripts': ['x=p.a:go']})\n",
            },
            "p/a.py",
            EntryKind.CONSOLE_SCRIPT,
        ),
        ({"src/a.py": "X = 1\n", "Makefile": "run:\n\tpython src/a.py\n"}, "src/a.py", EntryKind.MENTIONED),
        ({"src/a.py": "X = 1\n", "run.sh": "python3 -m src.a\n"}, "src/a.py", EntryKind.MENTIONED),
        (
            {"app.py": "X = 1\n", "Dockerfile": 'FROM x\nCMD ["streamlit", "run", "app.py"]\n'},
            "app.py",
            EntryKind.MENTIONED,
        ),
        ({"tests/test_a.py": "def test_x(): assert sorted([1])\n"}, "tests/test_a.py", EntryKind.TEST),
    ],
)
def test_kinds_of_entry_points(make: Make, files: dict[str, str], entry: str, kind: EntryKind) -> None:
    graph = make(dict(files))
    assert graph.entries.get(entry) is kind
    assert graph.files[entry].entry


def test_setup_statements_make_no_entry(make: Make) -> None:
    source = "import warnings, logging, matplotlib\nmatplotlib.use('Agg')\nwarnings.filterwarnings('ignore')\nlog = logging.getLogger('x')\ndef f(): pass\n"
    assert make({"a.py": source}).entries == {}


def test_a_process_that_is_started_runs_its_file(make: Make) -> None:
    graph = make(
        {
            "run.py": "import subprocess, sys\nsubprocess.run([sys.executable, 'src/job.py'])\n",
            "src/job.py": "from sklearn.svm import SVC\nmodel = SVC()\n",
        }
    )
    assert all(call.reachable for call in graph.files["src/job.py"].calls)
