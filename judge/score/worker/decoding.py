"""Bytes to plain data; whatever the bytes are, there is a value or a DecodeError, in bounded time and memory."""

from __future__ import annotations

import struct
from typing import Any

from ..values import Opaque, Subclassed
from .limits import MAX_BYTES, MAX_COLLISIONS, MAX_DEPTH, MAX_INT_BYTES, MAX_NODES

_U32 = struct.Struct(">I").unpack_from
_I64 = struct.Struct(">q").unpack_from
_F64 = struct.Struct(">d").unpack_from
_CONSTANTS = {ord("N"): None, ord("T"): True, ord("F"): False}
_MANY = frozenset(b"ltSZdUO")
_PACKED = {ord("i"): "q", ord("g"): "d"}
_CHECKED = 64


class DecodeError(ValueError):
    """The bytes are no value, or one beyond the bounds."""


def decode(data: bytes, max_bytes: int = MAX_BYTES, max_nodes: int = MAX_NODES, max_depth: int = MAX_DEPTH) -> Any:
    """The value that the bytes stand for.

    Args:
        data: All of them; bytes that follow the value are an error.
        max_bytes: Most bytes.
        max_nodes: Most values in the value.
        max_depth: Most containers inside one another.

    Raises:
        DecodeError: They stand for none, or for one beyond the bounds.
    """
    if len(data) > max_bytes:
        raise DecodeError(f"more than {max_bytes:,} bytes")
    try:
        return _decode(data, max_nodes, max_depth)
    except (struct.error, IndexError) as error:
        raise DecodeError("the bytes end too early") from error
    except (TypeError, UnicodeDecodeError, RecursionError, MemoryError, OverflowError) as error:
        raise DecodeError(f"no value: {type(error).__name__}") from error


def _decode(data: bytes, max_nodes: int, max_depth: int) -> Any:
    size, position, nodes = len(data), 0, 0
    # Each open container: its tag, how many values it still wants, and those it has.
    tag, wanted = 0, 1
    have: list[Any] = []
    stack: list[tuple[int, int, list[Any]]] = []
    value: Any
    while True:
        nodes += 1
        kind = data[position]
        position += 1
        if kind in _PACKED:
            value, position = _numbers(data, kind, position, max_nodes - nodes)
            nodes += len(value)
        elif kind not in _MANY:
            value, position = _leaf(data, kind, position)
        else:
            count, position = _children(data, kind, position)
            nodes_wanted = nodes + count
            if count > size - position or nodes_wanted > max_nodes:
                raise DecodeError("more values than the bytes can hold" if nodes_wanted <= max_nodes else "too many")
            if count:
                if len(stack) >= max_depth:
                    raise DecodeError(f"more than {max_depth:,} containers inside one another")
                stack.append((tag, wanted, have))
                tag, wanted, have = kind, count, []
                continue
            value = _build(kind, [])
        have.append(value)
        while len(have) == wanted:
            if not stack:
                if position != size:
                    raise DecodeError("bytes follow the value")
                return have[0]
            value = _build(tag, have)
            tag, wanted, have = stack.pop()
            have.append(value)


def _children(data: bytes, kind: int, position: int) -> tuple[int, int]:
    if kind in b"UO":
        return 2, position
    count = _U32(data, position)[0]
    return (2 * count if kind == 100 else count), position + 4


def _numbers(data: bytes, kind: int, position: int, most: int) -> tuple[list[Any], int]:
    """A list of 64-bit integers or of floats."""
    count = _U32(data, position)[0]
    position += 4
    if 8 * count > len(data) - position:
        raise DecodeError("the bytes end too early")
    if count > most:
        raise DecodeError("too many")
    return list(struct.unpack_from(f">{count}{_PACKED[kind]}", data, position)), position + 8 * count


def _leaf(data: bytes, kind: int, position: int) -> tuple[Any, int]:
    if kind == 113:  # q
        return _I64(data, position)[0], position + 8
    if kind in _CONSTANTS:
        return _CONSTANTS[kind], position
    if kind == 102:  # f
        return _F64(data, position)[0], position + 8
    if kind == 99:  # c
        return complex(_F64(data, position)[0], _F64(data, position + 8)[0]), position + 16
    if kind not in b"sbI":
        raise DecodeError(f"no such tag: {kind}")
    length = _U32(data, position)[0]
    position += 4
    end = position + length
    if end > len(data):
        raise DecodeError("the bytes end too early")
    raw = bytes(data[position:end])
    if kind == 115:
        return raw.decode("utf-8", "surrogatepass"), end
    if kind == 98:
        return raw, end
    if length > MAX_INT_BYTES:
        raise DecodeError("an integer of too many digits")
    return int.from_bytes(raw, "big", signed=True), end


def _build(kind: int, have: list[Any]) -> Any:
    if kind == 108:  # l
        return have
    if kind == 116:  # t
        return tuple(have)
    if kind == 100:  # d
        keys = have[::2]
        _check_hashes(keys)
        made = dict(zip(keys, have[1::2]))  # noqa: B905 - the flag is younger than some interpreters that run this
        if len(made) != len(keys):
            raise DecodeError("a key twice")
        return made
    if kind in b"SZ":
        _check_hashes(have)
        members = set(have) if kind == 83 else frozenset(have)
        if len(members) != len(have):
            raise DecodeError("a member twice")
        return members
    if type(have[0]) is not str:
        raise DecodeError("a type without a name")
    if kind == 85:  # U
        return Subclassed(have[0], have[1])
    if type(have[1]) is not str:
        raise DecodeError("an object without a text")
    return Opaque(have[0], have[1])


def _check_hashes(keys: list[Any]) -> None:
    """Thousands of members with one hash would take hours to put into a set."""
    if len(keys) <= _CHECKED:
        return
    counts: dict[int, int] = {}
    for key in keys:
        value = hash(key)
        count = counts.get(value, 0) + 1
        if count > MAX_COLLISIONS:
            raise DecodeError("members with colliding hashes")
        counts[value] = count
