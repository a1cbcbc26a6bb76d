"""The bundled samples of agent platforms and tracing: one story in each, told alike."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.errors import InputError
from judge.trajectories import Converted, Effect, Outcome, convert, detect, file_history, trajectory_schema
from judge.trajectories.formats import FORMATS
from judge.trajectories.write import devai_steps
from tests.trajectories.converted import tokens

FOLDER = Path(__file__).resolve().parents[2] / "trajectories" / "samples"
STORIES = {
    "openhands": "openhands/trajectory.json",
    "openhands-sdk": "openhands-sdk/events.jsonl",
    "swe-agent": "swe-agent/plants.traj",
    "mini-swe-agent": "mini-swe-agent/run.traj.json",
    "inspect": "inspect/log.json",
    "langchain": "langchain/state.json",
    "langsmith": "langsmith/runs.json",
    "opentelemetry": "opentelemetry/spans.json",
}
OTHERS = {
    "openhands-harness/output.jsonl": "openhands-harness",
    "swe-agent/plants_v0.traj": "swe-agent",
    "mini-swe-agent/run_v1.traj.json": "mini-swe-agent",
}
FILES = {**{file: name for name, file in STORIES.items()}, **OTHERS}
SCRIPT, FIGURE = "src/advice.py", "results/summary.txt"
TOTALS: dict[str, tuple[int | None, int | None, float | None]] = {
    "openhands": (600, 60, 0.006),
    "openhands-sdk": (1000, 40, 0.004),
    "swe-agent": (None, None, None),
    "mini-swe-agent": (1500, 50, 0.006),
    "inspect": (1500, 50, None),
    "langchain": (1500, 50, None),
    "langsmith": (1500, 50, None),
    "opentelemetry": (2600, 50, None),
}
STATED: dict[str, tuple[int | None, int | None, float | None]] = {
    "openhands": (600, 60, 0.006),
    "openhands-sdk": (1000, 40, 0.004),
    "swe-agent": (2100, 60, 0.006),
    "mini-swe-agent": (None, None, 0.006),
    "inspect": (1500, 50, None),
    "langsmith": (1500, 50, None),
}


def read(name: str) -> Converted:
    (item,) = convert(FOLDER / STORIES[name])
    return item


def total(values: list[Any]) -> Any:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


@pytest.mark.parametrize(("file", "name"), FILES.items())
def test_no_other_format_is_as_sure(file: str, name: str, tmp_path: Path) -> None:
    renamed = tmp_path / "data"
    renamed.write_bytes((FOLDER / file).read_bytes())
    best, *others = detect(renamed)
    assert best.format.name == name
    assert all(item.match.confidence < best.match.confidence for item in others)
    assert best.match.why and "\n" not in best.match.why


@pytest.mark.parametrize("name", STORIES)
def test_the_story_is_told(name: str) -> None:
    item = read(name)
    steps = item.trajectory.steps
    assert item.trajectory.problems == ()
    assert [bool(step.user_message) for step in steps] == [True] + [False] * (len(steps) - 1)
    assert "data/plants.csv" in (steps[0].user_message or "")
    assert steps[0].thought == "I write the script."
    crashed = [step.action for step in steps if "ModuleNotFoundError" in (step.environment or "")]
    assert crashed == ["python src/advice.py"]
    assert "the cactus can wait" in steps[-1].thought + (steps[-1].action or "")
    jsonschema.validate(
        json.loads(json.dumps(list(devai_steps(item.trajectory)), allow_nan=False)), trajectory_schema()
    )


@pytest.mark.parametrize("name", STORIES)
def test_the_file_history_understands_it(name: str) -> None:
    history = file_history(read(name).trajectory)
    last = history.last_write(SCRIPT)
    assert last is not None and last.effect in {Effect.WRITTEN, Effect.EDITED}
    assert [run.outcome for run in history.runs_of(SCRIPT)] == [Outcome.ERROR, Outcome.OK]
    assert history.hand_written(FIGURE) is True
    assert history.crashed_after_write(SCRIPT) is False
    assert history.never_executed(SCRIPT) is not True


@pytest.mark.parametrize("name", STORIES)
def test_usage_is_counted_once_and_unknown_stays_unknown(name: str) -> None:
    item = read(name)
    spent = tokens(item)
    summed = tuple(total([row[place] for row in spent]) for place in range(3))
    assert summed == pytest.approx(TOTALS[name]) if None not in summed else summed == TOTALS[name]
    stated = item.report.stated
    assert (stated.input_tokens, stated.output_tokens, stated.cost) == STATED.get(name, (None, None, None))
    if summed[2] is None:
        assert all(not step["usage_known"]["cost"] for step in devai_steps(item.trajectory))


def attempt(path: Path, format_name: str | None) -> list[Converted]:
    """What a damaged file gives; an error must be of one line and foreseen."""
    try:
        items = list(convert(path, format_name))
    except InputError as error:
        assert "\n" not in str(error) and "unexpected content" not in str(error)
        return []
    for item in items:
        json.dumps([list(devai_steps(item.trajectory)), item.report.as_json()], allow_nan=False)
    return items


@pytest.mark.parametrize(("file", "name"), FILES.items())
def test_a_cut_at_every_place_warns_or_is_refused(file: str, name: str, tmp_path: Path) -> None:
    data = (FOLDER / file).read_bytes()
    whole = sum(len(item.trajectory.steps) for item in attempt(FOLDER / file, name))
    target = tmp_path / "cut"
    # Each byte near both ends, and one of 23 between them.
    places = {*range(0, min(120, len(data))), *range(120, len(data), 23), *range(len(data) - 60, len(data) - 2)}
    for at in sorted(place for place in places if place < len(data) - 2):
        target.write_bytes(data[:at])
        items = attempt(target, name)
        assert sum(len(item.trajectory.steps) for item in items) <= whole + 1
        # Nobody can tell that lines are missing when the cut is between two of them.
        between = file.endswith(".jsonl") and b"\n" in data[at - 1 : at + 1]
        assert not items or items[-1].trajectory.problems or between
        if at % 5 == 0:
            found = detect(target)
            assert not found or found[0].format.name in {name, "openai", "anthropic", "devai", "langchain"}


ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    1e308,
    10**30,
    "",
    "x" * 100_000,
    [],
    [None],
    {},
    {"a": 1},
    [[]],
    "\ud800",
    [1, {}],
)


def places_in(value: Any, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(pairs):
        found.append((value, key))
        places_in(inner, found)
    return found


@pytest.mark.parametrize(("file", "name"), FILES.items())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_values_of_any_type_anywhere(file: str, name: str, tmp_path: Path, data: st.DataObject) -> None:
    text = (FOLDER / file).read_text(encoding="utf-8")
    lines = file.endswith(".jsonl")
    values = [json.loads(line) for line in text.splitlines()] if lines else [json.loads(text)]
    for _ in range(data.draw(st.integers(1, 3))):
        places = places_in(values, [])
        if not places:
            break
        holder, key = places[data.draw(st.integers(0, len(places) - 1))]
        holder[key] = copy.deepcopy(data.draw(st.sampled_from(ODD)))
    target = tmp_path / "odd"
    target.write_text("\n".join(json.dumps(value) for value in values), encoding="utf-8")
    attempt(target, name)
    detect(target)


@pytest.mark.parametrize("name", ["openhands", "openhands-sdk", "langsmith", "opentelemetry"])
def test_shuffled_records_are_put_in_order(name: str, tmp_path: Path) -> None:
    path = FOLDER / STORIES[name]
    text = path.read_text(encoding="utf-8")
    lines = path.suffix == ".jsonl"
    value = [json.loads(line) for line in text.splitlines()] if lines else json.loads(text)
    listed = value["resourceSpans"][0]["scopeSpans"][0]["spans"] if isinstance(value, dict) else value
    wanted = [(s.user_message, s.thought, s.action, s.environment) for s in read(name).trajectory.steps]
    for seed in range(5):
        random.Random(seed).shuffle(listed)
        target = tmp_path / "mixed"
        target.write_text("\n".join(map(json.dumps, value)) if lines else json.dumps(value), encoding="utf-8")
        (item,) = convert(target)
        assert [(s.user_message, s.thought, s.action, s.environment) for s in item.trajectory.steps] == wanted


@pytest.mark.parametrize("name", ["openhands", "openhands-sdk", "langsmith", "opentelemetry"])
def test_records_that_are_there_twice_count_once(name: str, tmp_path: Path) -> None:
    path = FOLDER / STORIES[name]
    text = path.read_text(encoding="utf-8")
    lines = path.suffix == ".jsonl"
    value = [json.loads(line) for line in text.splitlines()] if lines else json.loads(text)
    listed = value["resourceSpans"][0]["scopeSpans"][0]["spans"] if isinstance(value, dict) else value
    listed += listed[2:]
    target = tmp_path / "twice"
    target.write_text("\n".join(map(json.dumps, value)) if lines else json.dumps(value), encoding="utf-8")
    (item,) = convert(target)
    once = read(name)
    assert len(item.trajectory.steps) == len(once.trajectory.steps)
    assert tokens(item) == tokens(once)


def test_the_formats_are_registered() -> None:
    assert set(FILES.values()) <= {item.name for item in FORMATS}
