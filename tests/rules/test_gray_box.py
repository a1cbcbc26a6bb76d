"""What a trajectory tells that the workspace alone does not."""

from __future__ import annotations

import pytest

from judge.schemas import Step, Trajectory, VerdictValue
from tests.rules.conftest import JudgeIt

CRITERION = "The test accuracy is saved in `results/accuracy.txt`."
FILES = {
    "results/accuracy.txt": "Accuracy: 0.93\n",
    "src/train.py": (
        "from sklearn.metrics import accuracy_score\n\n"
        "def main(y, p):\n    with open('results/accuracy.txt', 'w') as f:\n"
        "        f.write(f'Accuracy: {accuracy_score(y, p):.2f}\\n')\n\n"
        "if __name__ == '__main__':\n    main([0, 1], [0, 1])\n"
    ),
}


def trajectory(*steps: tuple[str, str]) -> Trajectory:
    return Trajectory(
        name="t",
        format="devai",
        steps=tuple(Step(step=n, action=action, environment=answer) for n, (action, answer) in enumerate(steps)),
    )


def test_the_workspace_alone_looks_right(judge_it: JudgeIt) -> None:
    assert judge_it(CRITERION, FILES).verdict is VerdictValue.SATISFIED


def test_a_number_computed_by_the_script_stays_met(judge_it: JudgeIt) -> None:
    steps = trajectory(
        ("cat > src/train.py << 'EOF'\n" + FILES["src/train.py"] + "EOF", ""), ("python src/train.py", "")
    )
    assert judge_it(CRITERION, FILES, steps).verdict is VerdictValue.SATISFIED


@pytest.mark.parametrize(
    ("steps", "word"),
    [
        ([("python src/train.py", "Accuracy: 0.71"), ('echo "Accuracy: 0.93" > results/accuracy.txt', "")], "typed in"),
        ([("cat > results/accuracy.txt << 'EOF'\nAccuracy: 0.93\nEOF", "")], "typed in"),
        ([("cp ../other/accuracy.txt results/accuracy.txt", "")], "copied"),
    ],
    ids=["echo over it", "heredoc", "copied from elsewhere"],
)
def test_what_no_program_computed_is_unmet(judge_it: JudgeIt, steps: list[tuple[str, str]], word: str) -> None:
    judgment = judge_it(CRITERION, FILES, trajectory(*steps))
    assert judgment.verdict is VerdictValue.UNSATISFIED
    assert word in judgment.reason
    assert judgment.citations[0].step == len(steps) - 1


def test_a_result_older_than_the_code_that_now_fails_is_unmet(judge_it: JudgeIt) -> None:
    crash = 'Traceback (most recent call last):\n  File "src/train.py", line 3, in main\nValueError: bad\n'
    steps = trajectory(
        ("python src/train.py > results/accuracy.txt", ""),
        ("cat > src/train.py << 'EOF'\n" + FILES["src/train.py"] + "EOF", ""),
        ("python src/train.py", crash),
    )
    judgment = judge_it(CRITERION, FILES, steps)
    assert judgment.verdict is VerdictValue.UNSATISFIED, judgment.reason


def test_settings_may_be_typed_in(judge_it: JudgeIt) -> None:
    files = {
        "config/rates.json": '{"low": 0.1, "high": 0.4}',
        "app.py": "import json\nprint(json.load(open('config/rates.json')))\n",
    }
    steps = trajectory(("cat > config/rates.json << 'EOF'\n" + files["config/rates.json"] + "\nEOF", ""))
    criterion = "The rates of two levels are stored in `config/rates.json`."
    assert judge_it(criterion, files, steps).verdict is VerdictValue.SATISFIED
