"""Makes recorded console text fit to read: no terminal codes, no binary blobs, no endless fields."""

from __future__ import annotations

import base64
import binascii
import re

from judge.jsontext import has_surrogate

MAX_FIELD = 400_000
"""Characters of one field of a step that are kept; the middle of a longer one is cut."""

_ANSI = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    r"|\x1b\][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)"  # OSC: titles, links
    r"|\x1b[PX^_][^\x1b]{0,4096}\x1b\\"  # DCS and friends
    r"|\x1b[ -/]*[0-~]"
    r"|\x9b[0-?]*[ -/]*[@-~]"
)
_DATA_URI = re.compile(
    r"data:([\w.+-]+/[\w.+-]+)?((?:;[\w.+-]+=[\w.+-]+)*);base64,\s*([A-Za-z0-9+/=_-]{64,}(?:\s+[A-Za-z0-9+/=_-]{40,})*)"
)
_LONG_RUN = re.compile(r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{512,}={0,2}")
_WRAPPED = re.compile(r"(?<![A-Za-z0-9+/])(?:[A-Za-z0-9+/]{60,100}\n){8,}[A-Za-z0-9+/]{0,100}={0,2}")
_BASE64_LINE = re.compile(r"^[^\w\n]{0,4}[A-Za-z0-9+/]{60}", re.M)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_PROGRESS = re.compile(r"\d\s?%|\bETA\b|\beta\b|it/s|B/s|\d+/\d+|[━█▏▎▍▌▋▊▉#=>.-]{8,}|\.\.\.\s*$")
_MAGIC = (
    (b"\x89PNG", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"%PDF", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
    (b"RIFF", "audio or image"),
)


def clean(text: str, limit: int = MAX_FIELD) -> str:
    """Text as a person would read it on the screen, with blobs replaced by ``[image/png, 30211 bytes]``."""
    return clean_words(text, limit)[0]


def clean_words(text: str, limit: int = MAX_FIELD) -> tuple[str, list[str] | None]:
    """The same, and the words of the result where they were needed anyway; splitting a long text costs time."""
    if not text.isascii() and has_surrogate(text):
        text = text.encode("utf-8", errors="replace").decode("utf-8")
    if "\x1b" in text or "\x9b" in text:
        text = _ANSI.sub("", text)
    text = text.replace("\r\n", "\n")
    if "\r" in text:
        text = "\n".join(_overwritten(line) for line in text.split("\n"))
    words = None
    if len(text) > 64:
        if "base64," in text:
            text = _DATA_URI.sub(lambda match: _marker(match[3], match[1]), text)
        words = text.split()
        shortened = _shorten_bare(text, words)
        words, text = (words if shortened is text else None), shortened
    if _CONTROL.search(text):
        text, words = _CONTROL.sub("\ufffd", text), None
    return (text, words) if len(text) <= limit else (cut_field(text, limit), None)


def _overwritten(line: str) -> str:
    """One line in which carriage returns redraw: earlier drawings of a progress bar go, other text stays."""
    if "\r" not in line:
        return line
    parts = [part for part in line.split("\r") if part.strip()]
    return "\n".join(part for i, part in enumerate(parts) if i == len(parts) - 1 or not _PROGRESS.search(part))


def _shorten_bare(text: str, words: list[str]) -> str:
    """Replaces base64 data that stand alone by a marker with their media type and their number of bytes."""
    # Few texts have words as long as these patterns ask for, and splitting is far faster than they are.
    longest = max(map(len, words), default=0)
    if longest >= 60 and sum(map((60).__le__, map(len, words))) >= 8 and _BASE64_LINE.search(text):
        text = _WRAPPED.sub(lambda match: _marker(match[0], None), text)
    if longest >= 512:
        text = _LONG_RUN.sub(lambda match: _marker(match[0], None), text)
    return text


def _marker(data: str, media_type: str | None) -> str:
    packed = re.sub(r"\s+", "", data)
    tail = "\n" if data.endswith("\n") else ""
    if media_type is None:
        # A long run of one kind of character is a word, a rule or a hash, not base64.
        if len(set(packed)) < 20 or not re.search("[A-Z]", packed) or not re.search("[a-z]", packed):
            return data
        media_type = _sniff(packed)
    size = len(packed.rstrip("=")) * 3 // 4
    return f"[{media_type}, {size} bytes]{tail}"


def _sniff(packed: str) -> str:
    try:
        head = base64.b64decode(packed[:32])
    except (binascii.Error, ValueError):
        return "base64"
    return next((name for magic, name in _MAGIC if head.startswith(magic)), "base64")


def cut_field(text: str, limit: int) -> str:
    """A text of at most about ``limit`` characters; what is cut from its middle is said in its place."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half} characters cut ...]\n{text[-half:]}"
