"""Suites: what a submission is asked, read from YAML."""

from judge.score.suite.load import load_suite
from judge.score.suite.model import Case, Compare, LoadedSuite, Suite
from judge.score.suite.problems import SuiteError, SuiteProblem

__all__ = ["Case", "Compare", "LoadedSuite", "Suite", "SuiteError", "SuiteProblem", "load_suite"]
