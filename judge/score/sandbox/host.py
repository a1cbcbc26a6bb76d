"""What of this machine a worker must see: the interpreter, its library and the shared libraries it is linked to."""

from __future__ import annotations

import functools
import glob
import os
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

_SHARED = ("/lib", "/lib64", "/lib32", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/local/lib64")
_ALSO = ("/etc/ld.so.cache", "/usr/share/zoneinfo", "/etc/localtime")
_STORES = ("/nix/store", "/gnu/store")
_COMMON = (Path("/usr"), Path("/usr/local"), Path("/"))


@dataclass(frozen=True, slots=True)
class Host:
    """Paths of this machine.

    Attributes:
        python: The interpreter itself, not that of a virtual environment.
        readable: Files and folders that a worker may read.
        masked: Folders inside those that it finds empty: installed packages, which may hold judge and its suites.
        links: Links that the root of the machine has (link, target).
        private: Whether another user cannot reach the interpreter by its path, such as one below ``/root``.
        public: Further files that may be read where the worker stays on the machine's root.
    """

    python: str
    readable: tuple[str, ...]
    masked: tuple[str, ...]
    links: tuple[tuple[str, str], ...]
    private: bool
    public: tuple[str, ...]


@functools.cache
def find_host() -> Host:
    """The paths of this machine, looked up once."""
    base = Path(sys.base_prefix).resolve()
    python = Path(getattr(sys, "_base_executable", "") or sys.executable).resolve()
    wanted = [str(python)]
    if base in _COMMON:
        wanted += [sysconfig.get_path(name, vars=_base_paths(base)) for name in ("stdlib", "platstdlib")]
    else:
        wanted.append(str(base))
    wanted += [store for store in _STORES if str(python).startswith(store)]
    links, folders = [], []
    for path in (*_SHARED, *_ALSO):
        if os.path.islink(path):
            links.append((path, os.readlink(path)))
            if not any(os.path.realpath(path).startswith(f"{other}/") for other in (*_SHARED, *_ALSO)):
                wanted.append(os.path.realpath(path))
        elif os.path.exists(path):
            folders.append(path)
    readable = _without_nested([*dict.fromkeys([*folders, *wanted])])
    return Host(
        python=str(python),
        readable=readable,
        masked=_packages(readable),
        links=tuple(links),
        private=not all(parent.stat().st_mode & 0o1 for parent in (python, *python.parents)),
        public=tuple(path for path, _ in links),
    )


def _base_paths(base: Path) -> dict[str, str]:
    return {"base": str(base), "platbase": str(base), "installed_base": str(base), "installed_platbase": str(base)}


def _without_nested(paths: list[str]) -> tuple[str, ...]:
    kept: list[str] = []
    for path in sorted(paths):
        if os.path.exists(path) and not any(path.startswith(f"{other}/") for other in kept):
            kept.append(path)
    return tuple(kept)


def _packages(readable: tuple[str, ...]) -> tuple[str, ...]:
    found: set[str] = set()
    for folder in readable:
        for pattern in ("", "lib/", "lib/python3*/", "python3*/"):
            for name in ("site-packages", "dist-packages"):
                found.update(glob.glob(f"{glob.escape(folder)}/{pattern}{name}"))
    return tuple(sorted(path for path in found if not os.path.islink(path)))
