"""Tries to break each barrier from inside, where the submission would be, and says what it could do."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from . import codec

if TYPE_CHECKING:
    import signal
else:
    import _signal as signal  # the other one loads enum

_MIB = 1024 * 1024
_OWN_NAMES = frozenset("PYTHONHASHSEED PYTHONSAFEPATH LANG LC_CTYPE PATH HOME TMPDIR PWD".split())


def run(config: dict[str, Any]) -> None:
    """Writes one encoded dict, attempt -> whether it succeeded, to the reply pipe; then it is busy until it is killed.

    Args:
        config: Of the worker, with ``probe``: what to look for.
    """
    wanted = config["probe"]
    found: dict[str, Any] = {"missing": config["missing"]}
    for name, attempt in _ATTEMPTS.items():
        try:
            found[name] = bool(attempt(wanted))
        except Exception as error:  # noqa: BLE001 - any refusal is a refusal
            found[name] = False
            found[f"{name}: why"] = f"{type(error).__name__}: {error}"
    raw = codec.encode(found)
    os.write(config["fds"]["rep"], len(raw).to_bytes(8, "big") + raw)
    while True:
        pass


def _read_file(wanted: dict[str, Any]) -> bool:
    with open(wanted["canary"], "rb") as stream:
        return wanted["secret"].encode() in stream.read(4096)


def _write_file(wanted: dict[str, Any]) -> bool:
    folders = (wanted["folder"], os.getcwd(), "/", "/tmp", "/var/tmp", "/dev/shm", os.path.dirname(os.__file__))
    for folder in folders:
        path = os.path.join(folder, f"judge-probe-{os.getpid()}")
        try:
            # That a file can be made is enough, though the limit of its size may be nothing.
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600))
        except OSError:
            continue
        os.unlink(path)
        return True
    return False


def _connect(wanted: dict[str, Any]) -> bool:
    import socket

    with socket.create_connection(("127.0.0.1", wanted["port"]), timeout=1):
        return True


def _environment(wanted: dict[str, Any]) -> bool:
    if not _OWN_NAMES.issuperset(os.environ):
        return True
    for pid in (name for name in os.listdir("/proc") if name.isdigit()):
        try:
            with open(f"/proc/{pid}/environ", "rb") as stream:
                if wanted["secret"].encode() in stream.read():
                    return True
        except OSError:
            continue
    return False


def _see_processes(wanted: dict[str, Any]) -> bool:
    # Our supervisor and this process are all that there may be.
    seen = [name for name in os.listdir("/proc") if name.isdigit()]
    return len(seen) > 3 or os.path.exists(f"/proc/{wanted['bystander']}/stat")


def _signal_others(wanted: dict[str, Any]) -> bool:
    os.kill(wanted["bystander"], signal.SIGKILL)
    return True


def _many_processes(wanted: dict[str, Any]) -> bool:
    made = []
    try:
        for _ in range(wanted["processes"] + 4):
            pid = os.fork()
            if pid == 0:
                signal.pause()
                os._exit(0)
            made.append(pid)
    except OSError:
        return False
    finally:
        for pid in made:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    return True


def _much_memory(wanted: dict[str, Any]) -> bool:
    try:
        block = bytearray((wanted["memory_mb"] + 64) * _MIB)
    except MemoryError:
        return False
    return len(block) > 0


def _new_namespace(_: dict[str, Any]) -> bool:
    import ctypes

    return ctypes.CDLL(None).unshare(0x10000000) == 0 if sys.platform.startswith("linux") else False


_ATTEMPTS = {
    "read_file": _read_file,
    "write_file": _write_file,
    "connect": _connect,
    "environment": _environment,
    "see_processes": _see_processes,
    "signal_others": _signal_others,
    "many_processes": _many_processes,
    "much_memory": _much_memory,
    "new_namespace": _new_namespace,
}
