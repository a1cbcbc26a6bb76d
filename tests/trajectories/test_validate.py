from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.trajectories import trajectory_schema, validate_trajectory

GOOD: dict[str, Any] = {
    "step": 0,
    "user_message": None,
    "agent": {"thought": "t", "action": None},
    "environment": None,
    "step_usage": {
        "input_tokens": 1,
        "output_tokens": 1,
        "model": "m",
        "cost": 0.1,
        "llm_inference_time": 1,
        "step_execution_time": 1,
    },
    "accumulated_usage": {"accumulated_cost": 1.5, "accumulated_time": 2},
}


def found(tmp_path: Path, value: Any) -> list[str]:
    path = tmp_path / "t.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return [str(problem) for problem in validate_trajectory(path)]


def test_official_files_are_valid(shared_dir: Path) -> None:
    for path in (
        *(shared_dir / "devai" / "trajectories").rglob("*.json"),
        *(shared_dir / "trajectories" / "devai").glob("*"),
    ):
        assert list(validate_trajectory(path)) == []


def test_every_problem_is_listed_with_its_path(tmp_path: Path) -> None:
    bad = copy.deepcopy(GOOD)
    del bad["environment"]
    bad["agent"]["action"] = 5
    bad["step_usage"]["cost"] = None
    assert found(tmp_path, [GOOD, bad, 3]) == [
        "$[1].environment: is missing (expected text or null)",
        "$[1].agent.action: is 5 (expected text or null)",
        "$[1].step_usage.cost: is null (expected a number)",
        "$[2]: is 3 (expected an object)",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "$: is empty"),
        ("{}", "$: is an object (expected a list of steps)"),
        ("[", "the text ends early"),
        ('[{"step": ', "cut off"),
        ("[] x", "something follows"),
        (json.dumps([GOOD]).replace("0.1", "NaN"), "$[0].step_usage.cost: is nan"),
        ("[" * 100_000, "nested too deep"),
        (json.dumps([GOOD | {"x": json.loads("[" * 200 + "]" * 200)}]), "$[0]: is nested deeper"),
    ],
)
def test_broken_text_is_a_problem(tmp_path: Path, text: str, expected: str) -> None:
    assert any(expected in line for line in found(tmp_path, text)), found(tmp_path, text)


def test_an_empty_list_is_valid(tmp_path: Path) -> None:
    assert found(tmp_path, []) == []


VALUES = st.sampled_from([None, True, 0, 1.0, 1.5, "x", [], {}, {"thought": "", "action": ""}])
PATHS = st.sampled_from(
    [(k,) for k in GOOD]
    + [(k, s) for k in ("agent", "step_usage", "accumulated_usage") for s in (*GOOD[k], "agent_name", "extra")]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(PATHS, st.none() | st.tuples(VALUES)), max_size=4))
def test_our_schema_means_what_the_official_one_means(shared_dir: Path, changes: list[Any]) -> None:
    official = json.loads((shared_dir / "devai" / "trajectory-schema.json").read_text(encoding="utf-8"))
    step = copy.deepcopy(GOOD)
    for path, value in changes:
        place: Any = step
        for key in path[:-1]:
            place = place.get(key) if isinstance(place, dict) else None
        if isinstance(place, dict):
            if value is None:
                place.pop(path[-1], None)
            else:
                place[path[-1]] = value[0]
    ours = jsonschema.Draft202012Validator(trajectory_schema())
    theirs = jsonschema.Draft202012Validator(official)
    assert ours.is_valid([step]) == theirs.is_valid([step])
    assert ours.is_valid(step) == theirs.is_valid(step)
