"""Writes the JSON Schemas of what this program reads and writes; a test compares them with the code.

.venv/bin/python scripts/schemas.py
"""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import BaseModel

from judge.results import AlignmentReport, StatsReport, SweepReport, SweepSpec
from judge.schemas import Judgment, RunHeader, Task
from judge.score.suite import Suite

FOLDER = Path(__file__).resolve().parents[1] / "judge" / "jsonschema"
MODELS: dict[str, type[BaseModel]] = {
    "task": Task,
    "run": RunHeader,
    "verdict": Judgment,
    "sweep": SweepSpec,
    "sweep-report": SweepReport,
    "alignment-report": AlignmentReport,
    "stats-report": StatsReport,
    "score-suite": Suite,
}
"""File name -> model. The trajectory schema is DevAI's and is kept by hand."""
READ = frozenset({"task", "sweep", "score-suite"})
"""Files that people write: what has a default may be left out. The others are written by this program, whole."""


def schemas() -> dict[str, str]:
    """File name -> content."""
    found = {}
    for name, model in MODELS.items():
        mode = "validation" if name in READ else "serialization"
        schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **model.model_json_schema(mode=mode)}
        found[f"{name}.json"] = json.dumps(schema, indent=2) + "\n"
    return found


if __name__ == "__main__":
    for file, text in schemas().items():
        (FOLDER / file).write_text(text, encoding="utf-8")
