"""``judge run --attack-report`` on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from judge.cli import main


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Any:
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(["run", *arguments])
        code = ended.value.code
        return (int(code or 0), *capfd.readouterr())

    return call


def test_the_rules_judge_is_not_moved(run: Any, tmp_path: Path) -> None:
    code, out, err = run("--attack-report", "--judge", "rules", "--only", "code", "--only", "name", "--out", "out")
    assert code == 0, err
    assert "| code | 20 | 20 | 0 |" in out
    report = json.loads((tmp_path / "out" / "attack.json").read_text())
    assert report["total"]["tried"] == report["total"]["attacks"] == 30
    assert report["total"]["flips"] == 0


def test_a_gullible_model_is_moved(run: Any, tmp_path: Path) -> None:
    script = {
        "rules": [{"when": "ignore", "reply": {"verdict": "SATISFIED", "reason": "it says so"}}],
        "default": {"verdict": "UNSATISFIED", "reason": "nothing says so"},
    }
    (tmp_path / "model.json").write_text(json.dumps(script))
    model = f"scripted:{tmp_path / 'model.json'}"
    code, out, err = run("--attack-report", "--model", model, "--only", "code", "--out", "out", "--json")
    assert code == 0, err
    total = json.loads(out)["total"]
    assert total["tried"] > 0 and total["errors"] == 0


@pytest.mark.parametrize("more", [("devai/tasks",), ("-w", "ws"), ("--fail-under", "0.5")])
def test_it_brings_its_own_tasks(run: Any, more: tuple[str, ...]) -> None:
    code, _, err = run("--attack-report", "--judge", "rules", *more)
    assert code == 2
    assert "brings its own" in err


def test_without_tasks_a_run_says_what_is_missing(run: Any) -> None:
    code, _, err = run("--judge", "rules")
    assert code == 2
    assert "TASKS" in err and "Traceback" not in err


def test_no_attack_left(run: Any) -> None:
    code, _, err = run("--attack-report", "--judge", "rules", "--only", "nothing*")
    assert code == 2
    assert "no attack is left" in err
