"""GGUF: what the file says of the model, and its tensors."""

from __future__ import annotations

import math
import struct
from typing import Any

from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State

_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_TEXT, _ARRAY = 8, 9
# Name, values in a block, bytes of a block.
_TYPES = {
    0: ("F32", 1, 4), 1: ("F16", 1, 2), 2: ("Q4_0", 32, 18), 3: ("Q4_1", 32, 20), 6: ("Q5_0", 32, 22),
    7: ("Q5_1", 32, 24), 8: ("Q8_0", 32, 34), 9: ("Q8_1", 32, 40), 10: ("Q2_K", 256, 84), 11: ("Q3_K", 256, 110),
    12: ("Q4_K", 256, 144), 13: ("Q5_K", 256, 176), 14: ("Q6_K", 256, 210), 15: ("Q8_K", 256, 292),
    24: ("I8", 1, 1), 25: ("I16", 1, 2), 26: ("I32", 1, 4), 27: ("I64", 1, 8), 28: ("F64", 1, 8), 30: ("BF16", 1, 2),
}  # fmt: skip
_MAX = 1_000_000
_SHOWN = 200


def _read(source: Source, limits: Limits) -> Document:
    head = _Head(source.data)
    try:
        version, tensors, pairs = head.unpack("<IQQ")
        if tensors > _MAX or pairs > _MAX or not 1 <= version <= 10:
            raise ReaderProblem("damaged header")
        about = dict(head.pair() for _ in range(pairs))
        parts = [head.tensor() for _ in range(tensors)]
    except (struct.error, IndexError, ValueError, OverflowError):
        if source.truncated:
            raise ReaderProblem("larger than the bounds allow, its directory lies outside", State.PARTIAL) from None
        raise ReaderProblem("cut within its directory") from None
    wide = about.get("general.alignment")
    step = wide if isinstance(wide, int) and 0 < wide <= 1 << 16 else 32
    start = -(-head.at // step) * step
    end = max((start + offset + _bytes(shape, kind) for _, shape, kind, offset in parts), default=0)
    types: dict[str, int] = {}
    for _, _, kind, _ in parts:
        name = _TYPES.get(kind, (f"type {kind}", 1, 0))[0]
        types[name] = types.get(name, 0) + 1
    facts: dict[str, Any] = {
        "version": version,
        "tensors": tensors,
        "parameters": sum(math.prod(shape) for _, shape, _, _ in parts),
        "architecture": str(about.get("general.architecture", ""))[:80],
        "name": str(about.get("general.name", ""))[:200],
        "tensor_types": types,
        "metadata": {key: value for key, value in list(about.items())[:100]},
        "tensor_names": [name for name, _, _, _ in parts[:_SHOWN]],
    }
    problems = [] if parts else ["no tensors in it"]
    state = State.SOUND if parts else State.EMPTY
    if end > source.size:
        state = State.BROKEN
        problems.append(f"the end is missing: {end} bytes are announced, {source.size} are there")
    lines = [f"{key} = {value}" for key, value in list(about.items())[:100]]
    lines += [f"{name} {_TYPES.get(kind, ('?',))[0]} {shape}" for name, shape, kind, _ in parts[:_SHOWN]]
    return Document(source.path, "gguf", Family.MODEL, state, "\n".join(lines), facts, problems=tuple(problems))


def _bytes(shape: list[int], kind: int) -> int:
    _, block, size = _TYPES.get(kind, ("", 1, 0))
    return math.prod(shape) // block * size


class _Head:
    """The directory at the beginning of a file."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 4

    def unpack(self, code: str) -> tuple[Any, ...]:
        found = struct.unpack_from(code, self.data, self.at)
        self.at += struct.calcsize(code)
        return found

    def text(self, limit: int = 200) -> str:
        (length,) = self.unpack("<Q")
        if length > len(self.data) - self.at:
            raise IndexError
        raw = self.data[self.at : self.at + min(length, limit * 4)]
        self.at += length
        return raw.decode("utf-8", "replace")[:limit]

    def pair(self) -> tuple[str, Any]:
        name = self.text()
        (kind,) = self.unpack("<I")
        return name, self._value(kind, 0)

    def _value(self, kind: int, depth: int) -> Any:
        if kind == _TEXT:
            return self.text()
        if kind in _SCALARS:
            return self.unpack("<" + _SCALARS[kind])[0]
        if kind != _ARRAY or depth > 4:
            raise ValueError(f"no kind of value {kind}")
        inner, count = self.unpack("<IQ")
        if inner in _SCALARS:
            size = struct.calcsize("<" + _SCALARS[inner])
            if count * size > len(self.data) - self.at:
                raise IndexError
            self.at += count * size
        else:
            if count * 8 > len(self.data) - self.at:
                raise IndexError
            for _ in range(count):
                self._value(inner, depth + 1)
        return f"{count} values"

    def tensor(self) -> tuple[str, list[int], int, int]:
        name = self.text()
        (dimensions,) = self.unpack("<I")
        if dimensions > 8:
            raise ValueError("too many dimensions")
        shape = [int(side) for side in self.unpack(f"<{dimensions}Q")]
        kind, offset = self.unpack("<IQ")
        return name, shape, kind, offset


READER = Reader("gguf", frozenset({".gguf"}), lambda data: data.startswith(b"GGUF"), _read, isolated=True, kin="model")
