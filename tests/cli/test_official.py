"""The official data, where it lies beside the checkout."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

Judge = Any
TASK = "39_Drug_Response_Prediction_SVM_GDSC_ML"

pytestmark = pytest.mark.shared


def test_the_one_public_workspace_is_judged_and_the_others_are_reported(judge: Judge, shared_dir: Path) -> None:
    data = shared_dir / "devai"
    arguments = ("run", data / "instances", "--workspace", data / "workspaces" / "OpenHands")
    arguments = (*arguments, "--trajectories", data / "trajectories" / "OpenHands", "--out", "out")
    ran = judge(*arguments, "--json")
    assert ran.code == 5 and "54 of 55 tasks have no workspace" in ran.err
    value = ran.json()
    assert len(value["tasks"]) == 55 and value["totals"]["requirements"] == 365
    assert value["header"]["setting"] == "gray-box"
    judged = {task["name"] for task in value["tasks"] if not task["error"]}
    assert judged == {TASK}
    devai = json.loads(Path("out", "judgments", f"{TASK}.json").read_text(encoding="utf-8"))
    original = json.loads((data / "instances" / f"{TASK}.json").read_text(encoding="utf-8"))
    assert list(devai)[: len(original)] == list(original)
    assert {item["satisfied"] for item in devai["requirements"]} <= {True, False}
    missing = json.loads(next(Path("out", "judgments").glob("40_*.json")).read_text(encoding="utf-8"))
    assert {(item["satisfied"], item["verdict"]) for item in missing["requirements"]} == {(None, "ERROR")}
    assert judge(*arguments[:-2], "--only", "39*").code == 0


def test_the_official_layout_is_understood_at_its_root(judge: Judge, shared_dir: Path) -> None:
    ran = judge("run", shared_dir / "devai", "--only", "39*", "--json")
    assert ran.code == 0 and ran.json()["header"]["setting"] == "gray-box"
    assert f"trajectory:{TASK}" in ran.json()["header"]["inputs"]


def test_evidence_of_the_near_miss(judge: Judge, shared_dir: Path) -> None:
    data = shared_dir / "devai"
    task = data / "instances" / f"{TASK}.json"
    ran = judge("evidence", task, "-w", data / "workspaces" / "OpenHands", "-r", 4, "--json")
    (item,) = ran.json()
    notes = [found["text"] for found in item["evidence"] if found["kind"] == "note"]
    assert "`results/performance.txt`" in notes[0] and item["tokens"] < 8_000
