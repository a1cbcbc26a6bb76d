"""Reports of ``judge score``: Markdown, HTML, JUnit, badges, and two scorings side by side; computes no scores."""

from judge.report.score.badge import score_badge_endpoint, score_badge_svg
from judge.report.score.comparison import ScoreComparison, compare_reports
from judge.report.score.comparison_markdown import comparison_markdown
from judge.report.score.comparison_text import comparison_text
from judge.report.score.html import score_html
from judge.report.score.junit import score_junit
from judge.report.score.markdown import score_markdown
from judge.report.score.write import write_reports

__all__ = [
    "ScoreComparison",
    "compare_reports",
    "comparison_markdown",
    "comparison_text",
    "score_badge_endpoint",
    "score_badge_svg",
    "score_html",
    "score_junit",
    "score_markdown",
    "write_reports",
]
