"""The settings of one worker, as the code inside reads them."""

from __future__ import annotations

import os
import random
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from judge.score.sandbox.host import find_host
from judge.score.sandbox.level import Level

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judge.score.suite.model import Limits

SCRATCH = "/box"
_FIRST_UID, _LAST_UID = 200_000, 2_000_000_000


@dataclass(frozen=True, slots=True)
class Job:
    """What a worker is started for.

    Attributes:
        action: Answer questions, run a program, or try the barriers.
        files: Contents of the files of the submission by name.
        main: The one that is run.
        entry: The name asked for when nothing else is said.
        limits: Of the worker.
        hash_seed: Of its interpreter.
        more: Further settings by name: ``asynchronous``, ``allow``, ``deny``, ``argv``, ``probe``.
    """

    action: Literal["serve", "program", "probe"]
    files: Mapping[str, bytes]
    main: str
    entry: str
    limits: Limits
    hash_seed: int = 0
    more: Mapping[str, Any] = field(default_factory=dict)


def settings(job: Job, level: Level, descriptors: Mapping[str, int]) -> dict[str, Any]:
    """Everything the code inside needs to know, as plain data.

    Args:
        job: What the worker is for.
        level: How far it is isolated.
        descriptors: Its ends of the pipes by name.
    """
    host = find_host()
    own = level in (Level.BUBBLEWRAP, Level.NAMESPACES)
    other_user = os.geteuid() == 0 and level is not Level.NONE and sys.platform.startswith("linux")
    uid = spare_uid() if other_user else 0
    scratch = SCRATCH if own else make_scratch(uid)
    limits = job.limits
    # A user or a user namespace of its own holds nothing but the worker, and where it is ours the supervisor.
    present = 0 if uid else 1 if own else -1
    return {
        "action": job.action,
        "level": level.value,
        "fds": dict(descriptors),
        "uid": uid,
        "files": dict(job.files),
        "main": job.main,
        "entry": job.entry,
        "scratch": scratch,
        "scratch_bytes": scratch_bytes(job),
        "remove": not own,
        "readable": list(host.readable),
        "masked": list(host.masked),
        "links": [list(link) for link in host.links],
        "public": list(host.public),
        "private": host.private and not own,
        "limits": {
            "memory_mb": limits.memory_mb,
            "processes": limits.processes,
            "file_kb": limits.file_kb,
            # A second line behind judge's own watch; a worker lives for as many calls as there are.
            "total_cpu_s": limits.cpu_s + 4 if job.action == "program" else 0,
            "present": present,
        },
        "asynchronous": False,
        "allow": [],
        "deny": [],
        "argv": [],
        "probe": {},
        **job.more,
    }


def spare_uid(table: str = "/proc/self/uid_map") -> int:
    """A user that nobody else is, so that its processes can be counted and ended; 0 where root may become no other.

    Args:
        table: The users that exist here; a container without privileges may have few.
    """
    try:
        rows = [line.split() for line in Path(table).read_text(encoding="ascii").splitlines()]
        first, count = max(((int(row[0]), int(row[2])) for row in rows), key=lambda pair: pair[1])
    except (OSError, ValueError, IndexError):
        return 0
    low, high = max(first, _FIRST_UID), min(first + count - 1, _LAST_UID)
    if low > high:
        low, high = max(first, 1) + count // 2, first + count - 1
    return random.SystemRandom().randint(low, high) if low <= high else 0


def scratch_bytes(job: Job) -> int:
    """Size of the scratch folder: what the submission is, and what it may write."""
    pages = sum(len(data) // 4096 + 2 for data in job.files.values()) + 8
    return pages * 4096 + job.limits.file_kb * 1024


def make_scratch(uid: int) -> str:
    """A folder of its own for a worker that stays on the machine's root.

    Args:
        uid: The user that the worker becomes, who must be able to reach it; 0 for the same one.
    """
    base = tempfile.gettempdir()
    if uid and not all(folder.stat().st_mode & 0o1 for folder in (Path(base), *Path(base).parents)):
        base = next(folder for folder in ("/tmp", "/var/tmp", "/") if os.access(folder, os.W_OK))
    path = os.path.realpath(tempfile.mkdtemp(prefix="box-", dir=base))
    if uid:
        os.chmod(path, 0o755)
    return path
