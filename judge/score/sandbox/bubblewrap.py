"""The command line of bwrap."""

from __future__ import annotations

import os
import shutil
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

_DEVICES = ("null", "zero", "full", "random", "urandom")


def find_bwrap() -> str | None:
    """The program, if it is installed."""
    return shutil.which("bwrap", path="/usr/bin:/usr/local/bin:/bin:/run/current-system/sw/bin")


def bwrap_command(program: str, config: dict[str, Any], command: Sequence[str]) -> list[str]:
    """The command that runs another one inside bwrap, as process 1 of its namespace.

    Args:
        program: Path of bwrap.
        config: Settings of the worker.
        command: What to run.
    """
    words = [program, "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    words += ["--as-pid-1", "--new-session", "--hostname", "box", "--cap-drop", "ALL"]
    if os.geteuid() == 0:
        # The code inside takes a user of its own, and with that loses these.
        for name in ("CAP_SETUID", "CAP_SETGID", "CAP_CHOWN"):
            words += ["--cap-add", name]
    else:
        words += ["--unshare-user", "--uid", "65534", "--gid", "65534"]
    # Left to itself bwrap makes parents that only root may enter.
    for folder in _parents([*config["readable"], *(path for path, _ in config["links"])]):
        words += ["--perms", "0755", "--dir", folder]
    for path in config["readable"]:
        words += ["--ro-bind", path, path]
    for path in config["masked"]:
        words += ["--perms", "0555", "--size", "4096", "--tmpfs", path]
    for path, target in config["links"]:
        words += ["--symlink", target, path]
    words += ["--perms", "0755", "--dir", "/dev"]
    for name in _DEVICES:
        words += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    words += ["--proc", "/proc", "--perms", "0755", "--size", str(config["scratch_bytes"]), "--tmpfs"]
    words += [config["scratch"], "--symlink", config["scratch"].lstrip("/"), "/tmp", "--remount-ro", "/"]
    return [*words, "--chdir", "/", "--", *command]


def _parents(paths: Sequence[str]) -> list[str]:
    """Every folder above the paths, from the top down."""
    found = {str(parent) for path in paths for parent in PurePosixPath(path).parents}
    return sorted(found - {"/"})
