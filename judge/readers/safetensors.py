"""Safetensors: names, types and shapes of the tensors, and what their first values are like."""

from __future__ import annotations

import json
import math
from typing import Any

from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.parts import Clock
from judge.readers.tensors import Tensors

_HEADER = 16 * 1024 * 1024
_KINDS = {
    "F64": "f8", "F32": "f4", "F16": "f2", "BF16": "bf2", "I64": "i8", "I32": "i4", "I16": "i2", "I8": "i1",
    "U8": "u1", "U16": "u2", "U32": "u4", "U64": "u8", "BOOL": "b1",
}  # fmt: skip


def _read(source: Source, limits: Limits) -> Document:
    length = int.from_bytes(source.data[:8], "little")
    if not 2 <= length <= min(_HEADER, source.size - 8) or len(source.data) < 8 + length:
        raise ReaderProblem("damaged header")
    tensors = Tensors(Clock(limits.max_seconds / 2))
    problems: list[str] = []
    try:
        header = json.loads(source.data[8 : 8 + length])
        parts = {name: part for name, part in header.items() if name != "__metadata__"}
        furthest = 0
        for name, part in parts.items():
            start, end = (int(place) for place in part["data_offsets"])
            shape = [int(side) for side in part["shape"]]
            kind = _KINDS.get(str(part["dtype"]), "")
            if not 0 <= start <= end or min(shape, default=0) < 0:
                raise ValueError("a place that cannot be")
            if kind and math.prod(shape) * int(kind[-1]) != end - start and len(problems) < 5:
                problems.append(f"{name[:100]} takes {end - start} bytes, its shape another number")
            furthest = max(furthest, end)
            tensors.add(str(name), shape, str(part["dtype"]), source.data[8 + length + start : 8 + length + end], kind)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError, OverflowError) as error:
        raise ReaderProblem(f"damaged header: {type(error).__name__}") from None
    state = State.BROKEN if problems else State.SOUND if parts else State.EMPTY
    if furthest + 8 + length > source.size:
        state = State.BROKEN
        problems.append("the end is missing")
    facts: dict[str, Any] = tensors.facts()
    about = header.get("__metadata__")
    if isinstance(about, dict):
        facts["metadata"] = {str(key)[:100]: str(value)[:200] for key, value in list(about.items())[:20]}
    problems += tensors.problems() if parts else ["no tensors in it"]
    text = "\n".join(tensors.lines)
    return Document(source.path, "safetensors", Family.MODEL, state, text, facts, problems=tuple(problems))


def _sniff(data: bytes) -> bool:
    return data[8:9] == b"{" and data[3:8] == b"\0" * 5 and b'"' in data[9:12]


READER = Reader("safetensors", frozenset({".safetensors"}), _sniff, _read, kin="model")
