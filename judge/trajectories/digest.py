"""A hash of everything that a trajectory is read from, so that a changed one is not taken for the same."""

from __future__ import annotations

import hashlib
from pathlib import Path

from judge.errors import InputError
from judge.trajectories.load import split_name
from judge.trajectories.source import Source

_BLOCK = 1024 * 1024


def trajectory_digest(path: Path) -> str:
    """SHA-256 of a file, of a folder's files with their names, or of ``FILE#NAME``; files of sub-agents count, too.

    What cannot be read is hashed as its error.
    """
    place, name = split_name(path)
    digest = hashlib.sha256()
    if place.is_dir():
        _folder(place, digest)
    else:
        _file(place, digest)
        beside = place.parent / place.name.partition(".")[0]
        if place.name.endswith((".jsonl", ".jsonl.gz")):
            if beside != place and beside.is_dir():
                _folder(beside, digest)
            for path in sorted(place.parent.glob("agent-*.jsonl")):
                digest.update(f"\n{path.name}\n".encode("utf-8", "surrogatepass"))
                _file(path, digest)
    if name is not None:
        digest.update(f"#{name}".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _folder(place: Path, digest: hashlib._Hash) -> None:
    try:
        names = Source.open(place).names()
    except InputError as error:
        digest.update(f"unreadable: {error.what}".encode())
        return
    for name in names:
        digest.update(f"\n{name}\n".encode("utf-8", "surrogatepass"))
        _file(place / name, digest)


def _file(path: Path, digest: hashlib._Hash) -> None:
    try:
        with path.open("rb") as stream:
            while block := stream.read(_BLOCK):
                digest.update(block)
    except OSError as error:
        digest.update(f"unreadable: {error.strerror}".encode())
