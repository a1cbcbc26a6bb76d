"""The shipped JSON Schemas are those of the code, and what the program writes fits them."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "judge" / "jsonschema"

Judge = Callable[..., Any]


def _validator(name: str) -> jsonschema.Draft202012Validator:
    schema = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_the_shipped_schemas_are_those_of_the_code() -> None:
    place = ROOT / "scripts" / "schemas.py"
    spec = importlib.util.spec_from_file_location("judge_scripts_schemas", place)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    made = module.schemas()
    assert {path.name for path in SCHEMAS.glob("*.json")} == {*made, "trajectory.json"}
    for name, text in made.items():
        assert (SCHEMAS / name).read_text(encoding="utf-8") == text, "run .venv/bin/python scripts/schemas.py"


@pytest.mark.parametrize("path", sorted((ROOT / "devai" / "tasks").glob("*.json")), ids=lambda path: path.stem)
def test_bundled_tasks_fit_the_schema(path: Path) -> None:
    _validator("task").validate(json.loads(path.read_text(encoding="utf-8")))


def test_what_commands_write_fits_the_schemas(judge: Judge, tmp_path: Path) -> None:
    out = tmp_path / "run"
    tasks, workspaces = ROOT / "devai" / "tasks", ROOT / "devai" / "workspaces"
    name = sorted(path.stem for path in tasks.glob("*.json"))[0]
    assert judge("run", tasks, "-w", workspaces, "--only", name, "--out", out).code == 0
    _validator("run").validate(json.loads((out / "run.json").read_text(encoding="utf-8")))
    lines = (out / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    assert lines
    for line in lines:
        _validator("verdict").validate(json.loads(line))
    aligned = judge("align", out, "--labels", ROOT / "devai" / "labels", "--resamples", 50, "--json")
    assert aligned.code == 0, aligned.err
    _validator("alignment-report").validate(aligned.json())
    counted = judge("stats", workspaces, "--json")
    assert counted.code == 0, counted.err
    _validator("stats-report").validate(counted.json())


def test_the_schemas_refuse_what_does_not_fit() -> None:
    for name in ("run", "verdict", "alignment-report", "stats-report", "sweep", "task"):
        assert list(_validator(name).iter_errors({"nonsense": 1})), name
