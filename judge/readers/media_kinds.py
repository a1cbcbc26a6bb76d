"""Kinds of sound and video files: how their bytes begin, their extensions, and what opens them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from judge.readers.document import Family
from judge.text import looks_like_text


@dataclass(frozen=True, slots=True)
class MediaKind:
    """One kind of container.

    Attributes:
        name: Short name.
        family: Sound or video, as far as the container tells: most may hold either.
        suffixes: Extensions with dot.
        demuxer: FFmpeg's name of what opens it: the only one that is let near the file.
        begin: What its first bytes match.
        indexed: Whether its header says how long it is, so that a shorter one must have been cut.
    """

    name: str
    family: Family
    suffixes: frozenset[str]
    demuxer: str
    begin: re.Pattern[bytes]
    indexed: bool = True


def _kind(name: str, family: Family, suffixes: str, demuxer: str, begin: bytes, *, indexed: bool = True) -> MediaKind:
    return MediaKind(name, family, frozenset(suffixes.split()), demuxer, re.compile(begin, re.DOTALL), indexed)


_MPEG_AUDIO = (
    rb"\xff[\xe2-\xe5\xf2-\xf5\xfa-\xfd][" + b"".join(b"\\x%x0-\\x%xb" % (bits, bits) for bits in range(1, 15)) + b"]"
)
"""The mark of an MPEG audio frame with a version and a layer, then a bit rate and a sample rate, all that exist."""
_SOUND, _VIDEO = Family.AUDIO, Family.VIDEO

MEDIA_KINDS: tuple[MediaKind, ...] = (
    _kind("mp3", _SOUND, ".mp3 .mp2 .mpga", "mp3", rb"ID3[\x02-\x04]|" + _MPEG_AUDIO, indexed=False),
    _kind("aac", _SOUND, ".aac .adts", "aac", rb"\xff[\xf0\xf1\xf8\xf9][\x00-\xb3].[\x00-\xff]{3}", indexed=False),
    _kind("flac", _SOUND, ".flac", "flac", rb"fLaC[\0\x80]"),
    _kind("ogg", _SOUND, ".ogg .oga .opus .spx", "ogg", rb"OggS\0", indexed=False),
    _kind("m4a", _SOUND, ".m4a .m4b .m4r", "mov", rb"\0\0..ftyp(?:M4A|M4B)"),
    _kind("wma", _SOUND, ".wma", "asf", rb"(?!)"),
    _kind("aiff", _SOUND, ".aiff .aif .aifc", "aiff", rb"FORM.{4}AIF[FC]"),
    _kind("au", _SOUND, ".au .snd", "au", rb"\.snd\0\0"),
    _kind("caf", _SOUND, ".caf", "caf", rb"caff\x00\x01"),
    _kind("amr", _SOUND, ".amr", "amr", rb"#!AMR(?:-WB)?\n", indexed=False),
    _kind("mp4", _VIDEO, ".mp4 .m4v .3gp .3g2 .f4v", "mov",
          rb"\0\0..ftyp|\0...(?:moov|mdat|wide|skip|free|pnot)"),
    _kind("mkv", _VIDEO, ".mkv .mka .mk3d", "matroska", rb"\x1aE\xdf\xa3"),
    _kind("mov", _VIDEO, ".mov .qt", "mov", rb"(?!)"),
    _kind("webm", _VIDEO, ".webm .weba", "matroska", rb"(?!)"),
    _kind("avi", _VIDEO, ".avi", "avi", rb"RIFF.{4}AVI "),
    _kind("flv", _VIDEO, ".flv", "flv", rb"FLV\x01[\x00\x01\x04\x05]"),
    _kind("wmv", _VIDEO, ".wmv .asf", "asf", rb"\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9"),
    _kind("mpg", _VIDEO, ".mpg .mpeg .mpe .vob", "mpeg", rb"\x00\x00\x01\xba", indexed=False),
    _kind("m2v", _VIDEO, ".m1v .m2v", "mpegvideo", rb"\x00\x00\x01\xb3", indexed=False),
    _kind("mpegts", _VIDEO, ".m2ts .mts", "mpegts", rb"(?:.{4})?G.{187}(?:.{4})?G.{187}(?:.{4})?G", indexed=False),
    _kind("ogv", _VIDEO, ".ogv", "ogg", rb"(?!)", indexed=False),
)  # fmt: skip

WAV = _kind("wav", _SOUND, ".wav .wave", "wav", rb"RIFF.{4}WAVE|RF64.{4}WAVE")
"""Read without a library where its samples are plain numbers."""


def media_kind(data: bytes) -> MediaKind | None:
    """The kind that bytes begin as; the first one of several that share a container."""
    head = data[:1024]
    found = next((kind for kind in MEDIA_KINDS if kind.begin.match(head)), None)
    return None if found is None or looks_like_text(data[:4096]) else found


def claimed_kind(suffix: str) -> MediaKind | None:
    """The kind that an extension claims."""
    return next((kind for kind in (*MEDIA_KINDS, WAV) if suffix in kind.suffixes), None)
