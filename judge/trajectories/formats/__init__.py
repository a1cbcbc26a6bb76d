"""The trajectory formats; a new one is a file here and a line in the table."""

from judge.trajectories.format import Format
from judge.trajectories.formats import devai

FORMATS: tuple[Format, ...] = (devai.FORMAT,)
"""In the order in which they are tried."""

__all__ = ["FORMATS"]
