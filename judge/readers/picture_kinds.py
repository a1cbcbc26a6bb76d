"""Kinds of pictures: how their bytes begin, their extensions, and what decodes them."""

from __future__ import annotations

import re
from dataclasses import dataclass

_HEADER_END = rb"(?:\s+|#[^\n]{0,200}\n)+"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind.

    Attributes:
        name: Short name.
        suffixes: Extensions with dot.
        plugin: Pillow's name of it.
        begin: What its first bytes match.
        still: Whether programs that show pictures take it for another still one without complaint.
    """

    name: str
    suffixes: str
    plugin: str
    begin: re.Pattern[bytes]
    still: bool = True


def _kind(name: str, suffixes: str, plugin: str, begin: bytes, *, still: bool = True) -> Kind:
    return Kind(name, suffixes, plugin, re.compile(begin, re.DOTALL), still)


_BRANDS = rb".{4}ftyp(?:%s|.{4}.{4}(?:.{4}){0,6}?(?:%s))"
_HEIC = b"heic|heix|heim|heis|hevc|hevx"
_AVIF = b"avif|avis"

KINDS: tuple[Kind, ...] = (
    _kind("png", ".png .apng", "PNG", rb"\x89PNG\r\n\x1a\n"),
    _kind("jpg", ".jpg .jpeg .jpe .jfif", "JPEG", rb"\xff\xd8\xff"),
    _kind("gif", ".gif", "GIF", rb"GIF8[79]a", still=False),
    _kind("webp", ".webp", "WEBP", rb"RIFF.{4}WEBP"),
    _kind("bmp", ".bmp .dib", "BMP", rb"BM.{4}\0{4}.{4}[\x0c\x28\x34\x38\x40\x6c\x7c]\0\0\0"),
    _kind("tiff", ".tif .tiff", "TIFF", rb"II[\x2a\x2b]\0|MM\0[\x2a\x2b]"),
    _kind("ico", ".ico .cur", "ICO", rb"\x00\x00\x01\x00[\x01-\xff]\x00", still=False),
    _kind("avif", ".avif .avifs", "AVIF", _BRANDS % (_AVIF, _AVIF)),
    _kind("heic", ".heic .heif .hif", "HEIF", _BRANDS % (_HEIC + b"|mif1|msf1", _HEIC)),
    _kind("jp2", ".jp2 .j2k .jpx .j2c", "JPEG2000", rb"\0\0\0\x0cjP  \r\n\x87\n|\xff\x4f\xff\x51\0"),
    _kind(
        "ppm", ".ppm .pgm .pbm .pnm", "PPM",
        rb"P[1-6]" + _HEADER_END + rb"\d{1,6}" + _HEADER_END + rb"\d{1,6}(?:\s|#)",
    ),
)  # fmt: skip

PLUGINS = {kind.name: kind.plugin for kind in KINDS}
NAMES = {suffix: kind.name for kind in KINDS for suffix in kind.suffixes.split()}
"""The kind that an extension claims."""
STILL = frozenset(kind.name for kind in KINDS if kind.still)
SUFFIXES = frozenset(NAMES)


def picture_format(data: bytes) -> str:
    """The kind of picture that bytes begin as, or an empty string."""
    head = data[:1024]
    return next((kind.name for kind in KINDS if kind.begin.match(head)), "")
