"""How submissions are scored, beside what the suite says."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge.errors import InputError
from judge.jsontext import read_whole

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from judge.score.suite.model import Override

_MAX_BYTES = 1024 * 1024


@dataclass(frozen=True)
class ScoreOptions:
    """What a user chooses.

    Attributes:
        performance: Whether speed is measured.
        overrides: A reviewer's values beside those of the suite.
    """

    performance: bool = True
    overrides: Sequence[Override] = ()

    def key(self) -> str:
        """A digest of everything that changes a score."""
        parts = [str(self.performance), *(item.model_dump_json() for item in self.overrides)]
        return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


def load_overrides(path: Path) -> tuple[Override, ...]:
    """Reads a reviewer's values: a YAML list of submission, item, value, author, reason.

    Args:
        path: The file.

    Raises:
        InputError: It cannot be read, or an entry is not as it must be.
    """
    import yaml
    from pydantic import ValidationError

    from judge.score.suite.model import Override

    try:
        data = read_whole(path, _MAX_BYTES)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", where=str(path)) from error
    try:
        found = yaml.safe_load(data)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise InputError(f"is no YAML: {' '.join(str(error).split())[:200]}", where=str(path)) from error
    if not isinstance(found, list):
        raise InputError(
            "must be a list of overrides", where=str(path), hint="each with submission, item, value, author, reason"
        )
    read = []
    for number, item in enumerate(found, start=1):
        try:
            read.append(Override.model_validate(item))
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(part) for part in first["loc"])
            raise InputError(f"entry {number}: {place}: {first['msg']}", where=str(path)) from error
    return tuple(read)
