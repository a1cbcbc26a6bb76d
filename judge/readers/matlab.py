"""MATLAB files: names, shapes and kinds of the variables, and what the numbers in them are like."""

from __future__ import annotations

import io
import math
import warnings
import zlib
from typing import Any

from judge.readers import hdf
from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.extras import advice, bring
from judge.readers.hdfhead import is_hdf
from judge.readers.numbers import SAMPLE, measure, remarks, values_of
from judge.readers.parts import Clock

_HEAD = b"MATLAB 5.0 MAT-file"
_NUMERIC = frozenset("double single logical int8 uint8 int16 uint16 int32 uint32 int64 uint64".split())
_MAX_VALUES = 5_000_000
_MAX_PACKED = 64 * 1024 * 1024


def _read(source: Source, limits: Limits) -> Document:
    if is_hdf(source.data):
        document = hdf.READER.read(source, limits)
        return Document(
            source.path, "mat", Family.ARRAY, document.state, document.text, document.facts, problems=document.problems
        )
    about = source.data[:116].decode("latin-1").strip("\0 ") if source.data.startswith(b"MATLAB") else ""
    if source.truncated:
        problem = "larger than the bounds allow, not opened"
        return Document(source.path, "mat", Family.ARRAY, State.PARTIAL, about, problems=(problem,))
    try:
        scipy_io = bring("scipy.io", "data")
    except ReaderProblem:
        facts = {"install": "judge[data]"}
        return Document(source.path, "mat", Family.ARRAY, State.PARTIAL, about, facts, problems=(advice("data"),))
    if about:
        _check(source.data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _variables(scipy_io, source, limits, about)


def _check(data: bytes) -> None:
    """Goes from variable to variable: each must end within the file and unpack to no more than the bounds.

    Raises:
        ReaderProblem: It does not.
    """
    order = "little" if data[126:128] == b"IM" else "big"
    at = 128
    while at < len(data):
        kind = int.from_bytes(data[at : at + 4], order)  # type: ignore[arg-type]
        length = int.from_bytes(data[at + 4 : at + 8], order)  # type: ignore[arg-type]
        if at + 8 + length > len(data):
            raise ReaderProblem("the end is missing")
        if kind == 15:
            unpacker = zlib.decompressobj()
            try:
                unpacker.decompress(data[at + 8 : at + 8 + length], _MAX_PACKED)
            except zlib.error as error:
                raise ReaderProblem(f"damaged: {error}") from None
            if unpacker.unconsumed_tail and not unpacker.eof:
                raise ReaderProblem("a variable unpacks to more than the bounds allow", State.UNREADABLE)
        at += 8 + length


def _variables(scipy_io: Any, source: Source, limits: Limits, about: str) -> Document:
    clock = Clock(limits.max_seconds * 0.6)
    try:
        listed = scipy_io.whosmat(io.BytesIO(source.data))
    except Exception as error:  # noqa: BLE001 - task boundary: damaged parts lead the library anywhere
        raise ReaderProblem(f"damaged: {type(error).__name__}: {str(error)[:150]}") from None
    arrays: dict[str, Any] = {}
    problems: list[str] = []
    lines = [about] if about else []
    state = State.SOUND
    for name, shape, kind in listed[:200]:
        facts: dict[str, Any] = {"shape": [int(side) for side in shape], "dtype": kind, "values": math.prod(shape)}
        if not about and facts["values"] > len(source.data):  # values of version 4 lie there as they are
            state = State.BROKEN
            problems.append(f"{name}: {facts['values']} values are announced, the end is missing")
        elif kind in _NUMERIC and 0 < facts["values"] <= _MAX_VALUES and not clock.over:
            try:
                facts |= _measure(scipy_io, source.data, name)
            except Exception as error:  # noqa: BLE001 - task boundary, as above
                state = State.BROKEN
                problems.append(f"{name} cannot be read: {type(error).__name__}: {str(error)[:100]}")
        arrays[str(name)[:200]] = facts
        problems += remarks(facts, f"{name}: ") if len(problems) < 10 else []
        spread = f", {facts['min']:.6g} to {facts['max']:.6g}" if "min" in facts else ""
        lines.append(f"{name}: {kind} of shape {tuple(facts['shape'])}{spread}")
    if not any(facts["values"] for facts in arrays.values()) and state is State.SOUND:
        state = State.EMPTY
        problems.append("no values in it")
    known = {"arrays": arrays, "names": list(arrays)}
    return Document(source.path, "mat", Family.ARRAY, state, "\n".join(lines), known, problems=tuple(problems))


def _measure(scipy_io: Any, data: bytes, name: str) -> dict[str, Any]:
    value = scipy_io.loadmat(io.BytesIO(data), variable_names=[name])[name]
    flat = value.reshape(-1, order="F")[:SAMPLE]
    if flat.dtype.kind not in "biufc":
        return {}
    native = flat.astype(flat.dtype.newbyteorder("<"))
    return measure(values_of(native.tobytes(), f"{flat.dtype.kind}{flat.dtype.itemsize}") or ())


def _sniff_old(data: bytes) -> bool:
    """Version 4 begins with a small number for its kind, then the sides of a matrix and the length of its name."""
    kind = int.from_bytes(data[:4], "little")
    return len(data) > 20 and kind in {0, 1, 2, 10, 20, 30, 40, 50} and 0 < int.from_bytes(data[16:20], "little") < 64


_SUFFIXES = frozenset({".mat"})
READER = Reader(
    "mat",
    _SUFFIXES,
    lambda data: data.startswith((_HEAD, b"MATLAB 7.3 MAT-file")),
    _read,
    isolated=True,
    kin="model",
)
OLD_READER = Reader("old mat", _SUFFIXES, _sniff_old, _read, isolated=True, kin="model")
"""For the extension only: what it begins with is too little to know it by."""
