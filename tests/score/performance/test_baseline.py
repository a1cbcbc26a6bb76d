"""Stored baselines: ratios that go stale instead of lying."""

import json
from pathlib import Path

import pytest

from judge.errors import InputError
from judge.results.score import Interval
from judge.score.performance.baseline import (
    Baseline,
    load_baseline,
    python_minor,
    staleness,
    suite_hash,
    write_baseline,
)
from judge.score.suite.model import LoadedSuite, Suite

DATA = {
    "schema": 1,
    "problem": "double",
    "target": {"entry": "double"},
    "reference": {"file": "reference.py"},
    "performance": {"inputs": {"file": "gen.py", "func": "make", "size": 100}, "baseline": "baseline.json"},
}


def loaded(tmp_path: Path, *, reference: bytes = b"def double(x): return 2 * x\n", **more: object) -> LoadedSuite:
    data = {**DATA, **more}
    if data.get("reference") is None:
        data.pop("reference")
    return LoadedSuite(
        suite=Suite.model_validate(data),
        path=tmp_path / "suite.yaml",
        files={"reference.py": reference, "gen.py": b"def make(size, seed): return [seed]\n"},
        digest="0" * 64,
    )


def baseline(suite: LoadedSuite, **more: object) -> Baseline:
    ratio = Interval(median=1.5, low=1.4, high=1.6, confidence=0.979)
    values: dict[str, object] = {
        "problem": "double",
        "ruler": "reference",
        "cpu": ratio,
        "wall": ratio,
        "iterations": 10,
        "loops": 12,
        "seed": 3,
        "size": 100,
        "suite_hash": suite_hash(suite, "reference"),
        "solution_hash": "1" * 64,
        "python": python_minor(),
    }
    return Baseline.model_validate({**values, **more})


def test_what_is_written_is_read(tmp_path: Path) -> None:
    made = baseline(loaded(tmp_path))
    write_baseline(made, tmp_path / "baseline.json")
    assert load_baseline(tmp_path / "baseline.json") == made
    assert json.loads((tmp_path / "baseline.json").read_text("utf-8"))["schema_version"] == 1
    assert [path.name for path in tmp_path.iterdir()] == ["baseline.json"]


def test_a_fresh_one_is_not_stale(tmp_path: Path) -> None:
    suite = loaded(tmp_path)
    assert staleness(baseline(suite), suite) == ""


@pytest.mark.parametrize(
    "change",
    [
        {"reference": b"def double(x): return x + x\n"},
        {"performance": {"inputs": {"file": "gen.py", "func": "make", "size": 101}}},
        {"target": {"entry": "twice"}},
        {"problem": "triple"},
    ],
)
def test_a_change_of_what_is_timed_makes_it_stale(tmp_path: Path, change: dict[str, object]) -> None:
    made = baseline(loaded(tmp_path))
    assert staleness(made, loaded(tmp_path, **change))  # type: ignore[arg-type]


def test_a_change_of_anything_else_does_not(tmp_path: Path) -> None:
    made = baseline(loaded(tmp_path))
    changed = loaded(tmp_path, title="Doubling", cases=[{"args": [1], "expected": 2}])
    assert staleness(made, changed) == ""


def test_another_python_makes_it_stale(tmp_path: Path) -> None:
    suite = loaded(tmp_path)
    assert "Python 3.1" in staleness(baseline(suite, python="3.1"), suite)


def test_kernels_give_way_to_a_reference(tmp_path: Path) -> None:
    suite = loaded(tmp_path)
    weak = baseline(suite, ruler="calibration", suite_hash=suite_hash(suite, "calibration"))
    assert "reference" in staleness(weak, suite)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"schema_version": 1}', "\x00", '{"schema_version": 2, "problem": "x"}', "1" * 20, '"' + "x" * 99],
)
def test_what_is_no_baseline_is_said_with_its_place(tmp_path: Path, text: str) -> None:
    path = tmp_path / "baseline.json"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match="no baseline"):
        load_baseline(path)


@pytest.mark.parametrize("ratio", [(0.0, 1.0, 2.0), (-1.0, 1.0, 2.0), (2.0, 1.0, 3.0), (1.0, 2.0, 1.5)])
def test_no_interval_is_no_baseline(tmp_path: Path, ratio: tuple[float, float, float]) -> None:
    low, median, high = ratio
    made = baseline(loaded(tmp_path), cpu=Interval(median=median, low=low, high=high, confidence=0.9))
    write_baseline(made, tmp_path / "baseline.json")
    with pytest.raises(InputError, match="cpu is no interval"):
        load_baseline(tmp_path / "baseline.json")


def test_a_missing_file_and_a_folder_are_said(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(InputError, match="cannot be read"):
            load_baseline(path)
    with pytest.raises(InputError, match="cannot be written"):
        write_baseline(baseline(loaded(tmp_path)), tmp_path / "no" / "folder.json")
