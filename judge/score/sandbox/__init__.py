"""Levels of isolation for code that nobody trusts, and the proof that they hold."""

from judge.score.sandbox.level import Level
from judge.score.sandbox.opening import open_sandbox
from judge.score.sandbox.sandbox import Sandbox

__all__ = ["Level", "Sandbox", "open_sandbox"]
