"""Damaged files of every format: a warning or an error of one line, never anything else."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.errors import InputError
from judge.trajectories import Converted, Source, convert, detect
from judge.trajectories.formats import FORMATS
from judge.trajectories.sample import Sample
from judge.trajectories.write import devai_steps

FOLDER = Path(__file__).resolve().parents[2] / "trajectories" / "samples"
FILES = sorted(path for path in FOLDER.rglob("*") if path.is_file() and path.stat().st_size > 200)
TEXTS = [path for path in FILES if b"\0" not in path.read_bytes()[:4096]]
LINES = [path for path in TEXTS if path.suffix == ".jsonl"]
CASES = [pytest.param(path, id=str(path.relative_to(FOLDER))) for path in FILES]
TEXT_CASES = [pytest.param(path, id=str(path.relative_to(FOLDER))) for path in TEXTS]
LINE_CASES = [pytest.param(path, id=str(path.relative_to(FOLDER))) for path in LINES]
CUTS = 60


def read(path: Path, format_name: str | None = None) -> list[Converted] | None:
    """What a file gives; None when it is refused, in one line."""
    try:
        items = list(convert(path, format_name))
    except InputError as error:
        assert "\n" not in str(error)
        assert "unexpected content" not in str(error)
        return None
    for item in items:
        json.dumps(list(devai_steps(item.trajectory)), allow_nan=False)
        json.dumps(item.report.as_json(), allow_nan=False)
    return items


def shape(items: list[Converted] | None) -> list[list[tuple[str | None, str | None, str | None]]]:
    return [[(s.user_message, s.action, s.environment) for s in item.trajectory.steps] for item in items or []]


def name_of(path: Path) -> str | None:
    sample = Sample(Source.open(path))
    for item in FORMATS:
        item.sniff(sample)
    found = detect(path)
    return found[0].format.name if found else None


@pytest.mark.parametrize("path", CASES)
def test_cut_files_give_what_stands_before_the_cut_or_are_refused(path: Path, tmp_path: Path) -> None:
    data = path.read_bytes()
    name = name_of(path)
    whole = sum(len(item.trajectory.steps) for item in read(path) or [])
    target = tmp_path / "cut.json"
    for at in sorted({*range(0, len(data), max(1, len(data) // CUTS)), 1, 2, len(data) - 1, len(data) - 2}):
        target.write_bytes(data[:at])
        for forced in (None, name):
            items = read(target, forced)
            if items:
                steps = sum(len(item.trajectory.steps) for item in items)
                assert steps <= whole + 1


@pytest.mark.parametrize("path", LINE_CASES)
def test_a_cut_last_line_is_one_warning(path: Path, tmp_path: Path) -> None:
    if name_of(path) is None or len(path.read_bytes().splitlines()) < 3:
        pytest.skip("not a trajectory of its own")
    data = path.read_bytes().rstrip(b"\n")
    target = tmp_path / "cut.jsonl"
    target.write_bytes(data[: data.rindex(b"\n") + 20])
    items = read(target)
    assert items
    assert sum("cut off" in line or "truncated" in line for line in items[-1].trajectory.problems) == 1


@pytest.mark.parametrize("path", TEXT_CASES)
@pytest.mark.parametrize(
    "encode",
    [
        lambda text: b"\xef\xbb\xbf" + text.encode(),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.encode("utf-16"),
        lambda text: gzip.compress(text.encode()),
        lambda text: zstandard.compress(text.encode()),
        lambda text: text.encode() + b"\0" * 300 + b"\n",
    ],
    ids=["bom", "crlf", "utf-16", "gzip", "zstandard", "nul"],
)
def test_other_encodings_give_the_same(path: Path, encode: object, tmp_path: Path) -> None:
    target = tmp_path / path.name
    target.write_bytes(encode(path.read_text(encoding="utf-8")))  # type: ignore[operator]
    alone = tmp_path / "plain" / path.name
    alone.parent.mkdir()
    alone.write_bytes(path.read_bytes())
    assert name_of(target) == name_of(alone)
    if name_of(alone) is not None:
        assert shape(read(target)) == shape(read(alone))


@pytest.mark.parametrize("path", LINE_CASES)
def test_repeated_lines_are_counted_once(path: Path, tmp_path: Path) -> None:
    name = name_of(path)
    if name not in {"claude-code", "openhands-sdk", "codex-exec"}:
        pytest.skip("records of this format have no id of their own")
    lines = path.read_bytes().splitlines(keepends=True)
    (tmp_path / "once").mkdir()
    (tmp_path / "once" / "a.jsonl").write_bytes(b"".join(lines))
    (tmp_path / "twice.jsonl").write_bytes(b"".join(lines + lines[2:]))
    assert shape(read(tmp_path / "twice.jsonl")) == shape(read(tmp_path / "once" / "a.jsonl"))


@pytest.mark.parametrize("path", LINE_CASES)
def test_shuffled_records_are_put_in_order_where_they_have_one(path: Path, tmp_path: Path) -> None:
    name = name_of(path)
    lines = path.read_bytes().splitlines(keepends=True)
    for seed in range(5):
        mixed = lines[:]
        random.Random(seed).shuffle(mixed)
        (tmp_path / "mixed.jsonl").write_bytes(b"".join(mixed))
        items = read(tmp_path / "mixed.jsonl", name)
        if name in {"claude-code", "openhands-sdk"}:
            (tmp_path / "plain.jsonl").write_bytes(b"".join(lines))
            assert shape(items) == shape(read(tmp_path / "plain.jsonl"))


@pytest.mark.parametrize("path", TEXT_CASES)
def test_values_of_other_types_never_fail(path: Path, tmp_path: Path) -> None:
    """Each value of the file in turn is something else: what a reader expects to be there is not."""
    text = path.read_text(encoding="utf-8")
    name = name_of(path)
    target = tmp_path / "odd.json"
    rng = random.Random(1)
    lines = path.suffix == ".jsonl"
    try:
        values = [json.loads(line) for line in text.splitlines()] if lines else [json.loads(text)]
    except ValueError:
        pytest.skip("no JSON")
    odd = (None, True, 0, -1, 1e308, "", "x", [], [None], {}, {"a": 1}, [[]], "2026-13-45T99:99", 10**30, [1, "a", {}])
    for _ in range(120):
        copy = json.loads(json.dumps(values))
        _change(copy, rng, odd)
        dumped = "\n".join(json.dumps(v) for v in copy) if lines else json.dumps(copy[0] if copy else None)
        target.write_text(dumped, encoding="utf-8")
        read(target, name)
        name_of(target)


def _change(value: object, rng: random.Random, odd: tuple[object, ...]) -> None:
    """Replaces or removes one random value, at any depth."""
    places: list[tuple[dict[str, object] | list[object], object]] = []
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            places += [(item, key) for key in item]
            stack += item.values()
        elif isinstance(item, list):
            places += [(item, index) for index in range(len(item))]
            stack += item
    for _ in range(rng.randint(1, 3) if places else 0):
        holder, key = rng.choice(places)
        try:
            if rng.random() < 0.3:
                del holder[key]  # type: ignore[arg-type]
            else:
                holder[key] = rng.choice(odd)  # type: ignore[index]
        except (IndexError, KeyError):
            continue


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=120)
@given(st.sampled_from(TEXTS), st.data())
def test_changed_bytes_never_fail(tmp_path: Path, path: Path, data: st.DataObject) -> None:
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    target = tmp_path / "changed.json"
    target.write_bytes(bytes(content))
    read(target)
    read(target, name_of(path))


@pytest.mark.parametrize("path", TEXT_CASES)
def test_numbers_that_are_none_are_unknown(path: Path, tmp_path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for token in ("NaN", "-Infinity"):
        changed = text.replace('"cost_usd": 0.002', f'"cost_usd": {token}').replace('"cost": 0.01', f'"cost": {token}')
        changed = changed.replace('"total_cost_usd": 0.0312', f'"total_cost_usd": {token}')
        if changed != text:
            (tmp_path / "nan.json").write_text(changed, encoding="utf-8")
            items = read(tmp_path / "nan.json")
            assert items and any("no JSON" in line for line in items[0].trajectory.problems)
            assert not any(step.usage.cost == 0 for step in items[0].trajectory.steps if step.thought)
