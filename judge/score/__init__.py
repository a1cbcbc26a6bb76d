"""The weighted 0-100 score of functions, classes and programs written by AI: tests, edge cases, speed, quality."""

from judge.score.assemble import assemble, samples_by_model, solves
from judge.score.generated import GeneratedCase, generated_cases, to_yaml
from judge.score.options import ScoreOptions, load_overrides
from judge.score.performance import Baseline, baseline_path, record_baseline, write_baseline
from judge.score.prepare import Prepared, prepare
from judge.score.sandbox import Level, Sandbox, open_sandbox
from judge.score.score import Scorer, program_of
from judge.score.submission import Submission, find_submissions
from judge.score.suite import LoadedSuite, Suite, SuiteError, load_suite
from judge.score.suite.lint import lint_suite
from judge.score.suite_side import Answers, SuiteSide

__all__ = [
    "Answers",
    "Baseline",
    "GeneratedCase",
    "Level",
    "LoadedSuite",
    "Prepared",
    "Sandbox",
    "ScoreOptions",
    "Scorer",
    "Submission",
    "Suite",
    "SuiteError",
    "SuiteSide",
    "assemble",
    "baseline_path",
    "find_submissions",
    "generated_cases",
    "lint_suite",
    "load_overrides",
    "load_suite",
    "open_sandbox",
    "prepare",
    "program_of",
    "record_baseline",
    "samples_by_model",
    "solves",
    "to_yaml",
    "write_baseline",
]
