"""NumPy arrays: npy and npz. Objects in them are never unpickled."""

from __future__ import annotations

import ast
import math
import re
from typing import Any

from judge.readers.columns import Columns
from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.numbers import SAMPLE, measure, remarks, values_of
from judge.readers.opcodes import scan
from judge.readers.parts import Clock
from judge.readers.zipbox import ZipBox, is_zip

_MAGIC = b"\x93NUMPY"
_TYPE = re.compile(r"([<>|=]?)([?biufcSUmMV])(\d{1,6})(?:\[\w+\])?")
_HEADER = 64 * 1024
_TEXTS = 2_000


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
    described, shape, start = _header(data, what)
    if any(side < 0 for side in shape):
        raise ReaderProblem(f"{what}negative shape")
    count = math.prod(shape)
    facts: dict[str, Any] = {"shape": shape, "dtype": described.lstrip("<|="), "values": count}
    match = _TYPE.fullmatch(described)
    if match is None and "O" in described:
        return _objects(data, start, facts, what)
    if count == 0:
        return facts, f"{what}no values in it", State.EMPTY
    if match is None:
        names = re.findall(r"\('([^']{1,100})',", described)
        return facts | ({"columns": names} if names else {}), "", State.SOUND
    order, kind, item = match.group(1), match.group(2), int(match.group(3)) * (4 if match.group(2) == "U" else 1)
    if start + count * item > size:
        return facts, f"{what}the end is missing", State.BROKEN
    facts.update(_values(data[start : start + min(count, SAMPLE) * item], order, kind, item))
    return facts, "", State.SOUND


def _objects(data: bytes, start: int, facts: dict[str, Any], what: str) -> tuple[dict[str, Any], str, State]:
    """An array of Python objects is a pickle behind the header: its opcodes are looked at, it is not loaded."""
    stream = scan(data, start, Clock(2.0))
    facts |= {"objects": True, "classes": list(stream.names)[:100]}
    if stream.harmful:
        return facts, f"loading it would call {', '.join(stream.harmful[:5])}", State.PARTIAL
    return facts, f"{what}pickled objects, not looked into", State.PARTIAL


def _values(data: bytes, order: str, kind: str, item: int) -> dict[str, Any]:
    """What can be measured on the first values; numpy would take longer to import than all of this."""
    usable = len(data) // item * item if item else 0
    if not usable:
        return {}
    if kind in "SU":
        return _texts(data, order, kind, item)
    numbers = values_of(data[:usable], f"{'b' if kind == '?' else kind}{item}", order)
    if numbers is not None:
        return measure(numbers)
    constant = usable > item and data[: usable - item] == data[item:usable]
    return {"sampled": usable // item, "all_constant": constant}


def _texts(data: bytes, order: str, kind: str, item: int) -> dict[str, Any]:
    encoding = "latin-1" if kind == "S" else f"utf-32-{'be' if order == '>' else 'le'}"
    cells = [data[at : at + item].decode(encoding, "replace").rstrip("\0") for at in range(0, len(data), item)[:_TEXTS]]
    columns = Columns(1)
    for cell in cells:
        columns.add([cell])
    counts = columns.facts(["values"])["value_counts"].get("values")
    facts = {"sampled": len(cells), "begins_with": [cell[:80] for cell in cells[:5]]}
    return facts | {"all_constant": len(set(cells)) == 1 < len(cells)} | ({"value_counts": counts} if counts else {})


def _read_npy(source: Source, limits: Limits) -> Document:
    facts, problem, state = _measure(source.data, source.size, "")
    problems = [problem] if problem else []
    problems += remarks(facts)
    text = f"array of {_line(facts)}"
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
        problems += ([problem] if problem else []) + remarks(facts, f"{short}: ")
    for worst in (State.BROKEN, State.PARTIAL):
        if worst in states:
            state = worst
            break
    else:
        state = State.SOUND if State.SOUND in states else State.EMPTY
    text = "\n".join(f"{name}: {_line(facts)}" for name, facts in arrays.items())
    return Document(
        source.path,
        "npz",
        Family.ARRAY,
        state,
        text,
        {"arrays": arrays, "names": list(arrays), "members": list(arrays)},
        problems=tuple(problems),
    )


def _line(facts: dict[str, Any]) -> str:
    spread = f", {facts['min']:.6g} to {facts['max']:.6g}, mean {facts['mean']:.6g}" if "mean" in facts else ""
    like = f", {facts['like']}" if facts.get("like") else ""
    return f"shape {tuple(facts.get('shape') or ())}, {facts.get('dtype')}{spread}{like}"


def _sniff_npz(data: bytes) -> bool:
    return is_zip(data) and data[30:200].find(b".npy") > 0


NPY = Reader("npy", frozenset({".npy"}), lambda data: data.startswith(_MAGIC), _read_npy, kin="model")
NPZ = Reader("npz", frozenset({".npz"}), _sniff_npz, _read_npz, isolated=True, kin="model")
