"""The deeds of one action, in order, with their paths resolved against the current folder."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, field
from enum import StrEnum

_MAX_DEEDS = 500
_LOCAL = re.compile(
    r"(?:https?://)?(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|[\w-]+(?=:\d))(?::(?:\d+|\$\{?\w+\}?))?(/[^\s?#\"']*)?(?:[?#]\S*)?$"
)


class Effect(StrEnum):
    """What happened to a file."""

    WRITTEN = "written"
    EDITED = "edited"
    REMOVED = "removed"
    MOVED = "moved"
    EXECUTED = "executed"
    READ = "read"


class Origin(StrEnum):
    """Where new content came from."""

    HAND = "hand"
    """Typed in by the agent as literal text."""
    RUN = "run"
    """Produced by a program."""
    COPY = "copy"
    """Taken from another file."""
    DOWNLOAD = "download"
    """Fetched from the network."""
    UNKNOWN = "unknown"


@dataclass(slots=True)
class Deed:
    """One deed.

    Attributes:
        effect: What was done.
        path: To which file, workspace-relative where that can be told; empty for a run of code that is no file.
        origin: Where written content came from.
        content: The literal content, when it is known.
        source: The other path of a copy or move, or the script whose output was written.
        certain: Whether it surely took place when its step succeeded (not inside a condition or a function).
        joiner: What joins it to the deed before: ``&&``, ``||``, ``;``, ``|``, ``&`` or empty.
        command: For a run, the command as text.
        hidden: For a run, whether its output went elsewhere, so that the environment text tells nothing.
        folder: Whether the path is a folder, so that everything below it is meant.
        pattern: Whether the path is a shell pattern.
        last: For a run, whether no other command follows it in the action.
        inline: For a run, whether the code was given in the action itself.
    """

    effect: Effect
    path: str
    origin: Origin = Origin.UNKNOWN
    content: str | None = None
    source: str = ""
    certain: bool = True
    joiner: str = ""
    command: str = ""
    hidden: bool = False
    folder: bool = False
    pattern: bool = False
    last: bool = True
    inline: bool = False


@dataclass(slots=True)
class Recorder:
    """Collects the deeds of one action.

    Attributes:
        root: The workspace's absolute path in the agent's machine, without a trailing slash; empty when unknown.
        cwd: The current folder: workspace-relative, or absolute when outside; None when it cannot be told.
        deeds: What was recorded.
        certain: Whether what is recorded now surely takes place.
        joiner: The joiner of what is recorded now.
        imported: Last names of the modules that code given in the action imports.
        opaque: Whether something ran whose effects cannot be told (make, an unknown script).
        requests: Method and path of each request to a server on the agent's own machine, or to a test client.
    """

    root: str = "/workspace"
    cwd: str | None = ""
    deeds: list[Deed] = field(default_factory=list)
    certain: bool = True
    joiner: str = ""
    opaque: bool = False
    imported: set[str] = field(default_factory=set)
    requests: list[tuple[str, str]] = field(default_factory=list)

    def ask(self, method: str, address: str) -> None:
        """Records a request; addresses of other machines are left out."""
        match = _LOCAL.match(address.strip("'\""))
        if match is not None and len(self.requests) < _MAX_DEEDS:
            self.requests.append((method.upper(), match[1] or "/"))

    def resolve(self, raw: str) -> str | None:
        """A path as the action wrote it, made workspace-relative; None when it cannot be told or is no path."""
        raw = raw.strip()
        if not raw or len(raw) > 1000 or "\n" in raw or "\0" in raw or "://" in raw or raw in {"-", "/dev/null"}:
            return None
        if raw.startswith("/dev/"):
            return None
        if not raw.startswith(("/", "~")) and self.cwd is None:
            return None
        joined = raw if raw.startswith(("/", "~")) else posixpath.join(self.cwd or "", raw)
        return self.relative(joined)

    def relative(self, path: str) -> str:
        """A path without the workspace's own prefix."""
        path = posixpath.normpath(path)
        for root in dict.fromkeys((self.root, "/workspace")):
            if root and path == root:
                return ""
            if root and path.startswith(root + "/"):
                return path[len(root) + 1 :]
        return "" if path == "." else path

    def add(self, effect: Effect, raw: str, **details: object) -> Deed | None:
        """Records a deed on a path as the action wrote it; None when the path cannot be told."""
        path = self.resolve(raw)
        if path is None or len(self.deeds) >= _MAX_DEEDS:
            return None
        deed = Deed(effect, path, certain=self.certain, joiner=self.joiner)
        deed.folder = raw.rstrip().endswith("/")
        for name, value in details.items():
            setattr(deed, name, value)
        self.deeds.append(deed)
        return deed

    def run(self, script: str | None, command: str, *, hidden: bool = False, inline: bool = False) -> Deed | None:
        """Records the run of a script, or of code that is no file."""
        path = "" if script is None else self.resolve(script)
        if path is None or len(self.deeds) >= _MAX_DEEDS:
            self.opaque = True
            return None
        deed = Deed(Effect.EXECUTED, path, certain=self.certain, joiner=self.joiner, command=command[:500])
        deed.hidden, deed.inline = hidden, inline
        self.deeds.append(deed)
        return deed
