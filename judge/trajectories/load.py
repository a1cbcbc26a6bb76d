"""Tells the format of a file or folder, and loads the trajectories in it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from judge.errors import InputError, JudgeError
from judge.jsontext import printable, show_path
from judge.schemas import Trajectory
from judge.trajectories.format import Format, Match
from judge.trajectories.report import Converted
from judge.trajectories.sample import Sample
from judge.trajectories.source import Source

_MANY = 10_000
_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Candidate:
    """A format that a file's content fits.

    Attributes:
        format: The format.
        match: How sure it is, and why.
    """

    format: Format
    match: Match


def detect(path: Path) -> tuple[Candidate, ...]:
    """The formats that a file's or folder's content fits, surest first; equally sure ones in the table's order.

    Raises:
        InputError: It cannot be read.
    """
    sample = Sample(Source.open(entered(path)))
    found = [Candidate(item, match) for item in _formats() if (match := _sniffed(item, sample)) is not None]
    return tuple(sorted(found, key=lambda item: -item.match.confidence))


def entered(path: Path) -> Path:
    """The one file of a folder that is itself of no format; any other path as it is."""
    if not path.is_dir():
        return path
    source = Source.open(path)
    names = source.names()
    if len(names) != 1 or any(_sniffed(item, Sample(source)) is not None for item in _formats()):
        return path
    return path / names[0] if source.file(names[0]) is not None else path


def _formats() -> tuple[Format, ...]:
    """The formats; they are many files, which a command without trajectories need not import."""
    from judge.trajectories.formats import FORMATS

    return FORMATS


def _sniffed(item: Format, sample: Sample) -> Match | None:
    try:
        return item.sniff(sample)
    except Exception:  # noqa: BLE001 - boundary to hostile files: what a format stumbles over is not its own
        return None


def _read(chosen: Format, source: Source) -> Iterator[Converted]:
    """The trajectories that a format's reader gives; what it stumbles over becomes an error of one line."""
    try:
        yield from chosen.read(source)
    except JudgeError:
        raise
    except Exception as error:  # boundary to hostile files: never a traceback for the user
        what = f"cannot be read as {chosen.name}: unexpected content ({type(error).__name__})"
        raise InputError(what, where=show_path(source.path)) from error


def detect_format(path: Path) -> Format | None:
    """The format that a file's content shows; None when it is none that is known, or when it can be several.

    Raises:
        InputError: The file cannot be read.
    """
    found = detect(path)
    if not found or (len(found) > 1 and found[1].match.confidence == found[0].match.confidence):
        return None
    return found[0].format


def choose_format(path: Path, name: str | None = None) -> Format:
    """The format of a file: the one of that name, or the one that its content shows.

    Raises:
        InputError: There is no such format; the content fits none, or several equally well.
    """
    names = ", ".join(item.name for item in _formats())
    if name is not None:
        chosen = next((item for item in _formats() if item.name == name), None)
        if chosen is None:
            raise InputError(f'there is no trajectory format "{printable(name)}"', hint=f"known: {names}")
        return chosen
    found = detect(path)
    if not found:
        kind = "folder" if path.is_dir() else "file"
        what = f"no known trajectory format; {_what_it_is(path)}"
        more = "; name one file of it, or each" if path.is_dir() else ""
        raise InputError(what, where=show_path(path), hint=f"this {kind} was compared with: {names}{more}")
    best = [item for item in found if item.match.confidence == found[0].match.confidence]
    if len(best) > 1:
        fits = "; ".join(f"{item.format.name} ({item.match.why})" for item in best)
        raise InputError(f"can be several formats: {fits}", where=show_path(path), hint="--format names one")
    return found[0].format


def _what_it_is(path: Path) -> str:
    """What a file that is no trajectory seems to be, one clause."""
    sample = Sample(Source.open(path))
    if sample.is_folder:
        return f"a folder of {len(sample.names)} files"
    if not sample.head.strip():
        return "the file is empty"
    if sample.is_lines:
        return "JSON lines of another kind"
    if sample.head.startswith("[") and sample.records == ():
        return "an empty or unreadable list"
    if sample.root is not None:
        keys = ", ".join(printable(key)[:30] for key in islice(sample.root, 6))
        return f"a JSON object with {keys}" if keys else "an empty or unreadable object"
    return "JSON of another kind" if sample.is_list else "text or data of another kind"


def split_name(path: Path) -> tuple[Path, str | None]:
    """A path and the name of one trajectory in it, of ``FILE#NAME``; a path that is there is never taken apart."""
    text = str(path)
    if "#" not in text or os.path.lexists(path):
        return path, None
    base, _, name = text.rpartition("#")
    while base and not os.path.lexists(base) and "#" in base:
        base, _, more = base.rpartition("#")
        name = f"{more}#{name}"
    return (Path(base), name) if base and name and os.path.lexists(base) else (path, None)


def convert(path: Path, format: str | None = None, *, redact: bool = True) -> Iterator[Converted]:
    """Every trajectory of a file or folder with its report, one after the other.

    Args:
        path: The file or folder; ``FILE#NAME`` for one of several trajectories in a file.
        format: The format's name; None to go by the content.
        redact: Whether secrets, e-mail addresses and the user names of home folders are masked.

    Raises:
        InputError: It cannot be read, its format is not known, or nothing in it is of the format.
    """
    place, wanted = split_name(path)
    place = entered(place)
    chosen = choose_format(place, format)
    source = Source.open(place)
    source.redact = redact
    count = 0
    seen: list[str] = []
    for item in islice(_read(chosen, source), _MANY):
        count += 1
        seen.append(item.name)
        if wanted is not None and item.name != wanted:
            continue
        if item.trajectory.steps or item.report.valid_empty:
            yield _finished(item, place)
        elif wanted is not None or count == 1:
            detail = item.trajectory.problems[0] if item.trajectory.problems else "no steps"
            raise InputError(f"cannot be read as {chosen.name}: {detail}", where=show_path(place))
        if wanted is not None:
            return
    if count == 0:
        detail = source.problems[0] if source.problems else "nothing in it is of that format"
        raise InputError(f"cannot be read as {chosen.name}: {detail}", where=show_path(place))
    if wanted is not None:
        raise InputError(f'holds no trajectory "{printable(wanted)}"', where=show_path(place), hint=_listed(seen))


def _finished(item: Converted, path: Path) -> Converted:
    update = {"name": item.name or stem(path.name), "totals": item.report.stated}
    item.trajectory = item.trajectory.model_copy(update=update)
    return item


def load_trajectory(path: Path, format: str | None = None, *, redact: bool = True) -> Trajectory:
    """Loads the trajectory of a file or folder. What is broken in it is listed in its problems.

    Args:
        path: The file or folder; ``FILE#NAME`` for one of several trajectories in a file.
        format: The format's name; None to go by the content.
        redact: Whether secrets, e-mail addresses and the user names of home folders are masked.

    Raises:
        InputError: It cannot be read, its format is not known, nothing in it is of the named format, or it holds
            several trajectories and none is named.
    """
    found = convert(path, format, redact=redact)
    first = next(found, None)
    if first is None:
        raise InputError("holds no trajectory with steps", where=show_path(path))
    others = [item.name for item in islice(found, 200)]
    if others:
        hint = f"name one: {path.name}#NAME; {_listed([first.name, *others])}"
        raise InputError(f"holds {len(others) + 1} trajectories", where=show_path(path), hint=hint)
    return first.trajectory


def _listed(names: list[str]) -> str:
    shown = ", ".join(printable(name)[:80] for name in names[:_SHOWN])
    return f"it holds {shown}" + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")


_SUFFIX = re.compile(
    r"(?:\.(?:trajectory|traj|chat\.history|transcript|session|rollout))?"
    r"\.(?:json|jsonl|ndjson|traj|trajectory|md|txt|log|eval|history)(?:\.(?:gz|zst|zstd))?$",
    re.IGNORECASE,
)


def stem(name: str) -> str:
    """A file's name without the endings that trajectories have."""
    return _SUFFIX.sub("", name) or name
