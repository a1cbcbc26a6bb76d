"""Writes the JSON Schemas that editors use; tests compare them with the code.

.venv/bin/python scripts/schemas.py
"""

from __future__ import annotations

import json
from pathlib import Path

from judge.results import SweepSpec

FOLDER = Path(__file__).resolve().parents[1] / "judge" / "jsonschema"


def sweep_schema() -> str:
    """The schema of sweep files."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **SweepSpec.model_json_schema()}
    return json.dumps(schema, indent=2) + "\n"


if __name__ == "__main__":
    (FOLDER / "sweep.json").write_text(sweep_schema(), encoding="utf-8")
