"""Trajectories: reading them in any known format, checking them, cutting them, and following files through them."""

from judge.trajectories.actions import Effect, Origin
from judge.trajectories.clean import clean
from judge.trajectories.digest import trajectory_digest
from judge.trajectories.event import Exchange, FileEvent, Run, Suite
from judge.trajectories.find import find_trajectories
from judge.trajectories.format import Format, Match
from judge.trajectories.history import FileHistory, file_history
from judge.trajectories.load import Candidate, choose_format, convert, detect, detect_format, load_trajectory
from judge.trajectories.outcomes import Outcome, Result, read_outcome
from judge.trajectories.report import Converted, Report
from judge.trajectories.source import Source
from judge.trajectories.truncate import Part, Truncated, cut_text, render_step, truncate, truncate_step
from judge.trajectories.validate import trajectory_schema, validate_trajectory

__all__ = [
    "Candidate",
    "Converted",
    "Effect",
    "Exchange",
    "FileEvent",
    "FileHistory",
    "Format",
    "Match",
    "Origin",
    "Outcome",
    "Part",
    "Report",
    "Result",
    "Run",
    "Source",
    "Suite",
    "Truncated",
    "choose_format",
    "clean",
    "convert",
    "cut_text",
    "detect",
    "detect_format",
    "file_history",
    "find_trajectories",
    "load_trajectory",
    "read_outcome",
    "render_step",
    "trajectory_digest",
    "trajectory_schema",
    "truncate",
    "truncate_step",
    "validate_trajectory",
]
