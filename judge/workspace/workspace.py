"""A workspace: the only door to the files an agent left behind. Nothing is ever written through it."""

from __future__ import annotations

import hashlib
import os
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Final

from judge.errors import InputError
from judge.text import decode, escape_name, one_line
from judge.workspace.doors import Refused, Root
from judge.workspace.entry import Content, Entry, Skipped, Text
from judge.workspace.walk import WalkOptions, walk

_BLOCK: Final = 1024 * 1024
_HASH_LIMIT: Final = 64 * _BLOCK
_DIGEST_LIMIT: Final = 512 * _BLOCK


class Workspace:
    """The files below one folder, listed once, read through bounded functions.

    Attributes:
        root: The folder, absolute.
        files: Regular files, and links to ones inside, sorted by path.
        folders: Paths of folders, sorted; the root is not among them.
        skipped: Paths that were left out, with the reason (at most about 10,000).
        complete: False when a bound was hit or a folder could not be listed.
    """

    def __init__(self, root: Root, options: WalkOptions) -> None:
        listing = walk(root, options)
        self._root = root
        self._hashes: dict[str, str] = {}
        self.root: Path = root.alias
        self.options: WalkOptions = options
        self.files: tuple[Entry, ...] = tuple(listing.files)
        self.folders: tuple[str, ...] = tuple(listing.folders)
        self.skipped: tuple[Skipped, ...] = tuple(listing.skipped)
        self.complete: bool = listing.complete

    @classmethod
    def open(cls, root: Path, options: WalkOptions | None = None) -> Workspace:
        """Lists a folder.

        Raises:
            InputError: It is no folder, or cannot be read.
            ConfigError: An ignore pattern makes no sense.
        """
        try:
            found = Root.of(Path(root))
            os.close(os.open(found.path, os.O_RDONLY | os.O_DIRECTORY))
        except (OSError, ValueError) as error:
            reason = (getattr(error, "strerror", None) or str(error)).lower()
            raise InputError(f"no readable workspace folder: {reason}", where=one_line(str(root))) from None
        return cls(found, options or WalkOptions())

    def find(self, path: str) -> Entry | None:
        """The file with that path, in the spellings people use: ``./a``, ``a//b``, ``/workspace/a``; case counts.

        When there is none, the one whose name is the same text in another form of Unicode (``é`` as one character or
        as two), unless there are several.
        """
        names = self._spellings(path)
        found = next((self._entries[name] for name in names if name in self._entries), None)
        if found is None and not path.isascii():
            other = _same_text(names, self._composed)
            found = self._entries.get(other) if other is not None else None
        return found

    def is_folder(self, path: str) -> bool:
        """Whether there is such a folder; the root (``.``) is one."""
        return self._folder(path) is not None

    def children(self, folder: str) -> tuple[Entry, ...]:
        """All files below a folder, at any depth; nothing when there is no such folder."""
        name = self._folder(folder)
        if not name:
            return self.files if name is not None else ()
        start = bisect_left(self._paths, name + "/")
        return self.files[start : bisect_left(self._paths, name + "0")]  # "0" follows "/"

    def read_bytes(self, entry_or_path: Entry | str, limit: int, tail: int = 0) -> Content:
        """The first ``limit`` bytes of a file; what goes wrong is told in ``problem``, never raised.

        Args:
            entry_or_path: The file.
            limit: Bytes at most.
            tail: How many of the last bytes are wanted too when the file is longer than ``limit``.
        """
        entry = self._entry(entry_or_path)
        if entry is None:
            return Content(b"", 0, False, problem="no such file")
        limit = max(0, limit)
        try:
            with self._root.open(entry.raw) as opened:
                if opened.is_folder:
                    return Content(b"", 0, False, problem="a folder took its place")
                data = _read(opened.fd, limit)
                size = max(os.fstat(opened.fd).st_size, len(data))
                if len(data) < limit:
                    size = len(data)  # it was read to its end, whatever its size was said to be
                end = os.pread(opened.fd, min(tail, _BLOCK), max(limit, size - tail)) if tail and size > limit else b""
                after = os.fstat(opened.fd)
                before = opened.stat
        except Refused as refusal:
            return Content(b"", entry.size, False, problem=str(refusal))
        except OSError as error:
            return Content(b"", entry.size, False, problem=f"cannot be read: {error.strerror}")
        problem = ""
        if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
            problem = "changed while it was read"
        elif (before.st_size, before.st_mtime_ns) != (entry.size, entry.mtime_ns):
            problem = "changed after the workspace was listed"
        return Content(data, size, size > len(data), problem, end)

    def read_text(self, entry_or_path: Entry | str, limit: int) -> Text:
        """The text of the first ``limit`` bytes of a file, in whatever encoding it is."""
        content = self.read_bytes(entry_or_path, limit)
        decoded = decode(content.data, truncated=content.truncated)
        return Text(
            decoded.text,
            decoded.encoding,
            lossy=decoded.lossy,
            truncated=content.truncated,
            binary=decoded.binary,
            problem=content.problem,
        )

    def content_hash(self, entry_or_path: Entry | str) -> str:
        """SHA-256 of a file's bytes as hex digits; of its size and first 64 MB when it is larger.

        A file that cannot be read has the hash of its problem.
        """
        entry = self._entry(entry_or_path)
        if entry is None:
            return hashlib.sha256(b"no such file").hexdigest()
        known = self._hashes.get(entry.path)
        if known is None:
            known = self._hashes[entry.path] = self._hash(entry)
        return known

    def digest(self) -> str:
        """SHA-256 over all paths and contents, the same wherever the workspace lies.

        Folders count too. Of contents the first 512 MB are read; files after that count with their size.
        """
        total = hashlib.sha256()
        left = _DIGEST_LIMIT
        for folder in self.folders:
            total.update(b"d " + folder.encode() + b"\n")
        for entry in self.files:
            cost = min(entry.size, _HASH_LIMIT)
            left -= cost
            mark = self.content_hash(entry) if left >= 0 else f"size {entry.size}"
            total.update(f"f {entry.path} {mark}\n".encode())
        return total.hexdigest()

    def display(self, path: Entry | str) -> str:
        """A path for people: one line, with control and formatting characters escaped."""
        return path.path if isinstance(path, Entry) else one_line(path, 1000)

    @cached_property
    def _entries(self) -> dict[str, Entry]:
        return {entry.path: entry for entry in self.files}

    @cached_property
    def _paths(self) -> list[str]:
        return [entry.path for entry in self.files]

    @cached_property
    def _folder_set(self) -> frozenset[str]:
        return frozenset({"", *self.folders})

    @cached_property
    def _composed(self) -> dict[str, str | None]:
        return _by_text(self._entries)

    @cached_property
    def _composed_folders(self) -> dict[str, str | None]:
        return _by_text(self.folders)

    def _folder(self, path: str) -> str | None:
        """The folder that a path means, as listed."""
        names = self._spellings(path)
        found = next((name for name in names if name in self._folder_set), None)
        return found if found is not None or path.isascii() else _same_text(names, self._composed_folders)

    def _entry(self, entry_or_path: Entry | str) -> Entry | None:
        return entry_or_path if isinstance(entry_or_path, Entry) else self.find(entry_or_path)

    def _spellings(self, path: str) -> list[str]:
        """Paths, as listed, that a path written by somebody may mean; the likeliest first."""
        found: list[str] = []
        written = [path]
        if "\\" not in path:
            written.append(escape_name(path.encode("utf-8", "surrogateescape")) if _encodable(path) else path)
        else:
            written += [escape_name(path.encode("utf-8", "surrogatepass")), path.replace("\\", "/")]
        for text in written:
            for base in (str(self._root.alias), str(self._root.path), "/workspace"):
                if text == base or text.startswith(base.rstrip("/") + "/"):
                    found += _tidy(text[len(base) :])
            found += _tidy(text)
        return found

    def _hash(self, entry: Entry) -> str:
        try:
            with self._root.open(entry.raw) as opened:
                if opened.is_folder:
                    return hashlib.sha256(b"a folder").hexdigest()
                return _hash_file(opened.fd)
        except Refused as refusal:
            return hashlib.sha256(str(refusal).encode()).hexdigest()
        except OSError as error:
            return hashlib.sha256(f"unreadable {error.errno}".encode()).hexdigest()


def _by_text(paths: Iterable[str]) -> dict[str, str | None]:
    """Paths by what they say, whatever the form of Unicode; None where several say the same."""
    found: dict[str, str | None] = {}
    for path in paths:
        text = unicodedata.normalize("NFC", path)
        found[text] = None if text in found else path
    return found


def _same_text(names: Iterable[str], composed: Mapping[str, str | None]) -> str | None:
    texts = (unicodedata.normalize("NFC", name) for name in names)
    return next((composed[text] for text in texts if text in composed), None)


def _tidy(path: str) -> list[str]:
    """A written path without ``.``, ``..`` and doubled slashes; nothing when it leads above the root."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            if not parts:
                return []
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return ["/".join(parts)]


def _encodable(path: str) -> bool:
    try:
        path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


def _read(fd: int, limit: int) -> bytes:
    blocks: list[bytes] = []
    left = limit
    while left > 0:
        block = os.read(fd, min(left, _BLOCK))
        if not block:
            break
        blocks.append(block)
        left -= len(block)
    return b"".join(blocks)


def _hash_file(fd: int) -> str:
    digest = hashlib.sha256()
    left = _HASH_LIMIT
    while left > 0:
        block = os.read(fd, min(left, _BLOCK))
        if not block:
            return digest.hexdigest()
        digest.update(block)
        left -= len(block)
    digest.update(f" size {os.fstat(fd).st_size}".encode())
    return digest.hexdigest()
