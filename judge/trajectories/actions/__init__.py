"""What an agent's free-text actions do to files: shell, Python, and editor tools in many dialects."""

from judge.trajectories.actions.dialects import interpret
from judge.trajectories.actions.record import Deed, Effect, Origin, Recorder

__all__ = ["Deed", "Effect", "Origin", "Recorder", "interpret"]
