"""The process that stands over the worker: it ends it, and all it leaves behind, as soon as judge lets go."""

from __future__ import annotations

import os
import select
import sys
from typing import TYPE_CHECKING, Any

from . import linux

if TYPE_CHECKING:
    import signal
    from collections.abc import Callable
else:
    import _signal as signal  # the other one loads enum, which takes longer than all the rest

_LINUX = sys.platform.startswith("linux")


def supervise(config: dict[str, Any], run: Callable[[dict[str, Any]], None]) -> None:
    """Runs the worker as a child and stays until it has ended or the lifeline is closed; never returns.

    It reports ``pid N`` and then ``exit N SECONDS`` or ``signal N SECONDS`` (of CPU time) on the descriptor ``stat``.

    Args:
        config: Of the worker; its descriptor ``life`` is open as long as judge wants the worker.
        run: What the worker does.
    """
    own_space = config["level"] in ("namespaces", "bubblewrap")
    if _LINUX:
        linux.prctl(linux.CHILD_SUBREAPER, 1)
        linux.prctl(linux.DUMPABLE, 0)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_write, False)
    os.set_blocking(wake_read, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    worker = os.fork()
    if worker == 0:
        _become_worker(config, run, (wake_read, wake_write))
    _let_go(config)
    _say(config, f"pid {worker}")
    try:
        _watch(config, worker, wake_read)
    finally:
        if not own_space:
            _end_all(worker, config["uid"])
            if config["remove"]:
                _remove(config["scratch"])
        # As process 1 of its namespace its end is the end of everything in there.
        os._exit(0)


def _become_worker(config: dict[str, Any], run: Callable[[dict[str, Any]], None], mine: tuple[int, int]) -> None:
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for descriptor in (*mine, config["fds"]["life"], config["fds"]["stat"]):
        os.close(descriptor)
    os.setsid()
    run(config)
    os._exit(70)


def _let_go(config: dict[str, Any]) -> None:
    """Closes what belongs to the worker, so that its end is seen at the other end."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    os.close(nothing)
    for name in ("req", "rep", "ev"):
        os.close(config["fds"][name])


def _say(config: dict[str, Any], text: str) -> None:
    try:
        os.write(config["fds"]["stat"], f"{text}\n".encode())
    except OSError:
        return


def _watch(config: dict[str, Any], worker: int, wake: int) -> None:
    life = config["fds"]["life"]
    poll = select.poll()
    poll.register(life, select.POLLIN | select.POLLHUP)
    poll.register(wake, select.POLLIN)
    while True:
        ready = [descriptor for descriptor, _ in poll.poll(1000)]
        if wake in ready:
            os.read(wake, 512)
        end = _reap(worker)
        if end is not None:
            code = os.waitstatus_to_exitcode(end[0])
            _say(config, f"exit {code} {end[1]:.6f}" if code >= 0 else f"signal {-code} {end[1]:.6f}")
            return
        if life in ready:
            return


def _reap(worker: int) -> tuple[int, float] | None:
    """Takes leave of every child that has ended; status and CPU seconds of the worker if it is among them."""
    while True:
        try:
            pid, status, usage = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return None
        if pid == 0:
            return None
        if pid == worker:
            return status, usage.ru_utime + usage.ru_stime


def _end_all(worker: int, uid: int) -> None:
    """Kills the worker, its session and every descendant, until none is left."""
    for _ in range(200):
        _kill(-worker)
        if uid:
            _kill_user(uid)
        left = children_below(os.getpid())
        for pid in left:
            _kill(pid)
        _reap(-1)
        if not left:
            return
        select.select([], [], [], 0.005)


def _remove(folder: str) -> None:
    """Removes a folder with all it holds; ``shutil`` takes longer to load than a worker to start."""
    for root, folders, files in os.walk(folder, topdown=False):
        for name in (*files, *folders):
            path = os.path.join(root, name)
            try:
                if os.path.isdir(path) and not os.path.islink(path):
                    os.rmdir(path)
                else:
                    os.unlink(path)
            except OSError:
                continue
    try:
        os.rmdir(folder)
    except OSError:
        return


def _kill(pid: int) -> None:
    """Kills a process, or the group -pid."""
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        return


def _kill_user(uid: int) -> None:
    pid = os.fork()
    if pid == 0:
        try:
            os.setresuid(uid, uid, uid)
            os.kill(-1, signal.SIGKILL)
        finally:
            os._exit(0)
    os.waitpid(pid, 0)


def children_below(root: int) -> list[int]:
    """Every process below one, by its parents; empty where there is no ``/proc``."""
    parents: dict[int, list[int]] = {}
    try:
        names = [name for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []
    for name in names:
        try:
            with open(f"/proc/{name}/stat", "rb") as stream:
                fields = stream.read().rpartition(b")")[2].split()
        except OSError:
            continue
        parents.setdefault(int(fields[1]), []).append(int(name))
    found: list[int] = []
    waiting = [root]
    while waiting:
        below = parents.get(waiting.pop(), [])
        found += below
        waiting += below
    return found
