"""Messages of Protocol Buffers, field by field, without a schema and without copying."""

from __future__ import annotations

from collections.abc import Iterator

from judge.readers.document import ReaderProblem, State

Value = int | memoryview
Field = tuple[int, Value]
_VARINT, _FIXED64, _BYTES, _START, _END, _FIXED32 = range(6)


class Cut(ReaderProblem):
    """The message goes on behind the end of the bytes at hand."""

    def __init__(self) -> None:
        super().__init__("the end is missing", State.BROKEN)


def fields(data: memoryview) -> Iterator[Field]:
    """Number and value of each field: a number, or the bytes of a text, a message or packed numbers.

    Raises:
        ReaderProblem: It is no such message, or its end is missing (``Cut``).
    """
    position, size = 0, len(data)
    while position < size:
        key, position = _varint(data, position)
        number, wire = key >> 3, key & 7
        if not number:
            raise ReaderProblem("damaged: a field without number")
        if wire == _VARINT:
            value, position = _varint(data, position)
            yield number, value
            continue
        if wire == _BYTES:
            length, position = _varint(data, position)
        elif wire in {_FIXED64, _FIXED32}:
            length = 8 if wire == _FIXED64 else 4
        else:
            raise ReaderProblem(f"damaged: a field of the unknown kind {wire}")
        if length > size - position:
            raise Cut
        yield number, data[position : position + length]
        position += length


def messages(data: Value) -> Iterator[Field]:
    """Fields of a value that must be a message."""
    if isinstance(data, int):
        raise ReaderProblem("damaged: a number where a message is expected")
    return fields(data)


def text(value: Value, limit: int = 200) -> str:
    """A value that must be a text."""
    return "" if isinstance(value, int) else bytes(value[: limit * 4]).decode("utf-8", "replace")[:limit]


def signed(value: Value) -> int:
    """A whole number of 64 bits, which may be negative."""
    if not isinstance(value, int):
        return int.from_bytes(bytes(value[:8]), "little", signed=True)
    return value - (1 << 64) if value >> 63 else value


def numbers(value: Value, limit: int = 1_000) -> list[int]:
    """One number, or several packed ones."""
    if isinstance(value, int):
        return [signed(value)]
    found: list[int] = []
    position = 0
    while position < len(value) and len(found) < limit:
        number, position = _varint(value, position)
        found.append(signed(number))
    return found


def _varint(data: memoryview, position: int) -> tuple[int, int]:
    value = shift = 0
    while shift < 70:
        if position >= len(data):
            raise Cut
        byte = data[position]
        position += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value & (1 << 64) - 1, position
        shift += 7
    raise ReaderProblem("damaged: a number without end")
