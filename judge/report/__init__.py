"""Reports: data to HTML, Markdown, JUnit XML, CSV and JSON; computes nothing."""

from judge.report.formats import FORMATS, Format
from judge.report.model import Report

__all__ = ["FORMATS", "Format", "Report"]
