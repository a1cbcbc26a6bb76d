"""Stored baselines: how a known solution compares with a ruler, as ratios, so that they hold on another machine."""

from __future__ import annotations

import hashlib
import json
import platform
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, ValidationError

from judge.atomic import write_atomic
from judge.errors import InputError
from judge.results.score import Interval
from judge.schemas import Frozen
from judge.score.performance.kernels import KERNELS

if TYPE_CHECKING:
    from pathlib import Path

    from judge.score.suite.model import LoadedSuite

MAX_BYTES = 1_000_000
Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Baseline(Frozen):
    """What ``judge score baseline`` writes; seconds are for people only and never compared."""

    schema_version: Literal[1] = 1
    problem: str
    ruler: Literal["reference", "calibration"]
    """What the solution was timed against: the suite's reference, or the calibration kernels (weak)."""
    cpu: Interval
    """CPU time of the solution over that of the ruler."""
    wall: Interval
    iterations: Annotated[int, Field(ge=1)]
    loops: Annotated[int, Field(ge=1, le=1_000_000)]
    """Inputs of one sample."""
    seed: int
    size: int
    suite_hash: Hash
    """Over all that changes what is timed: target, reference, inputs and their size."""
    solution_hash: Hash
    python: str
    """Major and minor version."""
    python_build: str = ""
    cpu_model: str = ""
    solution_s: tuple[float, ...] = ()
    """CPU seconds of the smallest sample of each iteration; for information."""
    ruler_s: tuple[float, ...] = ()


def suite_hash(loaded: LoadedSuite, ruler: str) -> str:
    """SHA-256 over everything that changes what is timed.

    Titles, cases and tolerances are left out: to edit them must not make a baseline stale.

    Args:
        loaded: The suite.
        ruler: ``reference`` or ``calibration``.
    """
    suite = loaded.suite
    inputs = suite.performance.inputs
    parts = [
        suite.target.model_dump(mode="json"),
        suite.reference.model_dump(mode="json") if suite.reference else None,
        inputs.model_dump(mode="json") if inputs else None,
        {name: hashlib.sha256(data).hexdigest() for name, data in sorted(loaded.files.items())},
        hashlib.sha256(KERNELS).hexdigest() if ruler == "calibration" else "",
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def python_minor() -> str:
    """Major and minor version of this interpreter, such as ``3.12``."""
    return ".".join(platform.python_version_tuple()[:2])


def baseline_path(loaded: LoadedSuite) -> Path | None:
    """Where the suite's baseline is, beside the suite; None when it names none."""
    name = loaded.suite.performance.baseline
    return loaded.path.parent / name if name else None


def load_baseline(path: Path) -> Baseline:
    """Reads a baseline.

    Raises:
        InputError: It cannot be read, or is no baseline.
    """
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(
            f"the baseline cannot be read: {error.strerror or error}",
            where=str(path),
            hint="record it with `judge score baseline`",
        ) from error
    if len(data) > MAX_BYTES:
        raise InputError(f"has more than {MAX_BYTES:,} bytes", where=str(path), hint="this is no baseline")
    try:
        baseline = Baseline.model_validate_json(data)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise InputError(
            f"is no baseline: {place + ': ' if place else ''}{first['msg']}",
            where=str(path),
            hint="record it anew with `judge score baseline`",
        ) from error
    _check(baseline, path)
    return baseline


def write_baseline(baseline: Baseline, path: Path) -> None:
    """Writes a baseline, whole or not at all.

    Raises:
        InputError: It cannot be written.
    """
    try:
        write_atomic(path, f"{baseline.model_dump_json(indent=2)}\n".encode())
    except OSError as error:
        raise InputError(
            f"cannot be written: {error.strerror or error}", where=str(path), hint="choose another place"
        ) from error


def staleness(baseline: Baseline, loaded: LoadedSuite) -> str:
    """Why a baseline must not be compared with any more, one sentence; empty when it may.

    Args:
        baseline: What was recorded.
        loaded: The suite as it is now.
    """
    if baseline.problem != loaded.suite.problem:
        return f"it was recorded for {baseline.problem!r}"
    if baseline.ruler == "calibration" and loaded.suite.reference is not None:
        return "it was recorded without the reference that the suite has now"
    if baseline.suite_hash != suite_hash(loaded, baseline.ruler):
        return "the target, the reference or the timed inputs have changed since it was recorded"
    if baseline.python != python_minor():
        return f"it was recorded with Python {baseline.python}, this is {python_minor()}"
    return ""


def _check(baseline: Baseline, path: Path) -> None:
    for name in ("cpu", "wall"):
        interval: Interval = getattr(baseline, name)
        if not 0 < interval.low <= interval.median <= interval.high < float("inf"):
            raise InputError(
                f"is no baseline: {name} is no interval of a ratio",
                where=str(path),
                hint="record it anew with `judge score baseline`",
            )
