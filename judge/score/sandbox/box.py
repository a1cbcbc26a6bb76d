"""One started worker process with its pipes: what judge holds of it, and how it is ended."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from typing import TYPE_CHECKING, Any

from judge.score.sandbox import tree
from judge.score.sandbox.bubblewrap import bwrap_command, find_bwrap
from judge.score.sandbox.code import BOOT, first_frame
from judge.score.sandbox.host import find_host
from judge.score.sandbox.level import Level
from judge.score.sandbox.settings import Job, settings

if TYPE_CHECKING:
    from collections.abc import Mapping

_GRACE = 3.0
_SWEEPS = 200
_OURS = {"req": "w", "rep": "r", "ev": "r", "life": "w", "stat": "r"}


class Box:
    """A worker process and everything below it.

    Attributes:
        ends: Judge's ends of the pipes by name: ``req`` ``rep`` ``ev`` ``stat`` ``out`` ``err``, all non-blocking, and
            ``in`` for a program.
        first: What must be written to ``req`` before anything else.
        scratch: The folder of the worker, on the machine's root only where ``own_root`` is false.
    """

    def __init__(self, job: Job, level: Level) -> None:
        """Starts the process.

        Args:
            job: What it is for.
            level: How far it is isolated.

        Raises:
            OSError: It cannot be started.
        """
        self.level = level
        self.ends: dict[str, int] = {}
        theirs: dict[str, int] = {}
        self._config: dict[str, Any] = {}
        try:
            for name, mode in _OURS.items():
                read, write = os.pipe()
                self.ends[name], theirs[name] = (read, write) if mode == "r" else (write, read)
            self._config = settings(job, level, theirs)
            self._process = self._start(job, theirs)
        except BaseException:
            self._close_ends()
            self._remove_scratch()
            raise
        finally:
            for descriptor in theirs.values():
                os.close(descriptor)
        self.first = first_frame(self._config)
        self.started = time.monotonic()
        self._closed = False
        self._own_bytes = sum(len(data) for data in job.files.values())
        self.worker_pid = 0
        self._inner_pid = self._worker_started = 0
        self._uid = int(self._config["uid"])
        self._take_streams(job)

    def _start(self, job: Job, theirs: Mapping[str, int]) -> subprocess.Popen[bytes]:
        seed = job.hash_seed % 2**32
        flags = ["-s", "-S", "-B", "-X", "utf8", "-c", BOOT, str(theirs["req"])]
        command = [find_host().python, *flags]
        if self.level is Level.BUBBLEWRAP:
            command = bwrap_command(find_bwrap() or "bwrap", self._config, command)
        environment = {
            "PYTHONHASHSEED": str(seed),
            "PYTHONSAFEPATH": "1",
            "LANG": "C.UTF-8",
            "PATH": "/usr/bin:/bin",
            "HOME": self._config["scratch"],
            "TMPDIR": self._config["scratch"],
        }
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE if job.action == "program" else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            cwd="/",
            pass_fds=tuple(theirs.values()),
            start_new_session=True,
        )

    def _take_streams(self, job: Job) -> None:
        process = self._process
        for name, stream in (("out", process.stdout), ("err", process.stderr), ("in", process.stdin)):
            if stream is not None:
                self.ends[name] = os.dup(stream.fileno())
                with contextlib.suppress(OSError):
                    stream.close()
        process.stdin = process.stdout = process.stderr = None
        for descriptor in self.ends.values():
            os.set_blocking(descriptor, False)

    @property
    def scratch(self) -> str:
        """The folder of the worker."""
        return str(self._config["scratch"])

    def found_worker(self, reported: int) -> None:
        """Learns the number of the worker process on this machine.

        Args:
            reported: Its number as the supervisor sees it.
        """
        if self.level in (Level.RESTRICTED, Level.NONE):
            self._inner_pid, self.worker_pid = self._process.pid, reported
            self._worker_started = tree.started(reported)
            return
        for inner in tree.children(self._process.pid):
            self._inner_pid = inner
            for worker in tree.children(inner):
                self.worker_pid = worker
                return

    def helpers(self) -> list[int]:
        """Processes that the worker has started, also those that have been handed to the supervisor."""
        worker, supervisor = self.worker_pid, self._inner_pid
        if not worker or (tree.children(supervisor) == [worker] and not tree.children(worker)):
            return []
        return [pid for pid, _ in tree.below(supervisor) if pid != worker]

    def helpers_seconds(self) -> float:
        """CPU seconds of what the worker has started: children that have ended, and all that still run."""
        running = sum(tree.cpu_seconds(pid) or 0.0 for pid in self.helpers())
        return running + tree.ended_children_seconds(self.worker_pid)

    def close_end(self, name: str) -> None:
        """Closes one pipe."""
        descriptor = self.ends.pop(name, None)
        if descriptor is not None:
            with contextlib.suppress(OSError):
                os.close(descriptor)

    def written(self) -> int:
        """Bytes of files beside the submission's own, where the scratch folder is on the machine's root; else 0."""
        if self._has_own_space:
            return 0
        total = 0
        for root, _, names in os.walk(self.scratch):
            for name in names:
                with contextlib.suppress(OSError):
                    total += os.lstat(os.path.join(root, name)).st_size
        return total - self._own_bytes

    def kill(self) -> None:
        """Kills everything that belongs to the worker and waits until it is gone; may be called again."""
        if self._closed:
            return
        self._closed = True
        if self._has_own_space:
            # The end of process 1 is the end of its whole namespace.
            inner = self._inner_pid or next(iter(tree.children(self._process.pid)), 0)
            self.close_end("life")
            if inner and tree.parent(inner) == self._process.pid:
                tree.kill(inner)
            self._wait_or_kill()
        else:
            found = self._members()
            self.close_end("life")
            self._wait_or_kill()
            # The supervisor has ended them, unless somebody ended it first.
            for pid, started in found:
                tree.kill(pid, started)
            self._kill_user()
        self._close_ends()
        self._remove_scratch()

    def _members(self) -> list[tuple[int, int]]:
        found = tree.below(self._process.pid)
        if self.worker_pid and tree.started(self.worker_pid) == self._worker_started:
            found += [(self.worker_pid, self._worker_started), *tree.below(self.worker_pid)]
            found += tree.of_session(self.worker_pid)
        return found

    def _kill_user(self) -> None:
        """Kills what runs as the worker's own user, again as long as some of it makes more of itself."""
        for _ in range(_SWEEPS):
            left = tree.of_user(self._uid)
            for pid, started in left:
                tree.kill(pid, started)
            if not left:
                return

    def _wait_or_kill(self) -> None:
        try:
            self._process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.kill()
            self._process.wait()

    @property
    def _has_own_space(self) -> bool:
        return self.level in (Level.BUBBLEWRAP, Level.NAMESPACES)

    def _close_ends(self) -> None:
        for name in list(self.ends):
            self.close_end(name)

    def _remove_scratch(self) -> None:
        if self._config.get("remove"):
            import shutil

            shutil.rmtree(self._config["scratch"], ignore_errors=True)
