"""A filter of system calls: those that no solution of a problem needs are refused with EPERM."""

from __future__ import annotations

import ctypes
import os
import struct

from . import linux

_EPERM, _ENOSYS = 1, 38
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NEW_NAMESPACES = 0x7E020080
_X32 = 0x40000000

# Each call with its number on x86_64 and on aarch64.
_REFUSED = {
    "socket": (41, 198),
    "ptrace": (101, 117),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "unshare": (272, 97),
    "setns": (308, 268),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "memfd_create": (319, 279),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "swapon": (167, 224),
    "reboot": (169, 142),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "adjtimex": (159, 171),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "personality": (135, 92),
    "syslog": (103, 116),
    "fanotify_init": (300, 262),
}
# By machine: its audit number, its column above, and its number of clone.
_MACHINES = {"x86_64": (0xC000003E, 0, 56), "aarch64": (0xC00000B7, 1, 220)}
# The same on every machine: io_uring, the new mount calls, pidfd_getfd, mount_setattr, memfd_secret.
_EVERYWHERE = (425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442, 447)
_CLONE3 = 435


def install() -> bool:
    """Puts the filter on this process and its children, for good.

    Returns:
        Whether this machine has one.

    Raises:
        OSError: The kernel refused.
    """
    machine = _MACHINES.get(os.uname().machine)
    if machine is None:
        return False
    code = _program(*machine)
    buffer = ctypes.create_string_buffer(code, len(code))

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]

    program = Program(len(code) // 8, ctypes.addressof(buffer))
    linux.prctl(linux.NO_NEW_PRIVS, 1)
    linux.prctl(linux.SECCOMP, 2, ctypes.byref(program))
    return True


def _program(audit: int, column: int, clone: int) -> bytes:
    """Classic BPF: the machine first, then each refused number, then the flags of clone."""
    refused = sorted({numbers[column] for numbers in _REFUSED.values()} | set(_EVERYWHERE))
    lines = [
        _line(_LOAD, 0, 0, 4),
        _line(_EQUAL, 1, 0, audit),
        _line(_RETURN, 0, 0, _ERRNO | _EPERM),
        _line(_LOAD, 0, 0, 0),
        _line(_AT_LEAST, 0, 1, _X32),
        _line(_RETURN, 0, 0, _ERRNO | _EPERM),
        _line(_EQUAL, 0, 1, _CLONE3),
        _line(_RETURN, 0, 0, _ERRNO | _ENOSYS),
    ]
    for number in refused:
        lines += [_line(_EQUAL, 0, 1, number), _line(_RETURN, 0, 0, _ERRNO | _EPERM)]
    lines += [
        _line(_EQUAL, 0, 3, clone),
        _line(_LOAD, 0, 0, 16),
        _line(_ANY_BIT, 0, 1, _NEW_NAMESPACES),
        _line(_RETURN, 0, 0, _ERRNO | _EPERM),
        _line(_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(lines)


def _line(code: int, true: int, false: int, value: int) -> bytes:
    return struct.pack("=HBBI", code, true, false, value)
