"""Which model is asked, where, and who said so; what is not there is refused at once."""

from __future__ import annotations

import json
import socket
import time
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from judge.cli.lazy import COMMANDS

Judge = Any
Lab = Any


@pytest.fixture
def one(lab: Lab) -> Any:
    lab.add("01_A", [[], [0]])
    return lab


@pytest.fixture
def closed() -> str:
    """An address on this machine where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return f"http://127.0.0.1:{taken.getsockname()[1]}/v1"


def run(judge: Judge, lab: Lab, *more: object) -> Any:
    return judge("run", lab.tasks, "--workspace", lab.workspaces, *more)


def lines_with(text: str, word: str) -> list[str]:
    return [line for line in text.splitlines() if word in line]


def test_a_run_names_its_model_and_who_chose_it(
    judge: Judge, one: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toml = tmp_path / "judge.toml"  # in the folder above the current one
    toml.write_text(f'model = "{one.model}"\n', encoding="utf-8")
    (line,) = lines_with(run(judge, one).err, "judge: model ")
    assert one.model in line and f"from {toml}" in line
    monkeypatch.setenv("JUDGE_MODEL", one.model)
    assert "(from JUDGE_MODEL)" in run(judge, one, "--json").err
    assert "(from --model)" in run(judge, one, "--model", one.model).err
    assert "model scripted" not in run(judge, one, "--judge", "rules").err


@pytest.mark.parametrize(
    ("toml", "environ", "flags", "server"),
    [
        ('model = "openai:m"\nbase_url = "URL"', {}, (), "judge.toml"),
        ('model = "openai:m"', {"JUDGE_BASE_URL": "URL"}, (), "JUDGE_BASE_URL"),
        ('model = "anthropic:m"', {"ANTHROPIC_BASE_URL": "URL"}, (), "ANTHROPIC_BASE_URL"),
        ('model = "openai:m"', {"JUDGE_BASE_URL": "http://other"}, ("--base-url", "URL"), "--base-url"),
        ('model = "openai-compatible:lab/m"\n[servers.lab]\nbase_url = "URL"', {}, (), "judge.toml"),
    ],
)
def test_a_server_that_is_not_the_providers_own_is_named(
    judge: Judge,
    one: Lab,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    closed: str,
    toml: str,
    environ: dict[str, str],
    flags: tuple[str, ...],
    server: str,
) -> None:
    (tmp_path / "judge.toml").write_text(f"max_retries = 0\n{toml}".replace("URL", closed), encoding="utf-8")
    for name, value in environ.items():
        monkeypatch.setenv(name, value.replace("URL", closed))
    given = tuple(item.replace("URL", closed) for item in flags)
    (line,) = lines_with(run(judge, one, *given).err, "judge: model ")
    assert f"judge.toml) at {closed} (from " in line and line.endswith(f"{server})")
    (line,) = lines_with(judge("doctor", *given).out, closed)
    assert f"{server})" in line


def test_ask_names_its_model_too(judge: Judge, one: Lab, tmp_path: Path) -> None:
    (tmp_path / "judge.toml").write_text(f'model = "{one.model}"', encoding="utf-8")
    ran = judge("ask", "What?", "-w", one.workspaces / "01_A")
    assert f"judge: model {one.model} (from {tmp_path / 'judge.toml'})" in ran.err


def test_a_password_in_an_address_is_not_shown(judge: Judge, one: Lab) -> None:
    ran = judge("doctor", "-m", "openai:m", "--base-url", "http://bob:secretpw@127.0.0.1:1/v1")
    assert "http://127.0.0.1:1/v1" in ran.out and "secretpw" not in ran.out + ran.err


def test_a_server_without_a_model_is_an_error_as_option_and_a_warning_elsewhere(
    judge: Judge, one: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = run(judge, one, "--base-url", "http://127.0.0.1:1/v1")
    assert ran.code == 2 and len(ran.err.splitlines()) == 1
    assert ran.err.startswith("judge: error: --base-url: needs a model")
    assert not Path("runs").exists()
    monkeypatch.setenv("JUDGE_BASE_URL", "http://127.0.0.1:1/v1")
    ran = run(judge, one)
    assert ran.code == 0
    (line,) = lines_with(ran.err, "JUDGE_BASE_URL")
    assert "warning" in line and "no model" in line
    assert "JUDGE_BASE_URL" not in run(judge, one, "--judge", "rules").err
    assert "JUDGE_BASE_URL" in judge("doctor").out
    monkeypatch.delenv("JUDGE_BASE_URL")
    (tmp_path / "judge.toml").write_text('base_url = "http://127.0.0.1:1/v1"', encoding="utf-8")
    assert str(tmp_path / "judge.toml") in "".join(lines_with(run(judge, one).err, "warning"))


def test_a_server_that_is_not_running_ends_the_run_soon(judge: Judge, lab: Lab, closed: str) -> None:
    lab.add("01_A", [[] for _ in range(60)])
    begin = time.monotonic()
    ran = run(judge, lab, "--model", "openai:m", "--base-url", closed, "--json")
    assert ran.code == 3 and time.monotonic() - begin < 20
    verdicts = ran.json()["tasks"][0]["verdicts"]
    assert {item["verdict"] for item in verdicts} == {"ERROR"} and len(verdicts) == 60
    assert all(f"cannot connect to {closed}: is the server running?" in item["error"] for item in verdicts)
    assert sum("not asked" in item["error"] for item in verdicts) > 30


@pytest.mark.parametrize(
    ("arguments", "toml"),
    [
        (("--modules", "graph,serch"), ""),
        (("--modules", "memry"), ""),
        ((), 'modules = ["plannin"]'),
    ],
)
def test_unknown_modules_are_refused_once_and_early(
    judge: Judge, one: Lab, tmp_path: Path, arguments: tuple[str, ...], toml: str
) -> None:
    (tmp_path / "judge.toml").write_text(toml, encoding="utf-8")
    ran = judge("run", tmp_path / "no-such-task.json", "-w", one.workspaces, *arguments)
    assert ran.code == 2 and len(ran.err.splitlines()) == 1
    assert "is none" in ran.err and (arguments[0] if arguments else "judge.toml") in ran.err


def test_doctor_asks_the_distribution_what_it_needs(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    needed = [
        'no-such-package-1>=1; extra == "more"',
        'no-such-package-2; python_version < "3"',
        "pytest>=1",
        "ruff==0",
    ]
    monkeypatch.setattr(metadata, "requires", lambda name: needed if name == "judge" else None)
    ran = judge("doctor", "--json")
    found = {item["name"]: item for item in ran.json()["checks"]}
    assert "pytest " in found["packages"]["detail"] and "missing packages" not in found
    assert "ruff" in found["wrong versions"]["detail"] and ran.code == 2
    needed[:] = ["No.Such_Package>=2 ; python_version >= '3'"]
    ran = judge("doctor", "--json")
    missing = next(item for item in ran.json()["checks"] if item["name"] == "missing packages")
    assert ran.code == 2 and missing["state"] == "broken" and "No.Such_Package" in missing["detail"]


def test_doctor_without_a_distribution_says_so_and_is_not_broken(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(name: str) -> None:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", none)
    ran = judge("doctor", "--json")
    packages = next(item for item in ran.json()["checks"] if item["name"] == "packages")
    assert ran.code == 0 and packages["state"] == "note" and "not installed" in packages["detail"]


def test_the_help_names_every_kind_of_model(judge: Judge) -> None:
    for command in ("run", "ask", "evidence", "doctor"):
        text = judge(command, "--help").out
        for kind in ("openai:MODEL", "anthropic:MODEL", "openai-compatible:SERVER/MODEL", "scripted:FILE"):
            assert kind in text, (command, kind)


@pytest.mark.parametrize("command", [*(name.split() for name in COMMANDS), ["devai", "fetch"]])
def test_help_texts_hold_no_type_names_of_the_implementation(judge: Judge, command: list[str]) -> None:
    text = judge(*command, "--help").out
    options = text.partition("Options:")[2]
    assert "<str>" not in options and "<path>" not in options and "list[" not in options
    assert json.dumps(text).count("\\n") > 5


def test_details_show_every_verdict_and_a_hint_says_how(judge: Judge, one: Lab, tmp_path: Path) -> None:
    one.add("02_B", [[]])
    one.answer(("02_B", 0, {"verdict": "UNSATISFIED", "reason": "it is nowhere"}))
    out = ("--model", one.model, "--out", tmp_path / "out")
    ran = run(judge, one, *out)
    assert "it is nowhere" not in ran.out
    (hint,) = lines_with(ran.err, "--details")
    assert str(tmp_path / "out" / "judgments") in hint
    ran = run(judge, one, *out, "--details")
    assert ran.code == 0 and not lines_with(ran.err, "--details")
    first, second = ran.out.index("== 01_A"), ran.out.index("== 02_B")
    reason = ran.out.index("it is nowhere")
    assert first < ran.out.index(one.criterion("01_A", 1)) < second < ran.out.index(one.criterion("02_B", 0)) < reason
    assert "UNSATISFIED" in ran.out[second:reason]
    plain = run(judge, one, *out, "--json")
    assert plain.json() == run(judge, one, *out, "--json", "--details").json()
    assert not lines_with(plain.err, "--details")
    single = run(judge, one, *out, "--only", "02_B")
    assert "it is nowhere" in single.out and "== 02_B" not in single.out and not lines_with(single.err, "--details")


def test_a_continued_run_counts_what_was_there_before(judge: Judge, one: Lab, tmp_path: Path) -> None:
    one.add("02_B", [[]])
    out = ("--model", one.model, "--out", tmp_path / "out")
    one.answer(("01_A", 0, {"verdict": "UNSATISFIED"}), ("02_B", 0, {"status": 400, "message": "bad"}))
    run(judge, one, *out)
    one.answer()
    ran = run(judge, one, *out)
    assert "2/2 tasks, 3/3 requirements (2 from before), 2 satisfied, 1 unsatisfied, 0 error" in ran.err
    ran = run(judge, one, *out)
    assert "3/3 requirements (3 from before), 2 satisfied, 1 unsatisfied, 0 error" in ran.err


def test_the_hint_for_a_missing_key_fits_the_command(judge: Judge, one: Lab) -> None:
    asked = judge("ask", "Why?", "--workspace", one.workspaces / "01_A", "--model", "openai:gpt-5")
    assert asked.code == 2
    assert "OPENAI_API_KEY" in asked.err
    assert "--judge" not in asked.err
    assert "--judge rules" in run(judge, one, "--model", "openai:gpt-5").err


@pytest.mark.parametrize(("spec", "full"), [("gpt-5", "openai:gpt-5"), ("claude-x", "anthropic:claude-x")])
def test_a_model_without_provider_gets_a_suggestion(judge: Judge, one: Lab, spec: str, full: str) -> None:
    ran = run(judge, one, "--model", spec)
    assert ran.code == 2
    assert f"such as {full};" in ran.err


def test_each_broken_file_is_named_when_nothing_can_be_judged(judge: Judge, one: Lab, tmp_path: Path) -> None:
    folder = tmp_path / "broken"
    folder.mkdir()
    for name in ("01_A", "02_B"):
        (folder / f"{name}.json").write_text(json.dumps({"name": name, "query": "q", "requirements": 3}))
    ran = judge("run", folder, "--workspace", one.workspaces)
    assert ran.code == 2
    assert all(len(lines_with(ran.err, f"{name}.json: $")) == 1 for name in ("01_A", "02_B"))
    assert "none of 2 tasks" in ran.err


def test_the_table_has_notes_only_when_there_are_some(judge: Judge, one: Lab) -> None:
    assert "notes" not in run(judge, one).out
    one.add("02_B", [[]])
    (one.tasks / "03_C.json").write_text(json.dumps({"name": "03_C", "query": "q", "requirements": 3}))
    assert "notes" in run(judge, one, "--fresh").out
