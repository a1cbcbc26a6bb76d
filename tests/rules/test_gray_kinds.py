"""Kinds of stories that change what a workspace seems to say, in both directions."""

from __future__ import annotations

import pytest

from judge.schemas import Step, Trajectory, VerdictValue
from tests.rules.conftest import JudgeIt

TRAIN = """from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score


def save(path, value):
    with open(path, "w") as f:
        f.write(f"Test accuracy: {value:.4f}\\n")


def main(X, y):
    model = LogisticRegression().fit(X, y)
    value = accuracy_score(y, model.predict(X))
    save("results/accuracy.txt", value)
    print(f"Test accuracy: {value:.4f}")
    plot(model)


def plot(model):
    print(model)


if __name__ == "__main__":
    main([[0], [1]], [0, 1])
"""
FILES = {"src/train.py": TRAIN, "results/accuracy.txt": "Test accuracy: 0.9300\n"}
SAVED = "The accuracy is saved in `results/accuracy.txt`."
WRITE = "cat > src/train.py << 'EOF'\n" + TRAIN + "EOF"
RUN = "python src/train.py"


def told(*steps: str | tuple[str, str]) -> Trajectory:
    pairs = [step if isinstance(step, tuple) else (step, "") for step in steps]
    made = tuple(Step(step=n, action=action, environment=answer) for n, (action, answer) in enumerate(pairs))
    return Trajectory(name="t", format="devai", steps=made)


def crash(*frames: tuple[int, str]) -> str:
    lines = "".join(f'  File "/workspace/src/train.py", line {line}, in {where}\n    x\n' for line, where in frames)
    return f"Traceback (most recent call last):\n{lines}ValueError: bad\n"


UNMET = [
    pytest.param([WRITE, RUN, "sed -i 's/0.81/0.93/' results/accuracy.txt"], "changed by hand in step 2", id="sed"),
    pytest.param(
        [WRITE, "python src/train.py > results/accuracy.txt", "rm -rf results", "echo 0.93 > results/accuracy.txt"],
        "after it had been removed",
        id="removed and typed in again",
    ),
    pytest.param(
        [(WRITE, ""), (RUN, "Test accuracy: 0.8100")], "the program printed 0.81", id="another value was printed"
    ),
    pytest.param(
        [WRITE, (RUN, "Test accuracy: 0.9300"), WRITE, (RUN, crash((22, "<module>"), (12, "main")))],
        "every run since then crashed",
        id="crashed before writing",
    ),
    pytest.param([WRITE, "ls results"], "never executed", id="never executed"),
    pytest.param([WRITE, (RUN + " --dry-run", "")], "ran with --dry-run", id="dry run"),
    pytest.param(
        ["cp ../other/accuracy.txt results/accuracy.txt"], "copied from", id="copied"
    ),
]  # fmt: skip


@pytest.mark.parametrize(("steps", "word"), UNMET)
def test_what_looks_computed_is_not(judge_it: JudgeIt, steps: list[str | tuple[str, str]], word: str) -> None:
    assert judge_it(SAVED, FILES).verdict is VerdictValue.SATISFIED
    judgment = judge_it(SAVED, FILES, told(*steps))
    assert judgment.verdict is VerdictValue.UNSATISFIED, judgment.reason
    assert word in judgment.reason
    assert any(citation.step is not None for citation in judgment.citations)


MET = [
    pytest.param([WRITE, (RUN, "Test accuracy: 0.9300")], id="plain run"),
    pytest.param([WRITE, "echo 0.5 > results/accuracy.txt", (RUN, "Test accuracy: 0.9300")], id="typed, then computed"),
    pytest.param(
        [WRITE, (RUN, crash((22, "<module>"), (15, "main"), (19, "plot")))], id="crashed only after it was written"
    ),
    pytest.param([WRITE, (RUN, crash((22, "<module>"), (12, "main"))), WRITE, RUN], id="crashed, mended, run again"),
    pytest.param([WRITE, "make results"], id="made by something that cannot be told"),
    pytest.param([(RUN, "Test accuracy: 93.00 %")], id="printed in percent"),
    pytest.param(["ls", "cat results/accuracy.txt"], id="nothing of it in the steps"),
]


@pytest.mark.parametrize("steps", MET)
def test_what_was_computed_stays_met(judge_it: JudgeIt, steps: list[str | tuple[str, str]]) -> None:
    judgment = judge_it(SAVED, FILES, told(*steps))
    assert judgment.verdict is VerdictValue.SATISFIED, judgment.reason


def test_a_run_with_other_settings_than_asked_for(judge_it: JudgeIt) -> None:
    criterion = "The agent is evaluated with wind probability 0.2, and the accuracy is saved in `results/accuracy.txt`."
    for given, verdict in (("0.0", VerdictValue.UNSATISFIED), ("0.2", VerdictValue.SATISFIED)):
        judgment = judge_it(criterion, FILES, told(WRITE, (f"{RUN} --wind {given}", "")))
        assert judgment.verdict is verdict, judgment.reason


APP = {
    "app.py": "from flask import Flask\napp = Flask(__name__)\nfor name in ['plants', 'health']:\n"
    "    app.add_url_rule('/' + name, name, lambda: [])\napp.run()\n",
}


@pytest.mark.parametrize(
    ("action", "answer", "verdict"),
    [
        ("curl -s localhost:5000/plants", '["fern"]', VerdictValue.SATISFIED),
        ("curl -s -i localhost:5000/plants", "HTTP/1.1 404 NOT FOUND", VerdictValue.UNSATISFIED),
        ("curl -s -i localhost:5000/health", "HTTP/1.1 200 OK", VerdictValue.UNSATISFIED),
        ("python -c \"from app import app; print(app.test_client().get('/plants'))\"", "<Response 3 bytes [200 OK]>",
         VerdictValue.SATISFIED),
        ("cat server.log", '"GET /plants HTTP/1.1" 200 -', VerdictValue.SATISFIED),
    ],
)  # fmt: skip
def test_a_server_that_answered(judge_it: JudgeIt, action: str, answer: str, verdict: VerdictValue) -> None:
    criterion = "`GET /plants` lists the plants."
    assert judge_it(criterion, APP).verdict is VerdictValue.UNSATISFIED
    judgment = judge_it(criterion, APP, told((action, answer)))
    assert judgment.verdict is verdict, judgment.reason


CLI = {"tool.py": "import sys\n\nprint(sys.argv[1].upper())\n"}


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("HELLO", VerdictValue.SATISFIED),
        ('Traceback (most recent call last):\n  File "/workspace/tool.py", line 3, in <module>\nIndexError: no',
         VerdictValue.UNSATISFIED),
    ],
)  # fmt: skip
def test_a_command_that_was_tried(judge_it: JudgeIt, answer: str, verdict: VerdictValue) -> None:
    steps = told("cat > tool.py << 'EOF'\n" + CLI["tool.py"] + "EOF", ("python tool.py hello", answer))
    judgment = judge_it("Running `python tool.py` with a word prints it in capitals.", CLI, steps)
    assert judgment.verdict is verdict, judgment.reason


SUITE = {
    "calc.py": "def add(a, b):\n    return a + b\n",
    "tests/test_calc.py": "from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n",
}


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("1 passed in 0.01s", VerdictValue.SATISFIED),
        ("1 failed, 2 passed in 0.01s", VerdictValue.UNSATISFIED),
        ("3 skipped in 0.01s", VerdictValue.UNSATISFIED),
    ],
)
def test_a_test_suite_that_was_run(judge_it: JudgeIt, answer: str, verdict: VerdictValue) -> None:
    criterion = "There are unit tests for the calculator in `tests/`, and they pass."
    assert judge_it(criterion, SUITE).verdict is VerdictValue.SATISFIED
    steps = told(("python -m pytest -q", answer), ("cat old_report.txt", "9 passed in 0.01s"))
    judgment = judge_it(criterion, SUITE, steps)
    assert judgment.verdict is verdict, judgment.reason


LOOP = {
    "train.py": "import json\nEPISODES = 1000\nfor episode in range(json.load(open('c.json')).get('n', EPISODES)):\n"
    "    print('episode', episode)\n",
    "c.json": '{"n": 300}',
}


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("episode 1/300\nepisode 150/300\nepisode 300/300", VerdictValue.UNSATISFIED),
        ("trained 300 episodes", VerdictValue.UNSATISFIED),
        ("mean of the last 50 episodes: 0.4", VerdictValue.SATISFIED),
        ("episodes: 800", VerdictValue.SATISFIED),
        ("episode 200\nepisode 400", VerdictValue.SATISFIED),
    ],
)
def test_counts_that_a_run_printed(judge_it: JudgeIt, answer: str, verdict: VerdictValue) -> None:
    criterion = "The agent is trained for at least 500 episodes in `train.py`."
    assert judge_it(criterion, LOOP).verdict is VerdictValue.SATISFIED
    judgment = judge_it(criterion, LOOP, told(("python train.py", answer)))
    assert judgment.verdict is verdict, judgment.reason


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("EarlyStopping counter: 4 out of 3", VerdictValue.UNSATISFIED),
        ("epoch 9 patience 3/3\nEarly stopping at epoch 9", VerdictValue.SATISFIED),
    ],
)
def test_early_stopping_as_it_went(judge_it: JudgeIt, answer: str, verdict: VerdictValue) -> None:
    files = {
        "train.py": "best, bad, patience = 9, 0, 3\nfor epoch in range(30):\n    loss = 1 / (epoch + 1)\n"
        "    if loss < best:\n        best, bad = loss, 0\n    else:\n        bad += 1\n"
        "    if bad >= patience:\n        break\n"
    }
    judgment = judge_it("Early stopping is used in `train.py`.", files, told(("python train.py", answer)))
    assert judgment.verdict is verdict, judgment.reason


def test_an_input_that_breaks_a_statement(judge_it: JudgeIt) -> None:
    files = {"app.py": "import sqlite3, sys\nfrom helper import run\nrun(sqlite3.connect('a.db'), sys.argv[1])\n"}
    criterion = "SQL statements with user input use bound parameters."
    steps = told(
        (
            "python app.py O\\'Dell",
            'Traceback (most recent call last):\nsqlite3.OperationalError: near "Dell": syntax error',
        )
    )
    judgment = judge_it(criterion, files, steps)
    assert judgment.verdict is VerdictValue.UNSATISFIED and "broke a statement" in judgment.reason
