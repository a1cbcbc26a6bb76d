"""Text in a disguise that a model reads all the same: encoded, escaped, spelled out, reversed, joined to a name."""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

_MOST = 300
"""Pieces of one kind that are looked at: one is enough for a flag."""
_LONGEST = 8_192
_BASE64 = re.compile(
    r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,8192}(?:[\r\n]{1,2}[ \t#*\"']{0,8}[A-Za-z0-9+/_-]{4,200}){0,40}={0,2}"
)
_HEX = re.compile(r"(?<![0-9A-Fa-f])(?:[0-9A-Fa-f]{2}[ :]?){20,4096}")
_ESCAPE = re.compile(r"\\x([0-9A-Fa-f]{2})|\\u\{?([0-9A-Fa-f]{4})\}?|%([0-9A-Fa-f]{2})|\b0x([0-9A-Fa-f]{2})[, ]{0,2}")
_ENTITY = re.compile(r"&#x?[0-9A-Fa-f]{1,6};")
_FEW = 4
_SPELLED = re.compile(r"(?<!\w)(?:[^\W\d_][ .·*_-]{1,6}){12,2000}[^\W\d_]?")
_ONE_APART = re.compile(r"(?<=\w)[ .·*_-](?=\w)")
_APART = re.compile(r"[ .·*_-]{2,}")
_JOINED = re.compile(r"(?<![A-Za-z])[A-Za-z]{1,30}(?:[_+.-][A-Za-z]{1,30}){3,40}")
_HUMPS = re.compile(r"(?<![A-Za-z])(?:[A-Z][a-z]{1,20}|[a-z]{2,20}(?=[A-Z])){4,40}")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_TELLING = ("satisfied", "instructions", "verdict", "requirement")
_ROTATED = tuple(codecs.encode(word, "rot13") for word in _TELLING)
_REVERSED = tuple(word[::-1] for word in _TELLING)


class Piece(NamedTuple):
    """Text that was in a disguise.

    Attributes:
        at: Offset of the disguise in the text.
        plain: What it says.
    """

    at: int
    plain: str


def disguised(text: str) -> Iterator[Piece]:
    """Text in known disguises; the time is linear in the length.

    Args:
        text: Untrusted text.

    Yields:
        What can be read.
    """
    for found in islice(_BASE64.finditer(text), _MOST):
        yield from (Piece(found.start(), plain) for plain in _from_base64(found[0]))
    for found in islice(_HEX.finditer(text), _MOST):
        digits = re.sub("[ :]", "", found[0])
        yield from (Piece(found.start(), plain) for plain in _readable(bytes.fromhex(digits[: len(digits) // 2 * 2])))
    for found in islice(_SPELLED.finditer(text), _MOST):
        yield Piece(found.start(), _APART.sub(" ", _ONE_APART.sub("", found[0])))
    for found in islice(_JOINED.finditer(text), _MOST):
        yield Piece(found.start(), re.sub("[_+.-]", " ", found[0]))
    for found in islice(_HUMPS.finditer(text), _MOST):
        yield Piece(found.start(), _HUMP.sub(" ", found[0]))
    yield from _by_line(text)


def _by_line(text: str) -> Iterator[Piece]:
    """Lines with many escapes, and lines that are readable letter by letter in another order or alphabet."""
    lower = text.lower()
    rotated = any(word in lower for word in _ROTATED)
    reverse = any(word in lower for word in _REVERSED)
    if not (rotated or reverse or "\\" in text or "%" in text or "&#" in text or "0x" in text):
        return
    at = 0
    for line in text.split("\n"):
        start, at = at, at + len(line) + 1
        part = line[: 16 * _LONGEST]
        if sum(1 for _ in islice(_ESCAPE.finditer(part), _FEW)) == _FEW:
            yield Piece(start, _ESCAPE.sub(_unescaped, part))
        if sum(1 for _ in islice(_ENTITY.finditer(part), _FEW)) == _FEW:
            yield Piece(start, html.unescape(part))
        if rotated:
            yield Piece(start, codecs.encode(part, "rot13"))
        if reverse:
            yield Piece(start, part[::-1])


def _unescaped(found: re.Match[str]) -> str:
    return chr(int(next(digits for digits in found.groups() if digits), 16))


def _from_base64(text: str) -> Iterator[str]:
    """What is encoded: all of it, else its first line; whatever stands before it may have shifted its start."""
    whole = re.sub(r"[\r\n \t#*\"'=]", "", text)
    first = text.split("\n", 1)[0].strip("= \r")
    for part in dict.fromkeys((whole[:_LONGEST], first[:_LONGEST])):
        letters = part.replace("-", "+").replace("_", "/")
        try:
            data = base64.b64decode(letters[: len(letters) // 4 * 4], validate=True)
            if len(letters) % 4 > 1:
                rest = letters[len(letters) // 4 * 4 :]
                data += base64.b64decode(rest + "=" * (4 - len(rest)))
        except (ValueError, binascii.Error):
            continue
        plain = tuple(_readable(data))
        if plain:
            yield from plain
            return


def _readable(data: bytes) -> Iterator[str]:
    """The text that bytes spell, when they spell one."""
    wide = 3 * data.count(0) > len(data)
    text = data.decode("utf-16-le" if wide else "utf-8", "ignore")
    if " " in text and sum(map(_is_text, text)) >= 0.9 * len(text) and 4 * len(text.encode()) > len(data):
        yield text


def _is_text(char: str) -> bool:
    return char.isprintable() or char in "\n\r\t"
