"""A TensorFlow Lite model made with the library of its container format: no converter is small enough for tests."""

from __future__ import annotations

import struct
from typing import Any


def tflite() -> bytes:
    """A model of two fully connected layers that share their weights."""
    import flatbuffers

    builder = flatbuffers.Builder(1024)
    weights = builder.CreateByteVector(struct.pack("<8f", 0.5, -0.25, 1.5, 2.0, -1.0, 0.1, 0.2, 0.3))
    buffers = [_table(builder, 1), _table(builder, 1, offsets={0: weights})]
    tensors = [
        _tensor(builder, "x", [1, 4], 0),
        _tensor(builder, "w", [2, 4], 1),
        _tensor(builder, "y", [1, 2], 0),
    ]
    operators = [_table(builder, 3, offsets={1: _ints(builder, [0, 1]), 2: _ints(builder, [2])}) for _ in range(2)]
    graph = _table(
        builder,
        5,
        offsets={
            0: _tables(builder, tensors),
            1: _ints(builder, [0]),
            2: _ints(builder, [2]),
            3: _tables(builder, operators),
        },
    )
    builder.StartObject(4)
    builder.PrependInt8Slot(0, 9, 0)  # FULLY_CONNECTED
    builder.PrependInt32Slot(3, 9, 0)
    code = builder.EndObject()
    about = builder.CreateString("small")
    parts = {1: _tables(builder, [code]), 2: _tables(builder, [graph]), 3: about, 4: _tables(builder, buffers)}
    builder.StartObject(5)
    builder.PrependUint32Slot(0, 3, 0)
    for number, offset in parts.items():
        builder.PrependUOffsetTRelativeSlot(number, offset, 0)
    builder.Finish(builder.EndObject(), file_identifier=b"TFL3")
    return bytes(builder.Output())


def _tensor(builder: Any, name: str, shape: list[int], buffer: int) -> int:
    sides, text = _ints(builder, shape), builder.CreateString(name)
    builder.StartObject(4)
    builder.PrependUOffsetTRelativeSlot(0, sides, 0)
    builder.PrependUint32Slot(2, buffer, 0)
    builder.PrependUOffsetTRelativeSlot(3, text, 0)
    return int(builder.EndObject())


def _table(builder: Any, size: int, offsets: dict[int, int] | None = None) -> int:
    builder.StartObject(size)
    for number, offset in (offsets or {}).items():
        builder.PrependUOffsetTRelativeSlot(number, offset, 0)
    return int(builder.EndObject())


def _ints(builder: Any, values: list[int]) -> int:
    builder.StartVector(4, len(values), 4)
    for value in reversed(values):
        builder.PrependInt32(value)
    return int(builder.EndVector())


def _tables(builder: Any, offsets: list[int]) -> int:
    builder.StartVector(4, len(offsets), 4)
    for offset in reversed(offsets):
        builder.PrependUOffsetTRelative(offset)
    return int(builder.EndVector())
