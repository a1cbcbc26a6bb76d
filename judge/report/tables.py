"""A report as CSV and as JSON."""

from __future__ import annotations

import csv
import io
from typing import Any

from judge.report.exhibits import place
from judge.report.markup import shorten
from judge.report.model import Report, RequirementReport, RunReport, TaskReport
from judge.text import json_printable, printable

COLUMNS = (
    "run", "task", "requirement_id", "category", "criteria", "prerequisites", "verdict", "confidence", "label",
    "agrees", "blocked_by", "blocked", "reason", "error", "citations", "citations_verified", "judge", "model", "calls",
    "input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens", "cost", "seconds", "evidence_hash",
)  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%", "＝", "＋", "－", "＠")
_CELL = 32_000


def to_csv(report: Report) -> str:
    """One row a requirement; empty cells are unknown.

    A cell of text that a spreadsheet would compute gets an apostrophe in front.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for run in report.runs:
        for task in run.tasks:
            for item in task.requirements:
                row = _row(run, task, item)
                writer.writerow([_cell(row[name]) for name in COLUMNS])
    return out.getvalue()


def _row(run: RunReport, task: TaskReport, item: RequirementReport) -> dict[str, Any]:
    usage = item.usage.model_dump() if item.usage is not None else {}
    return {
        **{name: usage.get(name) for name in COLUMNS[18:24]},
        "run": run.name,
        "task": task.name,
        "requirement_id": item.requirement_id,
        "category": item.category,
        "criteria": item.criteria,
        "prerequisites": _ids(item.prerequisites),
        "verdict": item.state.value,
        "confidence": item.confidence,
        "label": item.label,
        "agrees": item.agrees,
        "blocked_by": _ids(item.unmet),
        "blocked": item.blocked,
        "reason": item.reason,
        "error": item.error,
        "citations": "; ".join(place(cited) for cited in item.citations),
        "citations_verified": item.citations_verified,
        "judge": item.judge,
        "model": item.model,
        "seconds": item.seconds,
        "evidence_hash": item.evidence_hash,
    }


def _ids(values: tuple[int, ...]) -> str:
    return " ".join(str(value) for value in values)


def _cell(value: object) -> str | int | float:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return value
    text = printable(shorten(str(value), _CELL))
    return f"'{text}" if text.lstrip(" \u00a0").startswith(_FORMULA) or text.startswith(_FORMULA) else text


def to_json(report: Report) -> str:
    """The whole report but the evidence and the excerpts, which the run folder holds under ``evidence_hash``."""
    leave_out: Any = {"evidence": True, "citations": {"__all__": {"lines"}}}
    tasks = {"__all__": {"requirements": {"__all__": leave_out}}}
    return json_printable(report.model_dump_json(exclude={"runs": {"__all__": {"tasks": tasks}}}, indent=2)) + "\n"
