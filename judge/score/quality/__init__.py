"""Code quality: a rubric over the syntax tree, with a reason for each point lost; never runs the code."""

from judge.score.quality.grade import grade
from judge.score.quality.rubric import WEIGHTS

__all__ = ["WEIGHTS", "grade"]
