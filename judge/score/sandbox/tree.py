"""Processes below a process, and the CPU time they have used, read from outside."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def children(pid: int) -> list[int]:
    """Children of all threads of a process; empty when it is gone or the system has no ``/proc``."""
    found: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as stream:
                found += [int(word) for word in stream.read().split()]
    except FileNotFoundError:
        return [child for child, above, _ in _all() if above == pid]
    except OSError:
        return []
    return found


def parent(pid: int) -> int:
    """Parent of a process; 0 when it is gone."""
    fields = _stat(pid)
    return int(fields[1]) if fields else 0


def started(pid: int) -> int:
    """When a process was started, in ticks since the machine was; 0 when it is gone."""
    fields = _stat(pid)
    return int(fields[19]) if fields else 0


def of_user(uid: int) -> list[tuple[int, int]]:
    """Processes of a user that have not ended, with the time each was started; none for 0."""
    found = []
    for pid, _, began in _all() if uid else []:
        with contextlib.suppress(OSError):
            if os.stat(f"/proc/{pid}").st_uid == uid and _stat(pid)[:1] not in ([], [b"Z"]):
                found.append((pid, began))
    return found


def of_session(session: int) -> list[tuple[int, int]]:
    """Processes of a session with the time each was started."""
    found = []
    for pid, _, began in _all():
        fields = _stat(pid)
        if fields and int(fields[3]) == session:
            found.append((pid, began))
    return found


def below(root: int) -> list[tuple[int, int]]:
    """Every process below one with the time it was started, in ticks since the machine was."""
    parents: dict[int, list[tuple[int, int]]] = {}
    for pid, above, started in _all():
        parents.setdefault(above, []).append((pid, started))
    found: list[tuple[int, int]] = []
    waiting = [root]
    while waiting:
        here = parents.get(waiting.pop(), [])
        found += here
        waiting += [pid for pid, _ in here]
    return found


def kill(pid: int, started: int | None = None) -> None:
    """Kills a process.

    Args:
        pid: Its number.
        started: When it was started; another process that has its number since is left alone.
    """
    if started is not None:
        fields = _stat(pid)
        if not fields or int(fields[19]) != started:
            return
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGKILL)


def cpu_seconds(pid: int) -> float | None:
    """CPU seconds that the threads of a process have used; None when it is gone or the system cannot tell."""
    try:
        return time.clock_gettime(((~pid) << 3) | 2)
    except (OSError, AttributeError, OverflowError):
        return None


def main_thread_seconds(pid: int) -> float | None:
    """CPU seconds of its main thread alone."""
    try:
        with open(f"/proc/{pid}/task/{pid}/schedstat", "rb") as stream:
            return int(stream.read().split()[0]) / 1e9
    except (OSError, ValueError, IndexError):
        return None


def ended_children_seconds(pid: int) -> float:
    """CPU seconds of the children of a process that have ended, to a hundredth."""
    fields = _stat(pid)
    return (int(fields[13]) + int(fields[14])) / _TICKS if fields else 0.0


def resident_bytes(pids: Iterable[int]) -> int:
    """Memory that processes hold."""
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/statm", "rb") as stream:
            total += int(stream.read().split()[1])
    return total * os.sysconf("SC_PAGE_SIZE")


def _stat(pid: int) -> list[bytes]:
    """Fields from the third on: state, parent, …; empty when it is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stream:
            return stream.read().rpartition(b")")[2].split()
    except OSError:
        return []


def _all() -> list[tuple[int, int, int]]:
    found = []
    try:
        names = [name for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []
    for name in names:
        fields = _stat(int(name))
        if fields:
            found.append((int(name), int(fields[1]), int(fields[19])))
    return found
