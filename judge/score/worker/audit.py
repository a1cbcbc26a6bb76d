"""Notes what the submission does that no solution needs. It can be evaded: it is evidence, never a defence."""

from __future__ import annotations

import os
import sys
from typing import Any

_PREFIXES = (
    *("os.fork", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "os.kill", "os.putenv", "os.unsetenv"),
    *("os.remove", "os.rename", "os.link", "os.symlink", "os.truncate", "os.chmod", "os.chown", "os.mkdir"),
    *("pty.spawn", "subprocess.", "ctypes.", "mmap.", "socket.", "gc.get_", "sys._current_", "sys.settrace"),
    *("sys.setprofile", "sys.addaudithook", "signal.", "resource.", "shutil.", "tempfile.", "fcntl."),
)
_PATHS = frozenset({"open", "os.listdir", "os.scandir", "os.chdir", "sqlite3.connect"})
_FRAMES = frozenset({"sys._getframe", "sys._getframemodulename", "code.__new__", "function.__new__"})
_UNIX_SOCKETS = 1
_MOST = 200
_NAMES = 1000
_LONGEST = 200
_PUBLIC = ("/dev/null", "/dev/urandom", "/usr/share/zoneinfo", "/etc/localtime", "/usr/lib", "/lib", "/usr/local/lib")


class Watch:
    """One hook for the life of the process.

    Args:
        descriptor: Where each new event goes at once, one line each, so that it survives a kill.
        scratch: The folder of the submission.
        known: Paths that the interpreter itself reads.
    """

    def __init__(self, descriptor: int, scratch: str, known: list[str]) -> None:
        """Not active before ``start``."""
        self._descriptor, self._scratch = descriptor, scratch
        self._known = (*known, *_PUBLIC, sys.prefix, sys.base_prefix, scratch)
        self._seen: set[str] = set()
        self._busy = False

    def start(self) -> None:
        """Begins to listen, for the life of the process."""
        watched: dict[str, bool] = {}

        def hook(event: str, args: tuple[Any, ...]) -> None:
            # Some events come with every call of id(), so what is not watched must cost next to nothing.
            wanted = watched.get(event)
            if wanted is None:
                wanted = event in _PATHS or event in _FRAMES or event.startswith(_PREFIXES)
                if len(watched) < _NAMES:
                    watched[event] = wanted
            if wanted and not self._busy:
                self._notice(event, args)

        sys.addaudithook(hook)

    def note(self, text: str) -> None:
        """Writes a line of evidence, once."""
        text = text[:_LONGEST].replace("\n", " ")
        if text in self._seen or len(self._seen) >= _MOST:
            return
        self._seen.add(text)
        try:
            os.write(self._descriptor, f"{text}\n".encode("utf-8", "backslashreplace"))
        except OSError:
            return

    def _notice(self, event: str, args: tuple[Any, ...]) -> None:
        self._busy = True
        try:
            text = self._judge(event, args)
            if text:
                self.note(f"audit: {text}")
        except Exception:  # noqa: BLE001 - a strange argument must not become an error of the submission
            return
        finally:
            self._busy = False

    def _judge(self, event: str, args: tuple[Any, ...]) -> str:
        if event in _PATHS:
            return self._path(event, args)
        if event in _FRAMES:
            # Our own three functions lie between.
            caller = sys._getframe(3)
            return event if caller.f_code.co_filename.startswith(self._scratch) else ""
        if event == "socket.__new__":
            return "" if args[1] == _UNIX_SOCKETS else event
        if event in ("os.system", "ctypes.dlopen", "subprocess.Popen", "os.posix_spawn", "os.exec"):
            return f"{event} {str(args[0])[:80]}"
        return event

    def _path(self, event: str, args: tuple[Any, ...]) -> str:
        path = args[0] if args else None
        if isinstance(path, int) or path is None:
            return ""
        text = os.path.abspath(os.fsdecode(path))
        if any(text == known or text.startswith(f"{known}/") for known in self._known):
            return ""
        return f"{event} {text}"
