"""Starts a worker that tries to break out, and reads how far it came."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import tempfile
import time
from contextlib import ExitStack, closing, contextmanager
from typing import TYPE_CHECKING, Any

from judge.score.sandbox import tree
from judge.score.sandbox.box import Box
from judge.score.sandbox.host import find_host
from judge.score.sandbox.level import Level
from judge.score.sandbox.pump import Pump
from judge.score.sandbox.settings import Job
from judge.score.suite.model import Limits
from judge.score.worker.codec import DecodeError, decode

if TYPE_CHECKING:
    from collections.abc import Iterator

_SECONDS = 15.0
_LIMITS = Limits(memory_mb=128, processes=4, cpu_s=5.0, wall_s=10.0)
_BARRIERS = {
    "filesystem": "read_file",
    "writing": "write_file",
    "network": "connect",
    "processes": "many_processes",
    "memory": "much_memory",
    "environment": "environment",
    "visibility": "see_processes",
    "privileges": "new_namespace",
}


class ProbeError(Exception):
    """The level cannot be used on this machine; the message says why."""


def try_barriers(level: Level) -> tuple[dict[str, bool], tuple[str, ...]]:
    """What holds at a level.

    Args:
        level: The level.

    Returns:
        Barrier -> whether it held, and notes.

    Raises:
        ProbeError: No worker starts at this level.
    """
    secret = secrets.token_hex(16)
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="judge-probe-"))
        listener = stack.enter_context(closing(socket.socket()))
        canary = os.path.join(folder, "canary")
        with open(canary, "w", encoding="utf-8") as stream:
            stream.write(secret)
        # The barrier must hold though the rights of the file allow it.
        os.chmod(folder, 0o755)
        os.chmod(canary, 0o644)
        listener.bind(("127.0.0.1", 0))
        listener.listen(1)
        bystander = stack.enter_context(_bystander(secret))
        wanted = {
            "secret": secret,
            "canary": canary,
            "folder": folder,
            "port": listener.getsockname()[1],
            "bystander": bystander.pid,
            "processes": _LIMITS.processes,
            "memory_mb": _LIMITS.memory_mb,
        }
        found, cpu = _attempts(Job("probe", {"probe.py": b""}, "probe.py", "", _LIMITS, 0, {"probe": wanted}), level)
        hit = bystander.poll() is not None
    barriers = {barrier: found.get(attempt) is False for barrier, attempt in _BARRIERS.items()}
    notes = tuple(f"the kernel has no {text}" for text in found.get("missing", ()) if text in ("landlock", "seccomp"))
    return {**barriers, "cpu": cpu, "signals": not hit}, notes


@contextmanager
def _bystander(secret: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process of this machine, with a secret in its environment, that ends only if somebody signals it."""
    command = [find_host().python, "-I", "-S", "-c", "import sys; sys.stdin.read()"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, env={"JUDGE_CANARY": secret})
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def _attempts(job: Job, level: Level) -> tuple[dict[str, Any], bool]:
    """What the probe could do, and whether its CPU time can be seen and ended from outside."""
    try:
        box = Box(job, level)
    except OSError as error:
        raise ProbeError(str(error)) from error
    try:
        pump = Pump(box)
        deadline = time.monotonic() + _SECONDS
        while not (len(pump.incoming) > 8 and len(pump.incoming) >= 8 + int.from_bytes(pump.incoming[:8], "big")):
            if (pump.ended and not pump.move(0.0)) or time.monotonic() > deadline:
                last = bytes(pump.stderr).decode("utf-8", "replace").strip().rpartition("\n")[2]
                raise ProbeError(last or pump.ended or "the probe did not answer")
            pump.move(0.1)
        found = decode(bytes(pump.incoming[8:]))
        used = tree.cpu_seconds(box.worker_pid)
        while tree.cpu_seconds(box.worker_pid) == used and used is not None and time.monotonic() < deadline:
            time.sleep(0.005)
        pid = box.worker_pid
        box.kill()
        return found, used is not None and tree.cpu_seconds(pid) is None
    except DecodeError as error:
        raise ProbeError(f"the probe gave no answer that can be read: {error}") from error
    finally:
        box.kill()
