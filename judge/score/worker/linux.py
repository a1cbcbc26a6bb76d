"""Linux system calls that Python has no name for; every one raises OSError when the kernel refuses."""

from __future__ import annotations

import ctypes
import os

NEWNS, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET = (
    0x00020000,
    0x04000000,
    0x08000000,
    0x10000000,
    0x20000000,
    0x40000000,
)
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_BIND = 1, 2, 4, 8, 32, 4096
MS_REC, MS_PRIVATE = 16384, 1 << 18
MNT_DETACH = 2
PDEATHSIG, DUMPABLE, KEEP_CAPABILITIES, SECCOMP, CAPBSET_DROP, NO_NEW_PRIVS, CHILD_SUBREAPER = 1, 4, 8, 22, 24, 38, 36
CAP_READ_SEARCH = 2
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_MOUNT_SETATTR = 442
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_CAP_VERSION = 0x20080522


def libc() -> ctypes.CDLL:
    """The C library, keeping errno."""
    return ctypes.CDLL(None, use_errno=True)


def check(result: int, what: str) -> int:
    """The result, if it is no error.

    Raises:
        OSError: It is one.
    """
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def syscall(number: int, *args: object) -> int:
    """A system call by number."""
    given = [ctypes.c_long(arg) if isinstance(arg, int) else arg for arg in args]
    return check(libc().syscall(ctypes.c_long(number), *given), f"system call {number}")


def unshare(flags: int) -> None:
    """Leaves namespaces for new ones."""
    check(libc().unshare(ctypes.c_int(flags)), "unshare")


def prctl(option: int, value: int = 0, extra: object = 0) -> None:
    """Sets an attribute of this process."""
    second = ctypes.c_ulong(extra) if isinstance(extra, int) else extra
    zero = ctypes.c_ulong(0)
    check(libc().prctl(ctypes.c_int(option), ctypes.c_ulong(value), second, zero, zero), f"prctl {option}")


def mount(source: str, target: str, kind: str = "", flags: int = 0, data: str = "") -> None:
    """Mounts."""
    words = (os.fsencode(text) if text else None for text in (source, target, kind))
    what = f"mount {kind or source} at {target}"
    check(libc().mount(*words, ctypes.c_ulong(flags), data.encode() if data else None), what)


def unmount(target: str) -> None:
    """Takes a mount away, though it may be in use."""
    check(libc().umount2(os.fsencode(target), ctypes.c_int(MNT_DETACH)), f"umount {target}")


def pivot_root(new: str, old: str) -> None:
    """Makes ``new`` the root; the old one is then at ``old``."""
    number = _PIVOT_ROOT[os.uname().machine]
    syscall(number, ctypes.c_char_p(os.fsencode(new)), ctypes.c_char_p(os.fsencode(old)))


def read_only_below(path: str) -> None:
    """Makes a mount and all mounts below it read-only, without devices and set-uid programs."""
    attributes = (ctypes.c_uint64 * 4)(MS_RDONLY | MS_NOSUID | MS_NODEV, 0, 0, 0)
    where = ctypes.c_char_p(os.fsencode(path))
    try:
        syscall(_MOUNT_SETATTR, _AT_FDCWD, where, _AT_RECURSIVE, ctypes.byref(attributes), ctypes.sizeof(attributes))
    except OSError:
        kept = os.statvfs(path).f_flag & (MS_NOEXEC | 1024 | 2048)
        mount("", path, "", MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | kept)


def drop_capabilities() -> None:
    """Gives up every capability, for good as far as that is allowed."""
    for number in range(64):
        try:
            prctl(CAPBSET_DROP, number)
        except OSError:
            break
    keep_only()


def keep_only(*capabilities: int) -> None:
    """Gives up every capability but these."""
    kept = sum(1 << number for number in capabilities)
    header = (ctypes.c_uint32 * 2)(_CAP_VERSION, 0)
    sets = (ctypes.c_uint32 * 6)(kept, kept, 0, 0, 0, 0)
    check(libc().capset(ctypes.byref(header), ctypes.byref(sets)), "capset")
