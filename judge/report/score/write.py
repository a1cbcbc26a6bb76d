"""Writes all reports of a scoring into a folder."""

from __future__ import annotations

import json
from pathlib import Path

from judge.atomic import write_atomic
from judge.errors import InputError
from judge.report.score.badge import score_badge_endpoint, score_badge_svg
from judge.report.score.html import score_html
from judge.report.score.junit import score_junit
from judge.report.score.markdown import score_markdown
from judge.results.score import ScoreReport
from judge.text import json_printable


def write_reports(report: ScoreReport, out: Path) -> tuple[str, ...]:
    """Writes score.json, score.md, score.html, badge.svg, badge.json and junit.xml; each is whole or not there.

    Args:
        report: What was scored.
        out: An existing folder.

    Returns:
        The names of the files.

    Raises:
        InputError: The folder cannot be written.
    """
    files = {
        "score.json": json_printable(report.model_dump_json(indent=2)) + "\n",
        "score.md": score_markdown(report),
        "score.html": score_html(report),
        "badge.svg": score_badge_svg(report),
        "badge.json": json.dumps(score_badge_endpoint(report)) + "\n",
        "junit.xml": score_junit(report),
    }
    for name, text in files.items():
        try:
            write_atomic(out / name, text.encode("utf-8"))
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror or error}", where=str(out / name)) from error
    return tuple(files)
