"""The walk: lists a workspace within bounds on files, depth and time, whatever lies in it."""

from __future__ import annotations

import os
import stat
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field

from judge.text import escape_name
from judge.workspace.doors import Opened, Refused, Root, kind_of
from judge.workspace.entry import Entry, Skip, Skipped
from judge.workspace.ignore import IgnoreRules

_MAX_SKIPPED = 10_000
_INCOMPLETE = frozenset({Skip.TOO_DEEP, Skip.TOO_MANY, Skip.TOO_SLOW, Skip.UNREADABLE, Skip.CHANGED})


@dataclass(frozen=True, slots=True)
class WalkOptions:
    """What the walk lists.

    Attributes:
        ignore: More patterns, as in ``.gitignore``; ``!pattern`` takes something back in.
        default_ignores: Whether the default patterns count.
        max_files: Files listed at most; folders and skipped paths are bounded by four times as many.
        max_depth: Folders above a file at most.
        max_seconds: Wall seconds at most.
    """

    ignore: tuple[str, ...] = ()
    default_ignores: bool = True
    max_files: int = 200_000
    max_depth: int = 64
    max_seconds: float = 30.0


@dataclass(slots=True)
class Listing:
    """What a walk found; ``complete`` is False when a bound was hit or a folder could not be listed."""

    files: list[Entry] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    complete: bool = True


@dataclass(frozen=True, slots=True)
class _Folder:
    raw: bytes
    depth: int
    link: bool


class _Stop(Exception):
    """A bound is reached; what was found so far is the result."""


def walk(root: Root, options: WalkOptions) -> Listing:
    """Lists files and folders below the root, real ones first, then what links add; nothing is opened but folders."""
    walker = _Walk(root, options)
    with suppress(_Stop):
        walker.run()
    listing = walker.listing
    listing.files.sort(key=lambda entry: entry.path)
    listing.folders.sort()
    listing.skipped.sort(key=lambda skip: skip.path)
    return listing


class _Walk:
    """One walk, breadth first: when a bound cuts it short, the paths near the root are there."""

    def __init__(self, root: Root, options: WalkOptions) -> None:
        self.root = root
        self.options = options
        self.rules = IgnoreRules(options.ignore, defaults=options.default_ignores)
        self.listing = Listing()
        self.deadline = time.monotonic() + options.max_seconds
        self.paths = 0
        self.links: deque[_Folder] = deque()
        self.followed: set[tuple[int, int]] = set()

    def run(self) -> None:
        self._spread(_Folder(b"", 0, False))
        while self.links:
            link = self.links.popleft()
            try:
                self._link(link)
            except Refused as refusal:
                self._skip(link.raw, refusal.reason, refusal.detail)

    def _spread(self, start: _Folder) -> None:
        queue = deque([start])
        while queue:
            folder = queue.popleft()
            try:
                with self.root.open(folder.raw) as opened:
                    queue.extend(self._list(folder, opened))
            except Refused as refusal:
                self._skip(folder.raw, refusal.reason, refusal.detail)
            except OSError as error:
                self._skip(folder.raw, Skip.UNREADABLE, error.strerror or "")

    def _list(self, folder: _Folder, opened: Opened) -> list[_Folder]:
        found = self._entries(opened.fd)
        shown = escape_name(folder.raw)
        if folder.raw:
            why = self.rules.marked(shown, {os.fsdecode(raw) for raw, _ in found})
            if why:
                self._skip(folder.raw, Skip.IGNORED, why)
                return []
            self.listing.folders.append(shown)
        inner: list[_Folder] = []
        for name, info in found:
            self._count()
            raw = folder.raw + b"/" + name if folder.raw else name
            if info is None:
                self._skip(raw, Skip.CHANGED, "it vanished")
                continue
            child = _Folder(raw, folder.depth + 1, folder.link)
            if self._take(child, info):
                inner.append(child)
        return inner

    def _entries(self, fd: int) -> list[tuple[bytes, os.stat_result | None]]:
        """Names in a folder with what they are, sorted; more than the bounds allow are not even kept in memory."""
        found: list[tuple[bytes, os.stat_result | None]] = []
        room = self.options.max_files * 4 - self.paths
        with os.scandir(fd) as entries:
            for entry in entries:
                if len(found) > room:
                    break
                if len(found) % 256 == 255:
                    self._check_time()
                try:
                    info = entry.stat(follow_symlinks=False)
                except OSError:
                    info = None
                found.append((os.fsencode(entry.name), info))
        found.sort(key=lambda pair: pair[0])
        return found

    def _take(self, child: _Folder, info: os.stat_result) -> bool:
        """Records one path; True when it is a folder to be listed."""
        is_folder = stat.S_ISDIR(info.st_mode)
        pattern = self.rules.ignores(escape_name(child.raw), folder=is_folder)
        if pattern:
            self._skip(child.raw, Skip.IGNORED, pattern)
        elif is_folder:
            if child.depth <= self.options.max_depth:
                return True
            self._skip(child.raw, Skip.TOO_DEEP)
        elif stat.S_ISLNK(info.st_mode):
            self.links.append(child)
        elif stat.S_ISREG(info.st_mode):
            self._file(child.raw, info, child.link)
        else:
            self._skip(child.raw, Skip.SPECIAL, kind_of(info.st_mode))
        return False

    def _link(self, link: _Folder) -> None:
        """Takes in what a link points to, when that lies inside and is not around the link itself."""
        self._check_time()
        with self.root.open(link.raw) as opened:
            real = b"/".join(opened.real)
            why = self._ignored_target(opened)
            if why:
                self._skip(link.raw, Skip.IGNORED, why)
                return
            if not opened.is_folder:
                self._file(link.raw, opened.stat, True)
                return
            identity = (opened.stat.st_dev, opened.stat.st_ino)
            if self._around(link.raw, real):
                raise Refused(Skip.LINK_LOOP)
            # A link found behind another link is followed only to what no link has led to yet: else chains of
            # folders with two links each would double at every step.
            if link.link and identity in self.followed:
                raise Refused(Skip.LINK_LOOP, "its target is listed already")
            self.followed.add(identity)
        if self.rules.ignores(escape_name(link.raw), folder=True):
            self._skip(link.raw, Skip.IGNORED)
            return
        self._spread(_Folder(link.raw, link.depth, True))

    def _ignored_target(self, opened: Opened) -> str:
        for count in range(1, len(opened.real) + 1):
            folder = count < len(opened.real) or opened.is_folder
            pattern = self.rules.ignores(escape_name(b"/".join(opened.real[:count])), folder=folder)
            if pattern:
                return f"its target, {pattern}"
        return ""

    def _around(self, raw: bytes, real: bytes) -> bool:
        """Whether the folder ``real`` holds the link, by its name or by where it really lies."""
        parent = raw.rpartition(b"/")[0]
        with self.root.open(parent) as above:
            place = b"/".join(above.real)
        return not real or any((path + b"/").startswith(real + b"/") for path in (place, parent))

    def _file(self, raw: bytes, info: os.stat_result, link: bool) -> None:
        if len(self.listing.files) >= self.options.max_files:
            self._stop(Skip.TOO_MANY, f"more than {self.options.max_files}")
        self.listing.files.append(Entry(escape_name(raw), raw, info.st_size, info.st_mtime_ns, link))

    def _skip(self, raw: bytes, reason: Skip, detail: str = "") -> None:
        if reason in _INCOMPLETE:
            self.listing.complete = False
        if len(self.listing.skipped) < _MAX_SKIPPED:
            self.listing.skipped.append(Skipped(escape_name(raw) or ".", reason, detail))

    def _count(self) -> None:
        self.paths += 1
        if self.paths % 256 == 0:
            self._check_time()
        if self.paths > self.options.max_files * 4:
            self._stop(Skip.TOO_MANY, f"more than {self.options.max_files * 4} paths")

    def _check_time(self) -> None:
        if time.monotonic() > self.deadline:
            self._stop(Skip.TOO_SLOW, f"{self.options.max_seconds:g} s")

    def _stop(self, reason: Skip, detail: str) -> None:
        self.listing.complete = False
        self.listing.skipped.append(Skipped(".", reason, detail))
        raise _Stop
