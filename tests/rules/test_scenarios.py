"""What agents leave behind, and what the rules judge makes of it."""

from __future__ import annotations

import json

import pytest

from judge.schemas import VerdictValue
from tests.rules.conftest import Files, JudgeIt, picture

MAIN = "from src.model import build\n\nif __name__ == '__main__':\n    build()\n"
SVM = 'A "Support Vector Machine" is implemented in `src/model.py`.'
IRIS = 'The "Iris" dataset is loaded in `src/data_loader.py`.'
ACCURACY = "The accuracy is saved in `results/accuracy.txt`."
CURVE = "The ROC curve is saved as `results/roc.png`."
ROC = (
    "import matplotlib.pyplot as plt\nfrom sklearn.metrics import roc_curve\n\n"
    "def draw(y, p):\n    fpr, tpr, _ = roc_curve(y, p)\n    plt.plot(fpr, tpr)\n    plt.savefig('results/roc.png')\n\n"
    "if __name__ == '__main__':\n    draw([0, 1, 1], [0.2, 0.6, 0.9])\n"
)
NOTEBOOK = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}}
CELL = {"cell_type": "code", "metadata": {}, "source": ["print('accuracy', 0.9)"], "id": "a"}


def notebook(executed: bool) -> str:
    output = {"output_type": "stream", "name": "stdout", "text": ["accuracy 0.9\n"]}
    cell = {**CELL, "execution_count": 1 if executed else None, "outputs": [output] if executed else []}
    return json.dumps({**NOTEBOOK, "cells": [cell]})


LOADED = "import csv\n\nwith open('data/points.csv') as f:\n    rows = list(csv.DictReader(f))\nprint(len(rows))\n"
POINTS = {"src/main.py": LOADED, "data/points.csv": "x,y\n1,2\n3,4\n"}

MET: list[tuple[str, str, Files]] = [
    ("data set with a space", "The data set is loaded from `data/points.csv` in `src/main.py`.", POINTS),
    ("dataset without a space", "The dataset is loaded from `data/points.csv` in `src/main.py`.", POINTS),
    ("points", "The points are read from `data/points.csv` in `src/main.py`.", POINTS),
    (
        "library class",
        SVM,
        {"main.py": MAIN, "src/model.py": "from sklearn.svm import SVC\n\ndef build():\n    return SVC()\n"},
    ),
    (
        "module alias",
        SVM,
        {"main.py": MAIN, "src/model.py": "from sklearn import svm as s\n\ndef build():\n    return s.LinearSVC()\n"},
    ),
    (
        "class name kept in another name",
        SVM,
        {
            "main.py": MAIN,
            "src/model.py": "from sklearn.svm import SVC as Model\nchosen = Model\n\ndef build():\n    return chosen(C=2)\n",
        },
    ),
    (
        "helper module",
        SVM,
        {
            "main.py": MAIN,
            "src/model.py": "from src.parts import make\n\ndef build():\n    return make()\n",
            "src/parts.py": "from sklearn.svm import SVC\n\ndef make():\n    return SVC()\n",
        },
    ),
    (
        "loader of the library",
        IRIS,
        {
            "src/data_loader.py": "from sklearn.datasets import load_iris\n\ndef load():\n    return load_iris(return_X_y=True)\n\nX, y = load()\nprint(X.shape)\n"
        },
    ),
    (
        "file of that name",
        IRIS,
        {
            "src/data_loader.py": "import pandas as pd\n\ndef load():\n    return pd.read_csv('data/iris.csv')\n\nprint(load())\n",
            "data/iris.csv": "sepal_length,species\n5.1,setosa\n6.2,virginica\n",
        },
    ),
    ("number with its name", ACCURACY, {"results/accuracy.txt": "Accuracy: 0.93\n"}),
    ("percentage", ACCURACY, {"results/accuracy.txt": "Test accuracy = 93.1 %\n"}),
    ("bare number", ACCURACY, {"results/accuracy.txt": "0.913\n"}),
    ("drawn and written by code", CURVE, {"results/roc.png": picture(), "plot.py": ROC}),
    ("executed notebook", "A Jupyter Notebook is saved as `report.ipynb`.", {"report.ipynb": notebook(True)}),
    (
        "one of two",
        'The dashboard is created with "Dash" or "Streamlit" in `app.py`.',
        {
            "app.py": "import streamlit as st\nimport pandas as pd\n\ndf = pd.read_csv('a.csv')\nst.dataframe(df)\nname = st.selectbox('pick', df.columns)\nst.line_chart(df[name])\n"
        },
    ),
    (
        "ruled out and not used",
        "K-means is implemented in `k.py` without using scikit-learn.",
        {
            "k.py": "import numpy as np\n\ndef kmeans(X, k):\n    centers = X[:k].copy()\n    for _ in range(20):\n        d = ((X[:, None] - centers) ** 2).sum(-1)\n"
            "        labels = d.argmin(1)\n        centers = np.array([X[labels == j].mean(0) for j in range(k)])\n    return centers, labels\n\n"
            "if __name__ == '__main__':\n    print(kmeans(np.eye(4), 2))\n"
        },
    ),
    ("threshold reached", "The accuracy in `m.txt` is at least 0.9.", {"m.txt": "accuracy: 0.95\n"}),
    (
        "route",
        "`GET /items/{id}` returns one item.",
        {
            "app.py": "from fastapi import FastAPI\napp = FastAPI()\n\n@app.get('/items/{item_id}')\ndef item(item_id: int):\n    return {'id': item_id}\n"
        },
    ),
    (
        "make target",
        "Everything is run by `make all`.",
        {"Makefile": "all:\n\tpython run.py\n", "run.py": "print(1)\n"},
    ),
    (
        "a folder of pictures",
        "Generated images are saved to `results/figures/`.",
        {"results/figures/a.png": picture(), "results/figures/.gitkeep": ""},
    ),
    ("animated", "A GIF animation of the path is saved as `path.gif`.", {"path.gif": picture(format="GIF", frames=4)}),
]

UNMET: list[tuple[str, str, Files]] = [
    ("another file is read", "The data set is loaded from `data/lines.csv` in `src/main.py`.", POINTS),
    (
        "only in a comment",
        SVM,
        {
            "main.py": MAIN,
            "src/model.py": "# uses SVC, a support vector machine\ndef build():\n    return sorted([1, 2])\n",
        },
    ),
    (
        "only in a docstring",
        SVM,
        {
            "main.py": MAIN,
            "src/model.py": 'def build():\n    """Builds a Support Vector Machine (SVC)."""\n    return sorted([2, 1])\n',
        },
    ),
    (
        "only in the README",
        SVM,
        {
            "main.py": MAIN,
            "README.md": "We use a Support Vector Machine (SVC).",
            "src/model.py": "def build():\n    return sorted([2, 1])\n",
        },
    ),
    (
        "only in a printed text",
        SVM,
        {
            "main.py": MAIN,
            "src/model.py": "def build():\n    print('training a support vector machine SVC')\n    return sorted([2])\n",
        },
    ),
    (
        "import not used",
        SVM,
        {
            "main.py": MAIN,
            "src/model.py": "from sklearn.svm import SVC\nfrom sklearn.linear_model import Ridge\n\ndef build():\n    return Ridge()\n",
        },
    ),
    (
        "no body",
        SVM,
        {
            "main.py": MAIN,
            "src/model.py": "class SVM:\n    def fit(self, X, y):\n        raise NotImplementedError\n\ndef build():\n    return SVM()\n",
        },
    ),
    (
        "never called",
        SVM,
        {
            "main.py": MAIN,
            "src/model.py": "from sklearn.svm import SVC\n\ndef unused():\n    return SVC()\n\ndef build():\n    return sum([1, 2])\n",
        },
    ),
    (
        "behind if False",
        SVM,
        {
            "main.py": MAIN,
            "src/model.py": "from sklearn.svm import SVC\n\ndef build():\n    if False:\n        return SVC()\n    return sum([1, 2])\n",
        },
    ),
    (
        "another algorithm under the name",
        SVM,
        {
            "main.py": MAIN,
            "src/model.py": "class SVM:\n    def fit(self, X, y):\n        self.m = sum(y) / len(y)\n        return self\n\n    def predict(self, X):\n        return [self.m for _ in X]\n\ndef build():\n    return SVM().fit([1], [1]).predict([1])\n",
        },
    ),
    ("no such file", SVM, {"main.py": "print(1)\n", "model.py": "from sklearn.svm import SVC\nprint(SVC())\n"}),
    ("empty file", SVM, {"main.py": "print(1)\n", "src/model.py": ""}),
    (
        "random numbers instead",
        IRIS,
        {
            "src/data_loader.py": "import numpy as np\n\ndef load_iris():\n    return np.random.rand(150, 4), np.random.randint(0, 3, 150)\n\nprint(load_iris())\n"
        },
    ),
    (
        "placeholder path",
        IRIS,
        {"src/data_loader.py": "import pandas as pd\n\nprint(pd.read_csv('path/to/iris.csv'))\n"},
    ),
    ("impossible", ACCURACY, {"results/accuracy.txt": "Accuracy: 1.7\n"}),
    ("not a number", ACCURACY, {"results/accuracy.txt": "Accuracy: nan\n"}),
    ("no value", ACCURACY, {"results/accuracy.txt": "Accuracy:\n"}),
    ("another metric", ACCURACY, {"results/accuracy.txt": "Loss: 0.31\n"}),
    ("empty", ACCURACY, {"results/accuracy.txt": ""}),
    ("elsewhere", ACCURACY, {"accuracy.txt": "Accuracy: 0.93\n"}),
    (
        "constant written by code",
        ACCURACY,
        {
            "results/accuracy.txt": "Accuracy: 0.95\n",
            "run.py": "with open('results/accuracy.txt', 'w') as f:\n    f.write('Accuracy: 0.95\\n')\n",
        },
    ),
    ("one flat colour", CURVE, {"results/roc.png": picture("blank"), "plot.py": ROC}),
    ("a text named png", CURVE, {"results/roc.png": "ROC curve", "plot.py": ROC}),
    ("cut off", CURVE, {"results/roc.png": picture()[:90], "plot.py": ROC}),
    ("another extension", CURVE, {"results/roc.jpg": picture(format="JPEG"), "plot.py": ROC}),
    ("not executed", "A Jupyter Notebook is saved as `report.ipynb`.", {"report.ipynb": notebook(False)}),
    ("header only", "Predictions are saved in `out.csv`.", {"out.csv": "id,prediction\n"}),
    ("text named pdf", "A report is saved as `r.pdf`.", {"r.pdf": "Report\n" * 40}),
    (
        "placeholder text",
        "A report with results is saved as `r.md`.",
        {"r.md": "# Report\n\n## Results\n\nTODO: add results here\n"},
    ),
    (
        "ruled out but used",
        "K-means is implemented in `k.py` without using scikit-learn.",
        {"k.py": "from sklearn.cluster import KMeans\nprint(KMeans(3).fit([[1], [2], [3]]).labels_)\n"},
    ),
    ("threshold missed", "The accuracy in `m.txt` is at least 0.9.", {"m.txt": "accuracy: 0.85\n"}),
    ("only the folder", "Generated images are saved to `results/figures/`.", {"results/figures/.gitkeep": ""}),
    ("one frame", "A GIF animation of the path is saved as `path.gif`.", {"path.gif": picture(format="GIF")}),
    ("no such target", "Everything is run by `make all`.", {"Makefile": "test:\n\tpytest\n"}),
    (
        "unfilled field",
        "The best month is named in `s.md`.",
        {"s.md": "The best month by far of all months was {best_month} as the data show.\n"},
    ),
    (
        "skipped tests",
        "Unit tests are in `tests/` and pass.",
        {
            "calc.py": "def add(a, b):\n    return a + b\n",
            "tests/test_calc.py": "import pytest\nfrom calc import add\n\n@pytest.mark.skip\ndef test_add():\n    assert add(1, 2) == 3\n",
        },
    ),
    (
        "script does not parse",
        SVM,
        {"main.py": MAIN, "src/model.py": "from sklearn.svm import SVC\n\ndef build(:\n    return SVC()\n"},
    ),
]


@pytest.mark.parametrize(("criterion", "files"), [row[1:] for row in MET], ids=[row[0] for row in MET])
def test_met(judge_it: JudgeIt, criterion: str, files: Files) -> None:
    judgment = judge_it(criterion, files)
    assert judgment.verdict is VerdictValue.SATISFIED, judgment.reason
    assert judgment.reason
    assert judgment.confidence > 0.5


@pytest.mark.parametrize(("criterion", "files"), [row[1:] for row in UNMET], ids=[row[0] for row in UNMET])
def test_unmet(judge_it: JudgeIt, criterion: str, files: Files) -> None:
    judgment = judge_it(criterion, files)
    assert judgment.verdict is VerdictValue.UNSATISFIED, judgment.reason
    assert judgment.reason


def test_citations_stand_where_they_say(judge_it: JudgeIt) -> None:
    judgment = judge_it(
        SVM, {"main.py": MAIN, "src/model.py": "from sklearn.svm import SVC\n\ndef build():\n    return SVC()\n"}
    )
    assert [(c.path, c.line, c.quote.strip()) for c in judgment.citations] == [("src/model.py", 4, "return SVC()")]
    assert judgment.citations_verified is True


def test_the_same_case_gets_the_same_judgment(judge_it: JudgeIt) -> None:
    files = {"results/roc.png": picture(), "plot.py": ROC}
    first, second = judge_it(CURVE, files), judge_it(CURVE, files)
    assert first.model_copy(update={"seconds": 0.0}) == second.model_copy(update={"seconds": 0.0})
