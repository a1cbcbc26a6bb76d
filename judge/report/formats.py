"""The formats of a report: a name, a file name, and what writes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from judge.report.html import to_html
from judge.report.junit import to_junit
from judge.report.markdown import to_markdown
from judge.report.model import Report
from judge.report.tables import to_csv, to_json


class Format(NamedTuple):
    """One format.

    Attributes:
        file: The name of its file in a folder.
        render: Makes the text.
    """

    file: str
    render: Callable[[Report], str]


FORMATS: dict[str, Format] = {
    "html": Format("report.html", to_html),
    "markdown": Format("report.md", to_markdown),
    "junit": Format("junit.xml", to_junit),
    "csv": Format("report.csv", to_csv),
    "json": Format("report.json", to_json),
}
