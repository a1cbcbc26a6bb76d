from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from typer.testing import CliRunner, Result

from judge.cli.trajectory import app, parse_steps
from judge.errors import InputError, JudgeError
from judge.trajectories import load_trajectory, trajectory_schema

SAMPLES = Path(__file__).resolve().parents[2] / "trajectories" / "samples"
CODEX = SAMPLES / "codex" / "rollout-2026-03-02T09-00-00.jsonl"
OPENAI = SAMPLES / "openai" / "messages.json"


def call(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_detect_names_the_format_and_why() -> None:
    result = call("detect", CODEX, SAMPLES / "cline" / "1772442000000")
    assert result.exit_code == 0
    assert "codex (95% sure: records of the type session_meta" in result.stdout
    assert "cline (95% sure: a task's folder" in result.stdout


def test_detect_refuses_what_it_does_not_know(tmp_path: Path) -> None:
    for name, content in (("a.json", '{"a": 1}'), ("b.json", ""), ("c.json", "[]"), ("d.txt", "hello")):
        (tmp_path / name).write_text(content)
    result = call("detect", CODEX, *sorted(tmp_path.iterdir()), "--json")
    assert result.exit_code == 2
    rows = json.loads(result.stdout)
    assert [row["format"] for row in rows] == ["codex", None, None, None, None]
    assert all("compared with: devai, " in row["problem"] for row in rows[1:])
    assert "the file is empty" in rows[2]["problem"]


def test_detect_lists_the_candidates_of_an_ambiguous_file(tmp_path: Path) -> None:
    both = [{"type": "thread.started", "thread_id": "1"}, {"type": "session_meta", "payload": {"id": "1"}}]
    (tmp_path / "a.jsonl").write_text("\n".join(json.dumps(record) for record in both))
    result = call("detect", tmp_path / "a.jsonl")
    assert result.exit_code == 2
    assert "can be several formats: codex (" in result.stdout and "codex-exec (" in result.stdout
    with pytest.raises(InputError, match="--format names one"):
        load_trajectory(tmp_path / "a.jsonl")
    # Nothing in it makes a step, so that even the forced format refuses it.
    with pytest.raises(InputError, match="cannot be read as codex: "):
        load_trajectory(tmp_path / "a.jsonl", "codex")


def test_convert_writes_valid_json_once(tmp_path: Path) -> None:
    out = tmp_path / "new" / "a.json"
    assert call("convert", CODEX, "-o", out).exit_code == 0
    before = out.read_bytes()
    jsonschema.validate(json.loads(before), trajectory_schema())
    again = call("convert", OPENAI, "-o", out)
    assert isinstance(again.exception, JudgeError) and "--force" in str(again.exception)
    assert out.read_bytes() == before
    assert call("convert", OPENAI, "-o", out, "--force").exit_code == 0
    assert out.read_bytes() != before
    assert os.listdir(out.parent) == ["a.json"]


def test_convert_prints_one_result_and_writes_several(tmp_path: Path) -> None:
    printed = call("convert", OPENAI)
    assert len(json.loads(printed.stdout)) == 6
    many = call("convert", OPENAI, CODEX)
    assert isinstance(many.exception, JudgeError) and "-o converted/" in str(many.exception)
    assert call("convert", OPENAI, CODEX, "-o", tmp_path / "out").exit_code == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "messages.json",
        "rollout-2026-03-02T09-00-00.json",
    ]


def conversation(text: str, **more: Any) -> dict[str, Any]:
    return more | {"messages": [{"role": "user", "content": text}, {"role": "assistant", "content": f"did {text}"}]}


def test_several_trajectories_in_one_file(tmp_path: Path) -> None:
    names = ["one", "../../two", "one", "a b/c"]
    path = tmp_path / "all.jsonl"
    path.write_text("\n".join(json.dumps(conversation(n, id=n)) for n in names))
    assert isinstance(call("convert", path).exception, JudgeError)
    assert call("convert", path, "-o", tmp_path / "out").exit_code == 0
    assert sorted(os.listdir(tmp_path / "out")) == ["a_b_c.json", "one-2.json", "one.json", "two.json"]
    with pytest.raises(InputError, match=r"holds 4 trajectories.*it holds one, "):
        load_trajectory(path)
    assert load_trajectory(Path(f"{path}#../../two")).steps[0].user_message == "../../two"
    with pytest.raises(InputError, match='holds no trajectory "nine"'):
        load_trajectory(Path(f"{path}#nine"))


def test_show_summarises() -> None:
    text = call("show", CODEX, "--report", "--steps", "1-1").stdout
    for part in ("codex", "6 (1 prompt, 5 actions, 5 results)", "apply_patch 2", "14,400 in (stated)", "not recorded"):
        assert part in text
    assert "src/advice.py: ModuleNotFoundError" in text
    assert "results/summary.txt" in text
    assert "event agent_reasoning 1" in text
    assert "[step 1]" in text and "[step 2]" not in text


def test_secrets_are_masked_unless_asked_for(tmp_path: Path) -> None:
    told = "mail mjones@uni.edu, key ghp_" + "a1B2" * 9 + ", see /home/mjones/x.py and C:\\Users\\mjones\\x.py"
    (tmp_path / "a.json").write_text(json.dumps(conversation(told)))
    masked = call("show", tmp_path / "a.json", "--steps", "0-0", "--report").stdout
    assert "mjones" not in masked and "ghp_" not in masked
    assert "/home/user/x.py" in masked and "[redacted:email]" in masked and "email 2, github-token 2, home 4" in masked
    assert call("show", tmp_path / "a.json", "--steps", "0-0", "--no-redact").stdout.count("mjones") == 6
    call("convert", tmp_path / "a.json", "-o", tmp_path / "b.json")
    assert "mjones" not in (tmp_path / "b.json").read_text()


def test_show_prints_json() -> None:
    (row,) = json.loads(call("show", CODEX, "--json", "--report", "--steps", "0-1").stdout)
    assert row["usage"]["cost"] == {"value": None, "source": "not recorded"}
    assert row["usage"]["input_tokens"] == {"value": 14400, "source": "stated"}
    assert row["files"]["ran"] == ["src/advice.py"]
    assert len(row["trajectory"]) == 2 and row["report"]["used"]["session_meta"] == 1


@pytest.mark.parametrize(("text", "expected"), [("3", (3, 3)), ("3-7", (3, 7)), ("-7", (0, 7)), ("3-", (3, 10**9))])
def test_ranges(text: str, expected: tuple[int, int]) -> None:
    assert parse_steps(text) == expected


@pytest.mark.parametrize("text", ["", "-", "x", "7-3", "1-2-3", "1,2"])
def test_what_is_no_range(text: str) -> None:
    with pytest.raises(InputError, match="no range"):
        parse_steps(text)


def test_a_format_is_forced() -> None:
    assert call("show", OPENAI, "--format", "anthropic").exit_code == 0
    refused = call("show", OPENAI, "--format", "aider")
    assert isinstance(refused.exception, JudgeError) and "cannot be read as aider" in str(refused.exception)
    unknown = call("show", OPENAI, "--format", "nope")
    assert "known: devai, " in str(unknown.exception)


def test_one_bad_file_among_several_does_not_stop_the_others(tmp_path: Path) -> None:
    good = tmp_path / "good.jsonl"
    talk = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
    good.write_text("".join(json.dumps({"messages": talk}) + "\n" for _ in range(2)))
    bad = tmp_path / "bad.json"
    bad.write_text("[]")
    out = tmp_path / "out"
    result = call("convert", bad, good, "-o", out)
    assert result.exit_code == 2
    assert "bad.json" in result.stderr
    assert "1 of 2 files" in result.stderr
    assert sorted(path.name for path in out.iterdir()) == ["good-0.json", "good-1.json"]
    shown = call("show", "--json", bad, good)
    assert shown.exit_code == 2
    assert [row.get("problem", "")[-1:] for row in json.loads(shown.stdout)] == ["", "", ")"]
