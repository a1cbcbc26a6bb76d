"""``judge majority`` and ``judge run --judge llm``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

S, U = "SATISFIED", "UNSATISFIED"


def _panel(judge: Any, lab: Any, tmp_path: Path, *answers: list[str]) -> list[Path]:
    """One run a list of answers, on one task."""
    lab.add("t", [[] for _ in answers[0]])
    runs = []
    for number, listed in enumerate(answers):
        replies = [("t", n, {"verdict": it} if it in {S, U} else {"text": it}) for n, it in enumerate(listed)]
        lab.answer(*replies)
        path = tmp_path / f"run{number}"
        judge("run", lab.tasks, "-w", lab.workspaces, "--model", lab.model, "--out", path)
        runs.append(path)
    return runs


def _verdicts(lab: Any, run: Path) -> dict[int, str]:
    return {item["requirement_id"]: item["verdict"] for item in lab.lines(run)}


def test_most_votes_win_and_errors_are_no_votes(judge: Any, lab: Any, tmp_path: Path) -> None:
    runs = _panel(judge, lab, tmp_path, [S, S, S, "?"], [S, U, "?", "?"], [U, U, "?", "?"])
    ran = judge("majority", *runs, "--out", tmp_path / "m")
    assert ran.code == 5
    assert _verdicts(lab, tmp_path / "m") == {0: S, 1: U, 2: S, 3: "ERROR"}
    lines = {item["requirement_id"]: item for item in lab.lines(tmp_path / "m")}
    assert lines[0]["confidence"] == pytest.approx(2 / 3, abs=1e-3)
    assert lines[0]["votes"] == [S, S, U]
    assert "SATISFIED by run0, run1" in lines[0]["reason"] and lines[0]["judge"] == "majority"
    assert lines[3]["error"].startswith("no member of the panel decided it")
    assert lab.judgments(tmp_path / "m", "t")["requirements"][3]["satisfied"] is None


@pytest.mark.parametrize(("tie", "verdict", "code"), [("error", "ERROR", 5), ("unsatisfied", U, 0)])
def test_a_tie_is_never_satisfied(judge: Any, lab: Any, tmp_path: Path, tie: str, verdict: str, code: int) -> None:
    runs = _panel(judge, lab, tmp_path, [S], [U])
    ran = judge("majority", *runs, "--tie", tie, "--out", tmp_path / "m")
    assert ran.code == code and _verdicts(lab, tmp_path / "m") == {0: verdict}


def test_it_is_a_run_that_others_read_and_that_continues(judge: Any, lab: Any, tmp_path: Path) -> None:
    runs = _panel(judge, lab, tmp_path, [S, U], [S, U])
    labels = tmp_path / "labels"
    labels.mkdir()
    task = json.loads((lab.tasks / "t.json").read_text(encoding="utf-8"))
    for item, met in zip(task["requirements"], (True, True), strict=True):
        item["satisfied"] = met
    (labels / "t.json").write_text(json.dumps(task), encoding="utf-8")
    first = judge("majority", *runs, "--out", tmp_path / "m", "--json")
    assert first.code == 0 and first.json()["header"]["judge"] == "majority"
    again = judge("majority", *runs, "--out", tmp_path / "m")
    assert again.code == 0 and len(lab.lines(tmp_path / "m")) == 2
    aligned = judge("align", tmp_path / "m", "--labels", labels, "--resamples", 0, "--json").json()
    assert aligned["agents"][0]["judges"][0]["scores"]["alignment"]["value"] == 0.5
    mixed = judge("majority", runs[0], f"people={labels}", "--out", tmp_path / "m2", "--tie", "unsatisfied")
    assert mixed.code == 0 and _verdicts(lab, tmp_path / "m2") == {0: S, 1: U}


def test_what_makes_no_panel_is_refused(judge: Any, lab: Any, tmp_path: Path) -> None:
    (run,) = _panel(judge, lab, tmp_path, [S])
    assert "needs two runs" in judge("majority", run).err
    assert "two votes" in judge("majority", run, run).err
    assert "--tie" in judge("majority", run, run, "--tie", "satisfied").err
    (lab.workspaces / "t" / "new.py").write_text("x = 1\n", encoding="utf-8")
    other = tmp_path / "other"
    judge("run", lab.tasks, "-w", lab.workspaces, "--model", lab.model, "--out", other)
    ran = judge("majority", run, other, "--out", tmp_path / "m")
    assert ran.code == 2 and "did not judge the same" in ran.err and "workspace:t" in ran.err
    assert not (tmp_path / "m").exists()
    inside = judge("majority", run, lab.tasks, "--out", run / "m")
    assert inside.code == 2


def test_run_says_which_command_makes_a_majority(judge: Any, lab: Any) -> None:
    lab.add("t", [[]])
    ran = judge("run", lab.tasks, "-w", lab.workspaces, "--judge", "majority")
    assert ran.code == 2 and "judge majority RUN" in ran.err


def test_the_llm_judge_runs_and_needs_a_model(judge: Any, lab: Any, tmp_path: Path) -> None:
    lab.add("t", [[], [0]])
    lab.answer(("t", 1, {"verdict": U}))
    common = ("run", lab.tasks, "-w", lab.workspaces, "--judge", "llm", "--out", tmp_path / "r")
    assert "the judge 'llm' needs a model" in judge(*common).err
    ran = judge(*common, "--model", lab.model)
    assert ran.code == 0 and _verdicts(lab, tmp_path / "r") == {0: S, 1: U}
    header = json.loads((tmp_path / "r" / "run.json").read_text(encoding="utf-8"))
    assert header["judge"] == "llm" and header["modules"] == [] and "llm-judge" in header["prompts"]
    assert len(lab.calls()) == 2
    judge(*common, "--model", lab.model)
    assert len(lab.calls()) == 2
