"""Runs submissions: workers that answer questions, and programs with real standard streams."""

from judge.score.execute.program import Program
from judge.score.execute.replies import ProgramReply, TimedReply
from judge.score.execute.run import run_program
from judge.score.execute.worker import Worker

__all__ = ["Program", "ProgramReply", "TimedReply", "Worker", "run_program"]
