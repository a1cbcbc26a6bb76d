from __future__ import annotations

import base64
import gzip
import json
import os
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.errors import InputError
from judge.trajectories import clean, detect_format, find_trajectories, load_trajectory
from judge.trajectories.formats import FORMATS

NAME = "39_Drug_Response_Prediction_SVM_GDSC_ML"


def step(number: Any, **changes: Any) -> dict[str, Any]:
    usage = {"input_tokens": 5, "output_tokens": 2, "model": "m", "cost": 0.5}
    usage |= {"llm_inference_time": 1.0, "step_execution_time": 2.0}
    base = {
        "step": number,
        "user_message": None,
        "agent": {"thought": "t", "action": "ls", "agent_name": "a"},
        "environment": "out",
        "step_usage": usage,
        "accumulated_usage": {"accumulated_cost": 1, "accumulated_time": 1},
    }
    return base | changes


def put(path: Path, value: Any) -> Path:
    path.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())
    return path


def test_the_official_trajectory_is_read(shared_dir: Path) -> None:
    found = find_trajectories(shared_dir / "devai" / "trajectories" / "OpenHands", [NAME, "other"])
    assert list(found) == [NAME]
    trajectory = load_trajectory(found[NAME])
    assert (trajectory.name, trajectory.format, len(trajectory.steps)) == (NAME, "devai", 34)
    assert trajectory.problems == ()
    assert sum(s.usage.cost or 0 for s in trajectory.steps) == pytest.approx(2.607315)
    assert "[image/png, " in (trajectory.steps[20].environment or "")
    assert max(len(s.environment or "") for s in trajectory.steps) < 40_000
    assert all("\x1b" not in (s.environment or "") for s in trajectory.steps)


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
@pytest.mark.parametrize(
    "encode",
    [
        str.encode,
        lambda s: b"\xef\xbb\xbf" + s.replace("\n", "\r\n").encode(),
        lambda s: s.encode("utf-16"),
        lambda s: s.encode("utf-16-be"),
    ],
)
def test_encodings_and_compression_are_read(tmp_path: Path, encode: Any, compress: Any) -> None:
    data = [step(0, environment="é"), step(1)]
    path = put(tmp_path / "a.json", compress(encode(json.dumps(data, indent=1, ensure_ascii=False))))
    trajectory = load_trajectory(path)
    assert [s.step for s in trajectory.steps] == [0, 1]
    assert trajectory.steps[0].environment == "é"
    assert trajectory.problems == ()


def test_one_step_a_line_is_read(tmp_path: Path) -> None:
    path = put(tmp_path / "a.jsonl", "\n".join(json.dumps(step(i)) for i in range(3)).encode())
    assert len(load_trajectory(path).steps) == 3


def test_what_parses_of_a_cut_file_is_kept(tmp_path: Path) -> None:
    text = json.dumps([step(i) for i in range(4)]).encode()
    for cut in range(len(text) // 2, len(text) - 1, 37):
        trajectory = load_trajectory(put(tmp_path / "a.json", text[:cut]))
        assert [s.step for s in trajectory.steps] == list(range(len(trajectory.steps)))
        assert len(trajectory.steps) >= 1
        assert trajectory.problems and "line 1, column" in trajectory.problems[0]
    packed = put(tmp_path / "b.json.gz", gzip.compress(os.urandom(0) + text)[:-20])
    assert load_trajectory(packed).problems


def test_a_syntax_error_keeps_the_steps_before_it(tmp_path: Path) -> None:
    text = json.dumps([step(0), step(1), step(2)], indent=1).replace('"step": 2', '"step" 2')
    trajectory = load_trajectory(put(tmp_path / "a.json", text.encode()))
    assert len(trajectory.steps) == 2
    assert "delimiter" in trajectory.problems[0]


def test_unknown_usage_is_none_and_never_zero(tmp_path: Path) -> None:
    bare = step(0)
    del bare["step_usage"]
    odd = step(1, step_usage={"cost": float("nan"), "input_tokens": -1, "output_tokens": "5", "model": ""})
    marked = step(2, usage_known={"cost": False, "tokens": True})
    trajectory = load_trajectory(put(tmp_path / "a.json", [bare, odd, marked, step(3)]))
    for item in trajectory.steps[:2]:
        assert item.usage.cost is item.usage.input_tokens is item.usage.output_tokens is item.usage.model is None
    assert trajectory.steps[2].usage.cost is None and trajectory.steps[2].usage.input_tokens == 5
    assert trajectory.steps[3].usage.cost == 0.5
    assert len(trajectory.problems) == 3
    json.dumps(trajectory.model_dump(mode="json"), allow_nan=False)


def test_wrong_fields_are_repaired_and_listed(tmp_path: Path) -> None:
    data = [
        step("x", agent={"thought": None, "action": {"cmd": ["ls"]}}),
        7,
        step(2, agent=None, environment=["a"], user_message="\ud800"),
        step(2),
    ]
    trajectory = load_trajectory(put(tmp_path / "a.json", data), format="devai")
    assert [s.step for s in trajectory.steps] == [0, 2, 2]
    assert '"cmd"' in (trajectory.steps[0].action or "")
    assert trajectory.steps[0].thought == ""
    assert any("$[1]" in p for p in trajectory.problems)
    assert any("given twice" in p for p in trajectory.problems)
    trajectory.model_dump_json()


@pytest.mark.parametrize(
    "content",
    [b"", b"{}", b'{"a": 1}', b"hello", b"[1, 2]", b"\x00\x01", b'[{"role": "user"}]', b"[" * 100_000, b"{" * 9],
)
def test_other_content_is_no_known_format(tmp_path: Path, content: bytes) -> None:
    path = put(tmp_path / "a.json", content)
    assert detect_format(path) is None
    with pytest.raises(InputError, match="no known trajectory format"):
        load_trajectory(path)
    with pytest.raises(InputError):
        load_trajectory(path, format="devai")


def test_unreadable_places_are_an_error(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    for path in (tmp_path / "missing.json", tmp_path, tmp_path / "pipe.json", Path("a\0b")):
        with pytest.raises(InputError):
            load_trajectory(path)
    with pytest.raises(InputError, match="known: devai, "):
        load_trajectory(put(tmp_path / "a.json", [step(0)]), format="nope")


def test_an_empty_list_has_no_steps(tmp_path: Path) -> None:
    # It may have been meant as a list of anything, so it is no trajectory of any format.
    path = put(tmp_path / "a.json", b" [ ] ")
    with pytest.raises(InputError, match="empty or unreadable list"):
        load_trajectory(path)
    with pytest.raises(InputError, match="holds no steps"):
        load_trajectory(path, format="devai")


def test_formats_have_unique_names_and_do_not_claim_each_other() -> None:
    assert len({item.name for item in FORMATS}) == len(FORMATS)


def test_trajectories_are_found_by_stem_or_in_a_folder(tmp_path: Path) -> None:
    put(tmp_path / "a.json", [step(0)])
    put(tmp_path / "v1.2.jsonl", step(0))
    put(tmp_path / "c.json.gz", gzip.compress(json.dumps([step(0)]).encode()))
    for name in ("d", "e", "f", "g"):
        (tmp_path / name).mkdir()
    put(tmp_path / "d" / "trajectory.json", [step(0)])
    put(tmp_path / "e" / "whatever.json", [step(0)])
    put(tmp_path / "f" / "steps.json", [step(0)])
    put(tmp_path / "f" / "config.json", {"a": 1})
    put(tmp_path / "g" / "one.json", [step(0)])
    put(tmp_path / "g" / "two.json", [step(0)])
    found = find_trajectories(tmp_path, ["a", "v1.2", "c", "d", "e", "f", "g", "h"])
    assert {name: path.name for name, path in found.items()} == {
        "a": "a.json",
        "v1.2": "v1.2.jsonl",
        "c": "c.json.gz",
        "d": "trajectory.json",
        "e": "whatever.json",
        "f": "steps.json",
    }
    assert find_trajectories(tmp_path / "a.json", ["x"]) == {"x": tmp_path / "a.json"}
    assert find_trajectories(tmp_path / "a.json", ["x", "a"]) == {"a": tmp_path / "a.json"}
    with pytest.raises(InputError):
        find_trajectories(tmp_path / "missing", ["a"])


def test_console_text_is_cleaned() -> None:
    png = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 30).decode()
    assert clean(f"![i](data:image/png;base64,{png})") == "![i]([image/png, 7688 bytes])"
    assert clean(f"raw {png} end") == "raw [image/png, 7688 bytes] end"
    assert clean("\x1b[31mred\x1b[0m \x1b]0;title\x07x") == "red x"
    assert clean(" 10%|█\r 50%|█\r100%|█| 5/5\nTraceback\r\n") == "100%|█| 5/5\nTraceback\n"
    assert clean("first\rsecond") == "first\nsecond"
    assert clean("a" * 2000) == "a" * 2000
    assert clean("0123456789abcdef" * 100) == "0123456789abcdef" * 100
    assert "characters cut" in clean("ab " * 400_000)


@given(st.text(max_size=300))
def test_cleaning_never_fails_and_leaves_text_that_can_be_sent(text: str) -> None:
    cleaned = clean(text)
    cleaned.encode("utf-8")
    assert "\x1b" not in cleaned and "\0" not in cleaned


@pytest.mark.slow
def test_a_large_file_is_read_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "big.json"
    blob = base64.b64encode(os.urandom(300_000)).decode()
    line = json.dumps(step(0, environment=f"data:image/png;base64,{blob}"))
    with path.open("w", encoding="utf-8") as out:
        out.write("[" + ",".join([line] * 150) + "]")
    assert path.stat().st_size > 60_000_000
    tracemalloc.start()
    trajectory = load_trajectory(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(trajectory.steps) == 150
    assert peak < 30_000_000


def test_a_gzip_bomb_is_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "a.json.gz"
    path.write_bytes(gzip.compress(b"[" + b" " * (200 << 20)))
    started = time.process_time()
    with pytest.raises(InputError):
        load_trajectory(path)
    assert time.process_time() - started < 10


def test_a_folder_with_one_file_is_that_file(tmp_path: Path) -> None:
    sample = next((Path(__file__).resolve().parents[2] / "trajectories" / "samples" / "aider").iterdir())
    folder = tmp_path / "only"
    folder.mkdir()
    (folder / sample.name).write_bytes(sample.read_bytes())
    assert load_trajectory(folder).format == load_trajectory(sample).format == "aider"
    (folder / "second.md").write_text("no trajectory\n", encoding="utf-8")
    with pytest.raises(InputError, match="no known trajectory format"):
        load_trajectory(folder)
