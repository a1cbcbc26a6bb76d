"""Landlock: the kernel refuses this process and its children files, TCP and signals beyond what is listed."""

from __future__ import annotations

import ctypes
import os

from . import linux

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_TRUNCATE, _IOCTL = 1 << 14, 1 << 15
_FILE_RIGHTS = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_RIGHTS_BY_VERSION = {1: 13, 2: 14, 3: 15, 4: 15}
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


def version() -> int:
    """The version that the kernel has; 0 for none."""
    try:
        return linux.syscall(_CREATE, 0, 0, 1)
    except OSError:
        return 0


def restrict(readable: list[str], writable: list[str]) -> bool:
    """Closes everything but the given paths, for good.

    Args:
        readable: Files and folders that may be read and executed; those that do not exist are passed over.
        writable: Folders in which everything is allowed.

    Returns:
        Whether the kernel can do it.

    Raises:
        OSError: It can, and refused.
    """
    known = version()
    if known < 1:
        return False
    rights = (1 << _RIGHTS_BY_VERSION.get(known, 16)) - 1
    fields = [rights, 3 if known >= 4 else 0, 3 if known >= 6 else 0]
    size = 8 if known < 4 else 16 if known < 6 else 24
    attributes = (ctypes.c_uint64 * 3)(*fields)
    ruleset = linux.syscall(_CREATE, ctypes.byref(attributes), size, 0)
    for path in readable:
        _allow(ruleset, path, _READ & rights)
    for path in _DEVICES:
        _allow(ruleset, path, (_READ_FILE | _WRITE_FILE | _TRUNCATE | _IOCTL) & rights)
    for path in writable:
        _allow(ruleset, path, rights)
    linux.prctl(linux.NO_NEW_PRIVS, 1)
    linux.syscall(_RESTRICT, ruleset, 0)
    os.close(ruleset)
    return True


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    if not os.path.isdir(path):
        rights &= _FILE_RIGHTS
    rule = _Beneath(rights, descriptor)
    try:
        linux.syscall(_ADD, ruleset, 1, ctypes.byref(rule), 0)
    finally:
        os.close(descriptor)
