"""Call targets: aliases, assignments, instances, functions of the workspace."""

# ruff: noqa: E501 - one case a line reads best

from __future__ import annotations

import pytest

from judge.modules.graph.facts import Call, CodeFile
from tests.modules.graph.conftest import Make


def _call(code: CodeFile, name: str) -> Call:
    found = [call for call in code.calls if call.name == name]
    assert found, [call.target for call in code.calls]
    return found[-1]


@pytest.mark.parametrize(
    ("source", "name", "target"),
    [
        ("import torch.nn as nn\nx = nn.LSTM(3)", "LSTM", "torch.nn.LSTM"),
        ("from sklearn import svm\nx = svm.SVC()", "SVC", "sklearn.svm.SVC"),
        ("from sklearn.svm import SVC\nModel = SVC\nModel().fit(1)", "fit", "sklearn.svm.SVC().fit"),
        ("import numpy as np\nf = np.mean\nf([1])", "mean", "numpy.mean"),
        ("import pandas as pd\npd.read_csv('x').dropna().head()", "head", "pandas.read_csv().dropna().head"),
        ("from a.b import *\nRun()", "Run", "a.b.Run"),
        (
            "try:\n    import cupy as np\nexcept ImportError:\n    import numpy as np\nnp.zeros(3)",
            "zeros",
            "cupy.zeros",
        ),
        ("import importlib\nm = importlib.import_module('sklearn.svm')\nm.SVC()", "SVC", "sklearn.svm.SVC"),
        ("import xgboost\ngetattr(xgboost, 'XGBClassifier')()", "XGBClassifier", "xgboost.XGBClassifier"),
        (
            "import torchvision\nC = {'name': 'MNIST'}\ncls = getattr(torchvision.datasets, C['name'])\ncls()",
            "MNIST",
            "torchvision.datasets.MNIST",
        ),
        ("from functools import partial\nimport numpy as np\np = partial(np.clip, 0)\np(3)", "clip", "numpy.clip"),
        ("from sklearn.svm import SVC\nM = {'svm': SVC}\nM['svm']().fit(1)", "fit", "sklearn.svm.SVC().fit"),
        (
            "from sklearn.svm import SVC\nM = {'svm': SVC()}\nfor n, m in M.items():\n    m.fit(1)",
            "fit",
            "sklearn.svm.SVC().fit",
        ),
        (
            "from sklearn.svm import SVC\nms = [('a', SVC())]\nfor n, m in ms:\n    m.fit(1)",
            "fit",
            "sklearn.svm.SVC().fit",
        ),
        ("from sklearn.svm import SVC\ndef make():\n    return SVC()\nmake().fit(1)", "fit", "sklearn.svm.SVC().fit"),
        ("from sklearn.svm import SVC\ndef go(m):\n    m.fit(1)\ngo(SVC())", "fit", "sklearn.svm.SVC().fit"),
        ("from sklearn.svm import SVC\nwith SVC() as m:\n    m.fit(1)", "fit", "sklearn.svm.SVC().fit"),
        ("from sklearn.svm import SVC\nif (m := SVC()):\n    m.fit(1)", "fit", "sklearn.svm.SVC().fit"),
        ("def go(x):\n    x.fit(1)\ngo(3 if input() else 4)", "fit", "?.fit"),
        ("import flask\napp = flask.Flask('x')\napp.run()", "run", "flask.Flask().run"),
        (
            "from PIL import Image\nframes = []\nframes.append(Image.new('L', (1, 1)))\nframes[0].save('x.gif')",
            "save",
            "PIL.Image.new().save",
        ),
    ],
)
def test_target_is_followed(make: Make, source: str, name: str, target: str) -> None:
    assert _call(make({"run.py": source}).files["run.py"], name).target == target


def test_attributes_of_self_are_followed_across_methods(make: Make) -> None:
    graph = make(
        {
            "model.py": """
                from sklearn.svm import SVC
                class Model:
                    def __init__(self):
                        self.inner = SVC()
                    def train(self, x, y):
                        self.inner.fit(x, y)
                Model().train(1, 2)
            """
        }
    )
    assert _call(graph.files["model.py"], "fit").target == "sklearn.svm.SVC().fit"


def test_subclass_of_an_external_class_keeps_its_methods(make: Make) -> None:
    graph = make(
        {
            "net.py": """
                import torch.nn as nn
                class Net(nn.Module):
                    def __init__(self):
                        super().__init__()
                        self.lstm = nn.LSTM(3, 4)
                    def forward(self, x):
                        return self.lstm(x)
                net = Net()
                net.train()
                out = net(1)
            """
        }
    )
    code = graph.files["net.py"]
    assert _call(code, "train").target == "torch.nn.Module().train"
    assert _call(code, "forward").resolved == "net.py::Net.forward"
    assert "torch.nn.Module().__init__" in {call.target for call in code.calls}
    assert "torch.nn.LSTM().__call__" in {call.target for call in code.calls}


def test_imports_find_files_wherever_the_program_would(make: Make) -> None:
    graph = make(
        {
            "src/train.py": "from data_loader import load\nfrom src.model import build\nload(); build()\n",
            "src/data_loader.py": "def load():\n    return open('x')\n",
            "src/model.py": "from .parts import layer\nfrom . import parts\ndef build():\n    return layer(), parts.layer()\n",
            "src/parts.py": "def layer():\n    return sorted([1])\n",
            "pkg/__init__.py": "from .core import run as start\n",
            "pkg/core.py": "def run():\n    return sorted([2])\n",
            "main.py": "import pkg\nfrom pkg import start\nimport pkg.core as c\npkg.start(); start(); c.run()\n",
            "scripts/go.py": "import sys, os\nsys.path.append(os.path.join(os.path.dirname(__file__), '..', 'lib2'))\nimport tool\ntool.work()\n",
            "lib2/tool.py": "def work():\n    return sorted([3])\n",
            "notebooks/deep/n.py": "import sys\nsys.path.append('../../lib2')\nfrom tool import work\nwork()\n",
        }
    )
    train = graph.files["src/train.py"]
    assert [call.resolved for call in train.calls] == ["src/data_loader.py::load", "src/model.py::build"]
    assert {item.local for item in train.imports} == {"src/data_loader.py", "src/model.py"}
    assert {call.resolved for call in graph.files["src/model.py"].calls} == {"src/parts.py::layer"}
    assert [call.resolved for call in graph.files["main.py"].calls] == ["pkg/core.py::run"] * 3
    assert _call(graph.files["scripts/go.py"], "work").resolved == "lib2/tool.py::work"
    assert _call(graph.files["notebooks/deep/n.py"], "work").resolved == "lib2/tool.py::work"
    assert graph.files["src/parts.py"].imported_by == ("src/model.py",)


def test_a_folder_of_data_is_no_package(make: Make) -> None:
    graph = make({"datasets/x.csv": "a,b\n", "run.py": "from datasets import load_dataset\nload_dataset('imdb')\n"})
    assert graph.files["run.py"].calls[0].target == "datasets.load_dataset"
    assert graph.files["run.py"].imports[0].local == ""


def test_unused_imports_are_told_from_used_ones(make: Make) -> None:
    code = make({"a.py": "import os\nimport sys as s\nfrom re import match, sub\nprint(s.argv, sub)\n"}).files["a.py"]
    assert {item.alias: item.used for item in code.imports} == {"os": False, "s": True, "match": False, "sub": True}


def test_values_say_where_they_come_from(make: Make) -> None:
    graph = make(
        {
            "a.py": """
                from sklearn.metrics import accuracy_score
                acc = accuracy_score([1], [1])
                with open("m.txt", "w") as f:
                    f.write(f"Accuracy: {acc:.3f}")
                    f.write("Accuracy: " + str(round(acc * 100, 2)))
                    f.write("0.95")
            """
        }
    )
    contents = [item.content for item in graph.files["a.py"].accesses if item.content is not None]
    assert [item.origin for item in contents] == ["sklearn.metrics.accuracy_score"] * 2 + [""]
    assert contents[0].constant == "Accuracy: {}"
    assert (contents[2].constant, contents[2].known) == ("0.95", True)
