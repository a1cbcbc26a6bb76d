"""NumPy arrays: npy and npz. Objects in them are never unpickled."""

from __future__ import annotations

import array
import ast
import math
import re
import struct
import sys
from collections.abc import Sequence
from typing import Any

from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.zipbox import ZipBox, is_zip

_MAGIC = b"\x93NUMPY"
_MEASURED = 200_000
_TYPE = re.compile(r"([<>|=]?)([?biufcSUmM])(\d{1,6})(?:\[\w+\])?")
_CODES = {
    "b1": "b",
    "?1": "b",
    "i1": "b",
    "u1": "B",
    "i2": "h",
    "u2": "H",
    "i4": "i",
    "u4": "I",
    "i8": "q",
    "u8": "Q",
} | {
    "f2": "e",
    "f4": "f",
    "f8": "d",
}
_HEADER = 64 * 1024


def _header(data: bytes, what: str) -> tuple[str, list[int], int]:
    """Type, shape and the position of the first value."""
    wide = data[6:7] != b"\x01"
    start = 12 if wide else 10
    length = int.from_bytes(data[8:start], "little")
    if length > _HEADER or len(data) < start + length:
        raise ReaderProblem(f"{what}damaged header")
    try:
        parts = ast.literal_eval(data[start : start + length].decode("utf-8").strip())
        shape = [int(side) for side in parts["shape"]]
        return str(parts["descr"]), shape, start + length
    except (ValueError, SyntaxError, TypeError, KeyError, RecursionError, MemoryError) as error:
        raise ReaderProblem(f"{what}damaged header: {type(error).__name__}") from None


def _measure(data: bytes, size: int, what: str) -> tuple[dict[str, Any], str, State]:
    """Facts, a problem and the state of one array file of that size, of which these are the first bytes."""
    descr, shape, start = _header(data, what)
    if any(side < 0 for side in shape):
        raise ReaderProblem(f"{what}negative shape")
    count = math.prod(shape)
    match = _TYPE.fullmatch(descr)
    facts: dict[str, Any] = {"shape": shape, "dtype": descr.lstrip("<|="), "values": count}
    if match is None:
        if "O" in descr:
            return {**facts, "objects": True}, f"{what}pickled objects, not looked into", State.PARTIAL
        return (
            facts,
            f"{what}records, not looked into" if count else f"{what}no values in it",
            (State.SOUND if count else State.EMPTY),
        )
    if count == 0:
        return facts, f"{what}no values in it", State.EMPTY
    order, kind, item = match.group(1), match.group(2), int(match.group(3)) * (4 if match.group(2) == "U" else 1)
    if start + count * item > size:
        return facts, f"{what}the end is missing", State.BROKEN
    facts.update(_values(data[start : start + min(count, _MEASURED) * item], order, kind, item))
    return facts, "", State.SOUND


def _values(data: bytes, order: str, kind: str, item: int) -> dict[str, Any]:
    """What can be measured on the first values; numpy would take longer to import than all of this."""
    code = _CODES.get(f"{kind}{item}")
    usable = len(data) // item * item if item else 0
    if not usable:
        return {}
    constant = usable > item and data[: usable - item] == data[item:usable]
    facts: dict[str, Any] = {"sampled": usable // item, "all_constant": constant}
    if code is None:
        return facts
    if code == "e":
        values: Sequence[float] = [
            value for (value,) in struct.iter_unpack(f"{order or '<'}e".replace("=", "<"), data[:usable])
        ]
    else:
        numbers = array.array(code)
        numbers.frombytes(data[:usable])
        if (order == ">") != (sys.byteorder == "big"):
            numbers.byteswap()
        values = numbers
    finite = [value for value in values if math.isfinite(value)]
    facts["finite_share"] = round(len(finite) / len(values), 6)
    if finite:
        facts.update(min=min(finite), max=max(finite), mean=math.fsum(value / len(finite) for value in finite))
    return facts


def _read_npy(source: Source, limits: Limits) -> Document:
    facts, problem, state = _measure(source.data, source.size, "")
    problems = [problem] if problem else []
    problems += _remarks(facts, "")
    text = f"array of shape {tuple(facts['shape'])}, {facts['dtype']}"
    return Document(source.path, "npy", Family.ARRAY, state, text, facts, problems=tuple(problems))


def _read_npz(source: Source, limits: Limits) -> Document:
    box = ZipBox(source, limits)
    box.check_bomb()
    arrays: dict[str, Any] = {}
    problems: list[str] = []
    states: list[State] = []
    for name in [name for name in box.names if name.endswith(".npy")][: limits.max_pages]:
        short = name.removesuffix(".npy")
        try:
            facts, problem, state = _measure(box.read(name), box.size(name), f"{short}: ")
        except ReaderProblem as error:
            if not source.truncated:
                raise
            facts, problem, state = {}, f"{short}: {error}", State.PARTIAL
        arrays[short] = facts
        states.append(state)
        problems += ([problem] if problem else []) + _remarks(facts, f"{short}: ")
    for worst in (State.BROKEN, State.PARTIAL):
        if worst in states:
            state = worst
            break
    else:
        state = State.SOUND if State.SOUND in states else State.EMPTY
    text = "\n".join(f"{name}: shape {facts.get('shape')}, {facts.get('dtype')}" for name, facts in arrays.items())
    return Document(
        source.path,
        "npz",
        Family.ARRAY,
        state,
        text,
        {"arrays": arrays, "members": list(arrays)},
        problems=tuple(problems),
    )


def _remarks(facts: dict[str, Any], what: str) -> list[str]:
    remarks = []
    if facts.get("all_constant"):
        remarks.append(f"{what}all values that were looked at are the same")
    if facts.get("finite_share", 1.0) < 1.0:
        remarks.append(f"{what}values that are not finite")
    return remarks


def _sniff_npz(data: bytes) -> bool:
    return is_zip(data) and data[30:200].find(b".npy") > 0


NPY = Reader("npy", frozenset({".npy"}), lambda data: data.startswith(_MAGIC), _read_npy, kin="model")
NPZ = Reader("npz", frozenset({".npz"}), _sniff_npz, _read_npz, isolated=True, kin="model")
READERS = (NPY, NPZ)
