"""Submissions: the files that are scored, found below the paths that a user names."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge.errors import InputError
from judge.text import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

MAX_BYTES = 256 * 1024
"""A file of more bytes is not taken for the code of one function."""

_MAX_FILES = 20_000
_MAIN = "submission.py"
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class Submission:
    """One file to score.

    Attributes:
        name: Its path below the folder that was named, with ``/``.
        model: The folder it lies in, when a folder holds the samples of one model; else empty.
        path: Where it is.
        source: Its bytes.
    """

    name: str
    model: str
    path: Path
    source: bytes

    @property
    def files(self) -> dict[str, bytes]:
        """What its worker sees: the source under a fixed name, so that no path of the machine shows."""
        return {_MAIN: self.source}

    @property
    def main(self) -> str:
        """The name of its file inside the worker."""
        return _MAIN

    @property
    def digest(self) -> str:
        """SHA-256 of the source, hexadecimal."""
        return hashlib.sha256(self.source).hexdigest()


def find_submissions(paths: Sequence[Path]) -> tuple[Submission, ...]:
    """Reads every submission below the given files and folders.

    A file is one submission. In a folder each ``.py`` file is one, and the files of a subfolder are the samples of one
    model, named like the subfolder. Of several folders each is one model's. Hidden files and folders,
    ``__pycache__``, ``__init__.py`` and links that leave the folder are passed over.

    Args:
        paths: Files and folders.

    Raises:
        InputError: A path cannot be read, a file is too big, or there is no submission.
    """
    found: dict[str, Submission] = {}
    several = sum(path.is_dir() for path in paths) > 1
    for path in paths:
        for item in _below(path, path.resolve().name if several else ""):
            name = one_line(item.name, _LONGEST)
            count = 1
            while name in found and found[name].path != item.path:
                count += 1
                name = f"{one_line(item.name, _LONGEST)} ({count})"
            found[name] = Submission(name, one_line(item.model, _LONGEST), item.path, item.source)
            if len(found) > _MAX_FILES:
                raise InputError(f"more than {_MAX_FILES:,} submissions", where=str(path), hint="name fewer folders")
    if not found:
        raise InputError(
            "no submission there",
            where=", ".join(str(path) for path in paths),
            hint="name .py files or folders of them",
        )
    return tuple(found.values())


def _below(path: Path, model_of_all: str) -> list[Submission]:
    if path.is_file():
        return [Submission(path.name, "", path, _read(path))]
    if not path.is_dir():
        raise InputError("no such file or folder", where=str(path), hint="name .py files or folders of them")
    root = path.resolve()
    found = []
    for file in sorted(path.rglob("*.py")):
        parts = file.relative_to(path).parts
        if file.name == "__init__.py" or any(part.startswith(".") or part == "__pycache__" for part in parts):
            continue
        if not file.is_file() or not file.resolve().is_relative_to(root):
            continue
        if model_of_all:
            parts = (model_of_all, *parts)
        found.append(Submission("/".join(parts), "/".join(parts[:-1]), file, _read(file)))
    return found


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", where=str(path)) from error
    if len(data) > MAX_BYTES:
        raise InputError(f"has more than {MAX_BYTES:,} bytes", where=str(path), hint="a submission is one small file")
    return data
