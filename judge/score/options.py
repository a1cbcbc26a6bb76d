"""How submissions are scored, beside what the suite says."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge.bounded import read_whole
from judge.errors import InputError
from judge.jsontext import plain_message
from judge.near import did_you_mean
from judge.score.quality.rubric import WEIGHTS
from judge.text import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pydantic_core import ErrorDetails

    from judge.score.suite.model import Override

_MAX_BYTES = 1024 * 1024
_SHOWN = 5


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
        InputError: It cannot be read, or an entry is not as it must be; all that is wrong is in the message.
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
    read, wrong = [], []
    for number, item in enumerate(found, start=1):
        try:
            override = Override.model_validate(item)
        except ValidationError as error:
            wrong += [f"entry {number}: {_problem(one)}" for one in error.errors()]
            continue
        if override.item not in WEIGHTS:
            hint = did_you_mean(override.item, WEIGHTS, f"items: {', '.join(WEIGHTS)}")
            wrong.append(f"entry {number}: item: {one_line(override.item, 60)!r} is no item of quality ({hint})")
        read.append(override)
    if wrong:
        more = f"; and {len(wrong) - _SHOWN} more" if len(wrong) > _SHOWN else ""
        raise InputError("; ".join(wrong[:_SHOWN]) + more, where=str(path))
    return tuple(read)


def _problem(error: ErrorDetails) -> str:
    """One problem of an entry, with its key and what keys there are when it is none of them."""
    from judge.score.suite.model import Override

    place = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        hint = did_you_mean(place, Override.model_fields, f"keys: {', '.join(Override.model_fields)}")
        return f"{one_line(place, 60)}: unknown key ({hint})"
    message = plain_message(error["msg"])
    return f"{place}: {message}" if place else message
