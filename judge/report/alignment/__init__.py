"""Draws alignment reports: text, Markdown, and HTML with the curves as SVG; computes nothing."""

from judge.report.alignment.markdown import alignment_markdown
from judge.report.alignment.page import alignment_html
from judge.report.alignment.plain import alignment_text
from judge.report.alignment.table import Table
from judge.report.alignment.tables import settings_line, tables

__all__ = ["Table", "alignment_html", "alignment_markdown", "alignment_text", "settings_line", "tables"]
