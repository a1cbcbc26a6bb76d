"""The last steps before foreign code: limits, another user, no capabilities, Landlock, the filter of system calls."""

from __future__ import annotations

import os
import resource
import sys
from typing import Any

from . import landlock, linux, seccomp

_MIB = 1024 * 1024
_DESCRIPTORS = 64


def confine(config: dict[str, Any]) -> list[str]:
    """Gives up, for good, what this process does not need.

    Args:
        config: ``level``, ``uid``, ``limits``, ``readable`` and ``scratch`` of the worker.

    Returns:
        What this machine cannot do, one short text each.

    Raises:
        OSError: Something that must be given up could not be.
    """
    level, limits = config["level"], config["limits"]
    set_limits(limits, level)
    if level == "none" or not sys.platform.startswith("linux"):
        _other_user(config["uid"])
        return []
    linux.prctl(linux.NO_NEW_PRIVS, 1)
    if config["uid"]:
        if config["private"]:
            linux.prctl(linux.KEEP_CAPABILITIES, 1)
        _other_user(config["uid"])
        if config["private"]:
            # The interpreter lies where only root may look; Landlock keeps everything else closed.
            linux.keep_only(linux.CAP_READ_SEARCH)
    if level == "namespaces":
        linux.drop_capabilities()
    # Another user may not look into /proc/self otherwise.
    linux.prctl(linux.DUMPABLE, 1)
    missing = []
    own = level in ("namespaces", "bubblewrap")
    readable = ["/"] if own else [*config["readable"], *config["public"], config["scratch"]]
    if not landlock.restrict(readable, [config["scratch"]] if limits["file_kb"] else []):
        missing.append("landlock")
    if not seccomp.install():
        missing.append("seccomp")
    return missing


def set_limits(limits: dict[str, Any], level: str) -> None:
    """Sets what the kernel counts; a limit that the system does not know is passed over."""
    wanted = {"CORE": 0, "AS": _address_space() + limits["memory_mb"] * _MIB}
    wanted["FSIZE"] = limits["file_kb"] * 1024
    if limits["total_cpu_s"]:
        wanted["CPU"] = int(limits["total_cpu_s"]) + 1
    if level != "none":
        wanted |= {"NOFILE": _DESCRIPTORS, "MEMLOCK": 0, "MSGQUEUE": 0, "NPROC": limits["processes"]}
        wanted["NPROC"] += limits["present"] if limits["present"] >= 0 else _own_processes()
    for name, value in wanted.items():
        number = getattr(resource, f"RLIMIT_{name}", None)
        if number is None:
            continue
        hard = resource.getrlimit(number)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        try:
            resource.setrlimit(number, (value, value))
        except (OSError, ValueError):
            continue


def _address_space() -> int:
    """Bytes that the interpreter itself has mapped."""
    try:
        with open("/proc/self/statm", "rb") as stream:
            return int(stream.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 64 * _MIB


def _own_processes() -> int:
    """Threads of this user, which the kernel counts together where there is no user of our own."""
    count, uid = 0, os.getuid()
    try:
        for name in os.listdir("/proc"):
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == uid:
                count += len(os.listdir(f"/proc/{name}/task"))
    except OSError:
        count += 8
    return count


def _other_user(uid: int) -> None:
    if not uid:
        return
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
