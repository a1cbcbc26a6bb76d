"""Trajectories: reading them in any known format, checking them, cutting them, and following files through them."""

from judge.trajectories.actions import Effect, Origin
from judge.trajectories.clean import clean
from judge.trajectories.format import Format
from judge.trajectories.formats import FORMATS
from judge.trajectories.history import FileHistory, file_history
from judge.trajectories.load import detect_format, find_trajectories, load_trajectory
from judge.trajectories.outcomes import Outcome, Result, read_outcome
from judge.trajectories.replay import FileEvent, Run
from judge.trajectories.source import Source
from judge.trajectories.truncate import Part, Truncated, cut_text, render_step, truncate, truncate_step
from judge.trajectories.validate import trajectory_schema, validate_trajectory

__all__ = [
    "FORMATS",
    "Effect",
    "FileEvent",
    "FileHistory",
    "Format",
    "Origin",
    "Outcome",
    "Part",
    "Result",
    "Run",
    "Source",
    "Truncated",
    "clean",
    "cut_text",
    "detect_format",
    "file_history",
    "find_trajectories",
    "load_trajectory",
    "read_outcome",
    "render_step",
    "trajectory_schema",
    "truncate",
    "truncate_step",
    "validate_trajectory",
]
