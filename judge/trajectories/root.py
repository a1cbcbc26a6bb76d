"""Where the workspace was on the agent's machine: what a file notes, and what the steps show."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterable
from typing import TypeVar

from judge.schemas import Step, Trajectory

_T = TypeVar("_T")
SYSTEM = ("/tmp", "/usr", "/etc", "/var", "/opt", "/bin", "/dev", "/proc", "/lib", "/sys")
_ABOVE = frozenset({"/", "/home", "/root", "/Users", "/mnt", "/data", "/srv"})
_WORKSPACE = re.compile(r"(?<![\w./])/workspace(?![\w-])")
_CD = re.compile(r"(?:^|[;&\n]|&&|: |\")\s*cd\s+[\"']?(/[\w./-]+)")


def noted(step: Step, key: str, kind: type[_T]) -> _T | None:
    """What a converter noted beside a step's texts; None when it is not there or of another type."""
    value = (step.model_extra or {}).get(key)
    return value if isinstance(value, kind) else None


def find_root(trajectory: Trajectory) -> str:
    """The workspace's absolute path in the agent's machine, as its steps show it; empty when they do not.

    The folder that the file names, ``/workspace`` where it is named, else the folder that all folders which
    were gone to have in common.
    """
    root = ""
    for step in trajectory.steps[:3]:
        if place := noted(step, "cwd", str):
            return place.rstrip("/")
    for step in trajectory.steps:
        if _WORKSPACE.search(step.action or "") or _WORKSPACE.search((step.environment or "")[-2000:]):
            return "/workspace"
        for match in _CD.finditer(step.action or ""):
            place = posixpath.normpath(match[1])
            if place.startswith(SYSTEM):
                continue
            common = posixpath.commonpath([root, place]) if root else place
            root = common if common not in _ABOVE else root
    return root


def root_by_names(paths: Iterable[str]) -> str:
    """The folder under which absolute names are those that other actions give relative to it; empty when none is."""
    names = {path for path in paths if path}
    relative = [name for name in names if not name.startswith("/")]
    votes: Counter[str] = Counter()
    for name in sorted(names):
        if name.startswith("/") and not name.startswith(SYSTEM):
            votes.update(name.removesuffix("/" + short) for short in relative if name.endswith("/" + short))
    best = votes.most_common(2)
    clear = bool(best) and (len(best) == 1 or best[0][1] > best[1][1])
    return best[0][0] if clear and best[0][0] not in _ABOVE | {""} else ""
