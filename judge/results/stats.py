"""What agents used and left behind: the records that ``judge stats`` computes and prints."""

from __future__ import annotations

from judge.schemas import SCHEMA_VERSION, Frozen


class Mean(Frozen):
    """An average over tasks, with how many it rests on."""

    value: float | None
    """None when it is known of no task."""
    n: int
    """Tasks of which it is known."""
    unknown: int = 0
    """Tasks of which it is not known; they are in no average."""


class AgentStats(Frozen):
    """Averages per task of one agent."""

    agent: str
    workspaces: int
    trajectories: int
    cost: Mean
    """US dollars."""
    seconds: Mean
    """Wall time of the steps."""
    steps: Mean
    tokens: Mean
    """Input and output together."""
    files: Mean
    """Files of any kind, without what is ignored by default."""
    code_files: Mean
    lines: Mean
    """Lines of code files that are not empty."""
    lines_per_file: Mean
    """Lines of code per code file; not known of a workspace without code."""


class StatsReport(Frozen):
    """The result of ``judge stats``."""

    schema_version: int = SCHEMA_VERSION
    version: str = ""
    """Of the program."""
    agents: tuple[AgentStats, ...]
    notes: tuple[str, ...] = ()
    """What could not be read, one sentence each."""
