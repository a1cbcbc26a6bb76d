"""Builds a history from actions and their answers."""

from __future__ import annotations

from judge.schemas import Step, Trajectory
from judge.trajectories import FileHistory, file_history

CELL = "Running Python code interactively: "
TRACE = """Traceback (most recent call last):
  File "/workspace/src/train.py", line 7, in <module>
    main()
  File "/usr/lib/python3.11/site-packages/sklearn/base.py", line 90, in fit
    raise ValueError("bad")
ValueError: bad
"""


def history(*steps: str | tuple[str, str | None]) -> FileHistory:
    made = []
    for number, item in enumerate(steps):
        action, answer = item if isinstance(item, tuple) else (item, "")
        made.append(Step(step=number, action=action, environment=answer))
    return file_history(Trajectory(name="t", format="devai", steps=tuple(made)))
