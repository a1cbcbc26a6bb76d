"""``judge evidence``, ``judge ask`` and ``judge doctor``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

Judge = Any
Lab = Any


@pytest.fixture
def one(lab: Lab) -> Any:
    lab.add("01_A", [[], [0]])
    return lab


def test_evidence_shows_the_prompt_with_counts(judge: Judge, one: Lab) -> None:
    ran = judge("evidence", one.tasks, "-w", one.workspaces, "--requirement", 1, "--json")
    assert ran.code == 0, ran.err
    (item,) = ran.json()
    assert item["requirement_id"] == 1 and item["tokens"] == sum(part["tokens"] for part in item["messages"])
    assert [part["role"] for part in item["messages"]] == ["system", "user", "user"]
    assert one.criterion("01_A", 1) in item["messages"][-1]["text"]
    assert '1| print("hello")' in item["messages"][1]["text"] + item["messages"][2]["text"]
    assert not one.calls()
    plain = judge("evidence", one.tasks, "-w", one.workspaces)
    assert plain.out.count("tokens  in all") == 2


def test_evidence_without_a_workspace_or_with_a_wrong_number(judge: Judge, one: Lab) -> None:
    ran = judge("evidence", one.tasks, "-w", one.workspaces, "-r", 9)
    assert ran.code == 2 and "no requirement 9" in ran.err
    one.add("02_B", [[]], workspace=False)
    assert judge("evidence", one.tasks, "-w", one.workspaces).code == 2
    ran = judge("evidence", one.tasks, "-w", one.workspaces, "--only", "02_B")
    assert ran.code == 2 and "no workspace" in ran.err


def test_evidence_reads_one_file(judge: Judge, one: Lab) -> None:
    root = one.workspaces / "01_A"
    (root / "data [1].csv").write_text("a,b\n1,2\n", encoding="utf-8")
    ran = judge("evidence", "-w", root, "--read", "data [1].csv", "--json")
    assert ran.code == 0 and ran.json()["format"] == "csv" and ran.json()["facts"]["rows"] == 1
    assert "data [1].csv: csv" in judge("evidence", "-w", root, "--read", "./data [1].csv").out
    assert judge("evidence", "-w", root, "--read", "../../x").code == 2
    assert judge("evidence", "--read", "x").code == 2


def test_ask_needs_a_model(judge: Judge, one: Lab) -> None:
    ran = judge("ask", "What runs?", "--workspace", one.workspaces / "01_A")
    assert ran.code == 2 and "no model" in ran.err


def test_ask_answers_from_the_workspace(judge: Judge, one: Lab) -> None:
    one.write_script(
        rules=[{"when": ['print("hello")', "What does main.py print?"], "reply": "hello [1] `src/main.py:1`"}]
    )
    ran = judge("ask", "What does main.py print?", "-w", one.workspaces / "01_A", "-m", one.model)
    assert ran.code == 0, ran.err
    assert ran.out == "hello [1] `src/main.py:1`\n" and "1 call" in ran.err
    ran = judge("ask", "What does main.py print?", "-w", one.workspaces / "01_A", "-m", one.model, "--json")
    assert ran.json()["evidence"][0]["path"] == "src/main.py"


def test_ask_reports_an_outage(judge: Judge, one: Lab) -> None:
    one.write_script(default={"status": 400, "message": "bad"})
    ran = judge("ask", "x?", "-w", one.workspaces / "01_A", "-m", one.model)
    named, error = ran.err.strip().splitlines()
    assert ran.code == 3 and named.startswith("judge: model ") and error.startswith("judge: error: ")


def test_doctor_says_what_is_set_up_and_shows_no_key(judge: Judge, monkeypatch: pytest.MonkeyPatch, one: Lab) -> None:
    key = "sk-proj-" + "Zz9" * 16
    monkeypatch.setenv("OPENAI_API_KEY", key)
    ran = judge("doctor", "--json")
    assert ran.code == 0, ran.out
    assert key not in ran.out + ran.err and "OPENAI_API_KEY" in ran.out
    checks = {item["name"]: item for item in ran.json()["checks"]}
    assert checks["tokens"]["state"] == "ok" and "judge" in checks["prompts"]["detail"]
    assert "offline rules" in checks["model"]["detail"]
    assert f"{one.model} (from --model), " in judge("doctor", "-m", one.model).out


def test_doctor_finds_what_is_broken(judge: Judge, tmp_path: Path) -> None:
    ran = judge("doctor", "-m", "openai:gpt-x", "--json")
    assert ran.code == 2 and not ran.json()["ok"]
    (tmp_path / "file").write_text("x", encoding="utf-8")
    assert judge("doctor", "--out", tmp_path / "file" / "runs").code == 2
    (tmp_path / "cwd" / "judge.toml").write_text("modell = 'x'", encoding="utf-8")
    assert "modell" in json.dumps(judge("doctor", "--json").json())


def test_doctor_misses_no_package_that_the_program_does_not_need(judge: Judge) -> None:
    checks = {item["name"]: item for item in judge("doctor", "--json").json()["checks"]}
    assert "missing packages" not in checks and "pydantic" in checks["packages"]["detail"]


def test_doctor_tells_of_answers_extras_and_every_model_of_a_panel(
    judge: Judge, one: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    ran = judge(
        "doctor",
        "-m",
        "openai:gpt-4o-mini",
        "-m",
        one.model,
        "--cache-dir",
        tmp_path / "kept",
        "--api",
        "chat",
        "--json",
    )
    assert ran.code == 0, ran.out
    checks = [(item["name"], item["detail"]) for item in ran.json()["checks"]]
    told = dict(checks)
    assert f"no answers yet in {tmp_path / 'kept'}" in told["answers"] and "plugins: none" in told["providers"]
    assert told["extras"]
    models = [detail for name, detail in checks if name == "model"]
    assert len(models) == 2 and "API chat" in models[0] and "keeps the beginnings of prompts" in models[0]
    assert "for a million tokens" in models[0]
    ran = judge("doctor", "--no-cache", "--cache-dir", tmp_path / "kept", "--json")
    assert "off (--no-cache)" in {item["name"]: item["detail"] for item in ran.json()["checks"]}["answers"]


def test_ask_ranks_as_it_is_told(judge: Judge, one: Lab) -> None:
    place = ("--workspace", one.workspaces / "01_A", "-m", one.model)
    assert judge("ask", "What runs?", *place, "--search", "fuzzy").code == 0
    ran = judge("ask", "What runs?", *place, "--search", "embeddings")
    assert ran.code == 2 and "--embeddings" in ran.err
    assert judge("ask", "What runs?", *place, "--search", "nothing").code == 2


def test_secrets_in_a_trajectory_are_shown_only_when_asked_for(judge: Judge, one: Lab, tmp_path: Path) -> None:
    token = "ghp_" + "a1B2" * 9
    step = {"step": 0, "user_message": None, "agent": {"thought": f"src/main.py needs {token}", "action": "run"}}
    (tmp_path / "steps").mkdir()
    (tmp_path / "steps" / "01_A.json").write_text(json.dumps([step]), encoding="utf-8")
    for command in (("evidence", "--json"), ("run", "-m", one.model, "--out", tmp_path / "out", "--json")):
        for more in ((), ("--no-redact",)):
            given = (*more, "--fresh") if command[0] == "run" else more
            ran = judge(
                command[0], one.tasks, "-w", one.workspaces, "--trajectories", tmp_path / "steps", *command[1:], *given
            )
            assert ran.code == 0, ran.err
            stored = "".join(item.read_text(encoding="utf-8") for item in (tmp_path / "out").glob("evidence/*.json"))
            assert (token in (ran.out if command[0] == "evidence" else stored)) is bool(more), command


def test_what_ocr_reads_is_kept_only_with_the_cache(tmp_path: Path) -> None:
    from dataclasses import replace

    from judge.cli.choose import writings_of
    from judge.config import Settings

    settings = Settings(cache_home=tmp_path)
    assert writings_of(settings) == tmp_path / "writing"
    assert writings_of(replace(settings, cache=False)) is None and writings_of(Settings()) is None


def test_python_that_does_not_parse_is_said(judge: Judge, one: Lab) -> None:
    root = one.workspaces / "01_A"
    (root / "src" / "main.py").write_text("import os\ndef f(:\n    pass\n", encoding="utf-8")
    said = "does not parse: line 2: invalid syntax"
    ran = judge("evidence", "-w", root, "--read", "src/main.py")
    assert ran.out.splitlines()[:2] == ["src/main.py: py, code, with problems", f"[py; {said}]"]
    ran = judge("evidence", "-w", root, "--read", "src/main.py", "--json")
    assert ran.json()["problems"] == [said] and ran.json()["state"] == "sound"
    ran = judge("evidence", one.tasks, "-w", one.workspaces, "-r", 1, "--json")
    assert [item["problems"] for item in ran.json()[0]["evidence"] if item["module"] == "read"] == [[said]]
    (root / "src" / "main.py").write_text("x = '\\d'  # a warning of the compiler is no problem\n", encoding="utf-8")
    ran = judge("evidence", "-w", root, "--read", "src/main.py")
    assert ran.out.startswith("src/main.py: py, code, sound\nx = ")


def test_evidence_of_an_empty_workspace(judge: Judge, one: Lab, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    ran = judge("evidence", one.tasks, "-w", tmp_path / "empty")
    assert ran.code == 2 and "the folder is empty" in ran.err and ran.err.count("\n") == 1
