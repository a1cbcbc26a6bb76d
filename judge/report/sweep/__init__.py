"""Draws sweeps: the plan, and the results as text, Markdown and HTML; computes nothing."""

from judge.report.sweep.outputs import plan_text, sweep_html, sweep_markdown, sweep_notes, sweep_text
from judge.report.sweep.tables import sweep_tables

__all__ = ["plan_text", "sweep_html", "sweep_markdown", "sweep_notes", "sweep_tables", "sweep_text"]
