"""Plain data to bytes; of anything else its plain content or its text, read without the object's own methods.

Only ``repr`` of an object that is no plain data runs foreign code, and only inside a worker.
"""

from __future__ import annotations

import struct
from collections import OrderedDict, deque
from typing import TYPE_CHECKING, Any

from ..values import Opaque, Subclassed
from .limits import MAX_BYTES, MAX_DEPTH, MAX_INT_BYTES, MAX_NODES, MAX_TEXT

if TYPE_CHECKING:
    from collections.abc import Callable

_U32 = struct.Struct(">I").pack
_Q = struct.Struct(">cq").pack
_F = struct.Struct(">cd").pack
_C = struct.Struct(">cdd").pack
_SMALL = 1 << 63
_QUALNAME = type.__dict__["__qualname__"].__get__
_MODULE = type.__dict__["__module__"].__get__
_MRO = type.__dict__["__mro__"].__get__
_SEQUENCES: dict[type, bytes] = {list: b"l", tuple: b"t", set: b"S", frozenset: b"Z"}
# Long lists of numbers, the usual timed input, go at once; one by one they would cost more than what is timed.
_PACKABLE = {int: "q", float: "d"}
_PACKED = (b"i", b"g")
_PACK_FROM = 8
_NOTHING = object()
_SHALLOW = 64


class _Members:
    """What a set or dict of a subclass holds, not put into another one, which would ask for foreign hashes."""

    __slots__ = ("members", "tag")

    def __init__(self, tag: bytes, members: tuple[Any, ...]) -> None:
        self.tag, self.members = tag, members


class _Deep(Exception):
    """So many containers inside one another that one of them may hold itself."""


class EncodeError(ValueError):
    """The value is beyond the bounds."""


def encode(value: Any, max_bytes: int = MAX_BYTES, max_nodes: int = MAX_NODES, max_depth: int = MAX_DEPTH) -> bytes:
    """The bytes of a value.

    Args:
        value: Anything; what is no plain data becomes a stand-in, and so does a container that holds itself.
        max_bytes: Most bytes.
        max_nodes: Most values in the value.
        max_depth: Most containers inside one another.

    Raises:
        EncodeError: It is beyond the bounds, or changed while it was read.
    """
    try:
        return _encode(value, (max_bytes, max_nodes, max_depth), watch=False)
    except _Deep:
        return _encode(value, (max_bytes, max_nodes, max_depth), watch=True)


def _encode(value: Any, bounds: tuple[int, int, int], watch: bool) -> bytes:
    """Writes a value; only ``watch`` looks for containers that hold themselves, since ``id`` costs an audit event."""
    max_bytes, max_nodes, max_depth = bounds
    out = bytearray()
    # Each open container: what is left of it, and its identity as long as it is open.
    stack: list[tuple[Any, int]] = [(iter((value,)), 0)]
    # Two numbers that are no identities say that somebody watches.
    opened: set[int] = {-1, -2} if watch else set()
    nodes = 1
    write_of = _WRITERS.get
    while stack:
        for item in stack[-1][0]:
            write = write_of(type(item))
            head, parts = (write(item), None) if write is not None else _open(item, opened)
            out += head
            if len(out) > max_bytes:
                raise EncodeError(f"a value of more than {max_bytes:,} bytes")
            if parts is None:
                if write is None and head[:1] in _PACKED:
                    nodes += (len(head) - 5) // 8
                    if nodes > max_nodes:
                        raise EncodeError(_beyond(True, max_nodes, max_depth))
                continue
            nodes += len(parts)
            if nodes > max_nodes or len(stack) > max_depth:
                raise EncodeError(_beyond(nodes > max_nodes, max_nodes, max_depth))
            if len(stack) > _SHALLOW and not watch:
                raise _Deep
            identity = id(item) if watch else 0
            opened.add(identity)
            stack.append((iter(parts), identity))
            break
        else:
            opened.discard(stack.pop()[1])
    return bytes(out)


def _beyond(wide: bool, max_nodes: int, max_depth: int) -> str:
    return (
        f"a value of more than {max_nodes:,} parts"
        if wide
        else f"more than {max_depth:,} containers inside one another"
    )


def type_name(kind: type) -> str:
    """Module and name of a type, whatever its metaclass says; built-in ones without module."""
    module, name = _MODULE(kind), _QUALNAME(kind)
    name = str.__getitem__(name, slice(0, 200)) if isinstance(name, str) else "?"
    if not isinstance(module, str) or module == "builtins":
        return name
    return f"{str.__getitem__(module, slice(0, 200))}.{name}"


def _open(item: Any, opened: set[int]) -> tuple[bytes, Any]:
    """The head and the parts of what holds others; for an object that does not, its bytes and None."""
    kind = type(item)
    if len(opened) >= 2 and id(item) in opened:
        return _opaque(Opaque(type_name(kind), "<itself>")), None
    opening = _OPENERS.get(kind)
    return opening(item) if opening is not None else _foreign(item, kind)


def _open_sequence(item: Any) -> tuple[bytes, Any]:
    parts = tuple(item)
    if type(item) is list and len(parts) >= _PACK_FROM:
        code = _PACKABLE.get(type(parts[0]))
        if code is not None and len(set(map(type, parts))) == 1:
            try:
                body = struct.pack(f">{len(parts)}{code}", *parts)
            except struct.error:  # an integer of more than 64 bits
                pass
            else:
                return (b"i" if code == "q" else b"g") + _U32(len(parts)) + body, None
    return _SEQUENCES[type(item)] + _U32(len(parts)), parts


def _open_members(item: _Members) -> tuple[bytes, Any]:
    if item.tag == b"d":
        return _pairs(item.members)
    return item.tag + _U32(len(item.members)), item.members


def _integer(item: int) -> bytes:
    return _Q(b"q", item) if -_SMALL <= item < _SMALL else _big(item)


def _bytes(item: bytes) -> bytes:
    return b"b" + _U32(_length(item)) + item


def _foreign(item: Any, kind: type) -> tuple[bytes, Any]:
    content = _content(item, _MRO(kind))
    if content is not _NOTHING:
        return b"U" + _text(type_name(kind)), (content,)
    try:
        shown = repr(item)
        shown = _without_addresses(str.__getitem__(shown, slice(0, MAX_TEXT)))
    except BaseException as error:  # noqa: BLE001 - foreign code; whatever it raises, there is no text
        shown = f"<no text: {type_name(type(error))}>"
    return _opaque(Opaque(type_name(kind), shown)), None


def _without_addresses(text: str) -> str:
    """Addresses differ from run to run and mean nothing."""
    if "0x" not in text:
        return text
    import re

    return re.sub(r"\b0x[0-9a-fA-F]{4,16}\b", "0x…", text)


def _content(item: Any, mro: tuple[type, ...]) -> Any:
    """The plain value of an instance of a subclass, by the methods of the plain type."""
    for plain, read in _READERS:
        if plain in mro:
            return read(item)
    return _NOTHING


_READERS: tuple[tuple[type, Any], ...] = (
    (int, int.__pos__),
    (float, float.__pos__),
    (complex, complex.__pos__),
    (str, lambda item: str.__getitem__(item, slice(None))),
    (bytes, lambda item: bytes.__add__(b"", bytes.__getitem__(item, slice(None)))),
    (bytearray, lambda item: bytes(bytearray.__getitem__(item, slice(None)))),
    (list, lambda item: list(list.__iter__(item))),
    (tuple, lambda item: tuple(tuple.__iter__(item))),
    (set, lambda item: _Members(b"S", tuple(set.__iter__(item)))),
    (frozenset, lambda item: _Members(b"Z", tuple(frozenset.__iter__(item)))),
    (OrderedDict, lambda item: _Members(b"d", tuple(OrderedDict.items(item)))),
    (dict, lambda item: _Members(b"d", tuple(dict.items(item)))),
    (deque, lambda item: list(deque.__iter__(item))),
)


def _pairs(items: tuple[tuple[Any, Any], ...]) -> tuple[bytes, Any]:
    parts: list[Any] = []
    for pair in items:
        parts += pair
    return b"d" + _U32(len(items)), parts


def _big(item: int) -> bytes:
    size = item.bit_length() // 8 + 1
    if size > MAX_INT_BYTES:
        raise EncodeError("an integer of too many digits")
    return b"I" + _U32(size) + item.to_bytes(size, "big", signed=True)


def _text(text: str) -> bytes:
    raw = text.encode("utf-8", "surrogatepass")
    return b"s" + _U32(_length(raw)) + raw


def _length(raw: bytes) -> int:
    if len(raw) > MAX_BYTES:
        raise EncodeError(f"a text of more than {MAX_BYTES:,} bytes")
    return len(raw)


def _opaque(item: Opaque) -> bytes:
    if not type(item.type_name) is type(item.text) is str:
        raise EncodeError("a stand-in that is none")
    return b"O" + _text(item.type_name) + _text(item.text)


_WRITERS: dict[type, Callable[[Any], bytes]] = {
    int: _integer,
    str: _text,
    type(None): lambda _: b"N",
    bool: lambda item: b"T" if item else b"F",
    float: lambda item: _F(b"f", item),
    bytes: _bytes,
    complex: lambda item: _C(b"c", item.real, item.imag),
    Opaque: _opaque,
}
_OPENERS: dict[type, Callable[[Any], tuple[bytes, Any]]] = {
    **dict.fromkeys(_SEQUENCES, _open_sequence),
    dict: lambda item: _pairs(tuple(item.items())),
    _Members: _open_members,
    Subclassed: lambda item: (b"U" + _text(item.type_name), (item.value,)),
}
