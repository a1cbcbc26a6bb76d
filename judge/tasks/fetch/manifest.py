"""What was downloaded, with checksums: makes a second run cheap and any change visible."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from judge.errors import InputError
from judge.schemas import SCHEMA_VERSION, Frozen

MANIFEST = "devai-manifest.json"


class FileRecord(Frozen):
    """One downloaded file."""

    sha256: str
    size: int
    git: str = ""
    """The git blob id that the source named; empty when it named none."""


class Manifest(Frozen):
    """All downloaded files of one version."""

    schema_version: int = SCHEMA_VERSION
    source: str
    ref: str
    commit: str
    files: dict[str, FileRecord] = Field(default_factory=dict)


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest of a folder; None when there is none or it cannot be used."""
    try:
        return Manifest.model_validate_json((folder / MANIFEST).read_bytes())
    except (OSError, ValidationError, ValueError):
        return None


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Writes the manifest at once or not at all."""
    data: dict[str, Any] = manifest.model_dump(mode="json")
    data["files"] = dict(sorted(data["files"].items()))
    part = folder / f".{MANIFEST}.part"
    with part.open("w", encoding="utf-8") as stream:
        json.dump(data, stream, indent=1)
        stream.write("\n")
        stream.flush()
        os.fsync(stream.fileno())
    part.replace(folder / MANIFEST)


def digests(path: Path) -> tuple[str, str, int]:
    """SHA-256, git blob id and size of a file."""
    size = path.stat().st_size
    sha256, git = hashlib.sha256(), hashlib.sha1(f"blob {size}\0".encode(), usedforsecurity=False)
    with path.open("rb") as stream:
        while chunk := stream.read(1024 * 1024):
            sha256.update(chunk)
            git.update(chunk)
    return sha256.hexdigest(), git.hexdigest(), size


def safe_target(folder: Path, path: str) -> Path:
    """The file below the folder; refuses a way that leads through a link and so may leave it.

    Raises:
        InputError: A part of the path is a link.
    """
    target = folder
    for part in path.split("/"):
        target = target / part
        if target.is_symlink():
            raise InputError("is a link; the data set is not written through links", where=str(target))
    return target
