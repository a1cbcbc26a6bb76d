"""A root of its own: read-only binds of what the interpreter needs, a scratch folder in memory, and nothing else."""

from __future__ import annotations

import os
from typing import Any

from . import linux

_DEVICES = ("null", "zero", "full", "random", "urandom")
_STAGE = "/tmp"


def enter_namespaces() -> None:
    """Moves into new namespaces; the next child is process 1 of a new process namespace.

    Raises:
        OSError: The kernel forbids it.
    """
    flags = linux.NEWNS | linux.NEWPID | linux.NEWNET | linux.NEWIPC | linux.NEWUTS
    uid, gid = os.geteuid(), os.getegid()
    if uid == 0:
        linux.unshare(flags)
        return
    linux.unshare(flags | linux.NEWUSER)
    for name, text in (("setgroups", "deny"), ("uid_map", f"65534 {uid} 1"), ("gid_map", f"65534 {gid} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as stream:
            stream.write(text)


def build(config: dict[str, Any]) -> None:
    """Builds the root in this mount namespace and moves into it; the old one is gone afterwards.

    Args:
        config: ``readable``, ``masked``, ``links``, ``scratch`` and ``scratch_bytes`` of the worker.

    Raises:
        OSError: A mount was refused.
    """
    linux.mount("", "/", "", linux.MS_REC | linux.MS_PRIVATE)
    linux.mount("tmpfs", _STAGE, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, "size=1m,mode=0755")
    os.mkdir(f"{_STAGE}/old")
    os.mkdir(f"{_STAGE}/new")
    linux.pivot_root(_STAGE, f"{_STAGE}/old")
    os.chdir("/")
    linux.mount("tmpfs", "/new", "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, "size=1m,mode=0755")
    for path in config["readable"]:
        _bind(path)
    for path in config["masked"]:
        if os.path.isdir(f"/new{path}"):
            linux.mount("tmpfs", f"/new{path}", "tmpfs", linux.MS_RDONLY, "size=4k,mode=0755")
    for path, target in config["links"]:
        if not os.path.lexists(f"/new{path}"):
            os.makedirs(os.path.dirname(f"/new{path}"), exist_ok=True)
            os.symlink(target, f"/new{path}")
    _devices()
    _process_list()
    _scratch(config)
    linux.mount("", "/new", "", linux.MS_REMOUNT | linux.MS_RDONLY | linux.MS_NOSUID | linux.MS_NODEV)
    os.chdir("/new")
    linux.pivot_root(".", ".")
    linux.unmount(".")
    os.chdir(config["scratch"])


def _bind(path: str) -> None:
    source, target = f"/old{path}", f"/new{path}"
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        _touch(target)
    linux.mount(source, target, "", linux.MS_BIND | linux.MS_REC)
    linux.read_only_below(target)


def _touch(path: str) -> None:
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o444))


def _devices() -> None:
    os.mkdir("/new/dev")
    for name in _DEVICES:
        _touch(f"/new/dev/{name}")
        linux.mount(f"/old/dev/{name}", f"/new/dev/{name}", "", linux.MS_BIND)


def _process_list() -> None:
    os.mkdir("/new/proc")
    flags = linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC
    try:
        linux.mount("proc", "/new/proc", "proc", flags | linux.MS_RDONLY)
    except OSError:
        # A container that hides parts of its own /proc allows no other; nothing there is needed.
        return


def _scratch(config: dict[str, Any]) -> None:
    target = f"/new{config['scratch']}"
    os.makedirs(target, exist_ok=True)
    data = f"size={config['scratch_bytes']},nr_inodes=1024,mode=0755"
    linux.mount("tmpfs", target, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, data)
    os.symlink(config["scratch"].lstrip("/"), "/new/tmp")
