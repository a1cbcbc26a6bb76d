"""The footer of a parquet file (Thrift's compact protocol), as far as rows and columns go, without a library."""

from __future__ import annotations

from typing import Any

from judge.readers.document import ReaderProblem

_MAX_DEPTH = 24
_MAX_VALUES = 500_000
_TYPES = ("boolean", "int32", "int64", "int96", "float", "double", "binary", "fixed binary")
_BOOL_TRUE, _BOOL_FALSE, _BYTE, _I16, _I32, _I64, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = range(1, 13)


def parquet_footer(end: bytes) -> tuple[int, list[str], list[str]]:
    """Rows, names of columns (of leaves) and their types.

    Args:
        end: The last bytes of the file, all of its footer among them.

    Raises:
        ReaderProblem: The footer is damaged or longer than these bytes.
    """
    length = int.from_bytes(end[-8:-4], "little")
    if len(end) < 12 or length > len(end) - 8:
        raise ReaderProblem("its directory is longer than the file, or than what was read of it")
    try:
        footer = _Compact(end[-8 - length : -8]).struct(0)
        rows, schema = int(footer[3]), list(footer[2])
        leaves = [part for part in schema if not part.get(5)]
        names = [bytes(part[4]).decode("utf-8", "replace")[:200] for part in leaves]
        types = [_TYPES[part[1]] if 0 <= part.get(1, -1) < len(_TYPES) else "?" for part in leaves]
    except (IndexError, KeyError, TypeError, ValueError, AttributeError):
        raise ReaderProblem("damaged directory") from None
    if rows < 0:
        raise ReaderProblem(f"damaged directory: {rows} rows")
    return rows, names, types


class _Compact:
    """Values of Thrift's compact protocol: structures become dictionaries by field number."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self.left = _MAX_VALUES

    def struct(self, depth: int) -> dict[int, Any]:
        if depth > _MAX_DEPTH:
            raise ValueError("nested too deeply")
        fields: dict[int, Any] = {}
        number = 0
        while True:
            head = self.data[self.at]
            self.at += 1
            if head == 0:
                return fields
            step, kind = head >> 4, head & 15
            number = number + step if step else self._zigzag()
            if kind in {_BOOL_TRUE, _BOOL_FALSE}:
                fields[number] = kind == _BOOL_TRUE
            else:
                fields[number] = self._value(kind, depth + 1)

    def _value(self, kind: int, depth: int) -> Any:
        self.left -= 1
        if self.left < 0:
            raise ValueError("too many values")
        if kind in {_BYTE, _BOOL_TRUE, _BOOL_FALSE}:  # in a list a boolean takes a byte
            return self._take(1)[0]
        if kind in {_I16, _I32, _I64}:
            return self._zigzag()
        if kind == _DOUBLE:
            return self._take(8)
        if kind == _BINARY:
            return self._take(self._varint())
        if kind in {_LIST, _SET}:
            return self._list(depth)
        if kind == _STRUCT:
            return self.struct(depth)
        if kind == _MAP:
            count = self._varint()
            if not count:
                return {}
            kinds = self._take(1)[0]
            return [(self._value(kinds >> 4, depth), self._value(kinds & 15, depth)) for _ in range(count)]
        raise ValueError(f"no type {kind}")

    def _list(self, depth: int) -> list[Any]:
        head = self._take(1)[0]
        count = head >> 4
        if count == 15:
            count = self._varint()
        if depth > _MAX_DEPTH or count > len(self.data):
            raise ValueError("a list that cannot be")
        return [self._value(head & 15, depth + 1) for _ in range(count)]

    def _take(self, size: int) -> bytes:
        if not 0 <= size <= len(self.data) - self.at:
            raise ValueError("goes on behind the end")
        self.at += size
        return self.data[self.at - size : self.at]

    def _varint(self) -> int:
        value = shift = 0
        while shift < 70:
            byte = self._take(1)[0]
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
        raise ValueError("a number without end")

    def _zigzag(self) -> int:
        value = self._varint()
        return value >> 1 ^ -(value & 1)
