"""Bytes to text and back to something that can be shown: encodings, line breaks, escapes."""

from __future__ import annotations

import codecs
import json
import re
import unicodedata
from dataclasses import dataclass
from typing import Any

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16: its mark begins with the one of UTF-16-LE
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROL = bytes([*range(0x00, 0x08), *range(0x0E, 0x1B), *range(0x1C, 0x20), 0x7F])
"""Bytes that plain text does not hold; backspace, tab, line ends, form feed and escape (coloured logs) are allowed."""
_UNUSED = bytes(range(0x80, 0xA0))
"""Control characters in latin-1; where cp1252 does not fit, many of them mean that it is no text."""
_DECLARED = re.compile(rb"""(?:coding[:=]|encoding=|charset=)\s*["']?\s*([A-Za-z0-9][A-Za-z0-9._-]{1,30})""")
_LEGACY = re.compile(r"^(latin|iso|l\d|cp\d|windows|ms\d|gb|big5|shift|sjis|s_jis|euc|koi8|mac|hz|johab|tis|viscii)")
_CANDIDATES = (
    "cp1252",
    "gb18030",
    "shift_jis",
    "cp932",
    "big5",
    "euc_jp",
    "euc_kr",
    "cp1251",
    "koi8_r",
    "cp1250",
    "cp1253",
    "cp1255",
    "cp1256",
    "iso8859_2",
)
_SAMPLE = 64 * 1024


_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""Characters that steer a terminal or turn text around; joiners stay, which emoji and some scripts need."""


@dataclass(frozen=True, slots=True)
class Decoded:
    r"""Text made of bytes.

    Attributes:
        text: Newlines normalised to ``\n``, byte order mark removed, NUL shown as U+FFFD; empty when binary.
        encoding: The encoding that was used; empty when binary.
        lossy: Whether some bytes could not be decoded (they are shown as U+FFFD).
        binary: Whether the bytes do not look like text.
    """

    text: str
    encoding: str
    lossy: bool = False
    binary: bool = False


def decode(data: bytes, *, truncated: bool = False) -> Decoded:
    """Decodes bytes of unknown encoding; never raises.

    Args:
        data: The bytes, from the beginning of a file.
        truncated: Whether the file goes on, so that a character may be cut at the end.
    """
    if not data:
        return Decoded("", "utf-8")
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _as(data[len(mark) :], encoding, truncated)
    wide = _wide_encoding(data)
    if wide:
        return _as(data, wide, truncated)
    control = (len(data) - len(data.translate(None, _CONTROL))) / len(data)
    if _is_utf8(data, truncated):
        return Decoded("", "", binary=True) if control > 0.1 else _as(data, "utf-8", truncated)
    if control > 0.01:
        return Decoded("", "", binary=True)
    if _mostly_utf8(data):
        return _as(data, "utf-8", truncated)
    encoding = _declared(data) or _guess(data)
    if encoding == "latin-1" and len(data) - len(data.translate(None, _UNUSED)) > 0.05 * len(data):
        return Decoded("", "", binary=True)
    return _as(data, encoding, truncated)


def looks_like_text(data: bytes) -> bool:
    """Whether the first bytes of a file are text in some encoding."""
    return not decode(data[:_SAMPLE], truncated=len(data) > _SAMPLE).binary


def normalize_newlines(text: str) -> str:
    r"""The text with every line end (``\r\n``, lone ``\r``) written ``\n``."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def split_lines(text: str) -> list[str]:
    r"""Lines of a normalised text, as editors count them.

    Only ``\n`` ends a line here: ``str.splitlines`` also breaks at form feeds and at U+2028, and then every
    following line number is wrong. A line end at the very end adds no empty line.
    """
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return lines


def line_count(text: str) -> int:
    r"""How many lines ``split_lines`` makes of a text; 0 for an empty one.

    >>> line_count("a\nb\n"), line_count("a\nb")
    (2, 2)
    """
    return text.count("\n") + (not text.endswith("\n")) if text else 0


def escape_name(raw: bytes) -> str:
    r"""A file name or path as one line of valid Unicode, different for different bytes.

    Bytes that are no UTF-8 become ``\xNN``, control and formatting characters ``\xNN``, ``\uNNNN`` or
    ``\UNNNNNNNN``, a backslash ``\\``.
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        text = raw.decode("utf-8", "surrogateescape")
    else:
        if text.isascii() and text.isprintable() and "\\" not in text:
            return text
    return "".join(_escape_char(char) for char in text)


def unescape_name(text: str) -> bytes:
    """The bytes that ``escape_name`` wrote as this text.

    Raises:
        ValueError: ``escape_name`` never writes such a text.
    """
    out = bytearray()
    position = 0
    while position < len(text):
        if text[position] != "\\":
            out += text[position].encode("utf-8")
            position += 1
            continue
        kind = text[position + 1 : position + 2]
        if kind == "\\":
            out += b"\\"
            position += 2
            continue
        width = {"x": 2, "u": 4, "U": 8}.get(kind)
        digits = text[position + 2 : position + 2 + (width or 0)]
        if width is None or not re.fullmatch(r"[0-9a-f]+", digits) or len(digits) != width:
            raise ValueError(f"no escaped name: {text!r}")
        value = int(digits, 16)
        out += bytes([value]) if kind == "x" else chr(value).encode("utf-8")
        position += 2 + width
    if escape_name(bytes(out)) != text:
        raise ValueError(f"no escaped name: {text!r}")
    return bytes(out)


def one_line(text: str, limit: int = 300) -> str:
    """Untrusted text for a message: control and formatting characters escaped, cut after ``limit`` characters."""
    cut = text if len(text) <= limit else text[: max(0, limit - 1)] + "…"
    return "".join(char if char == "\\" else _escape_char(char) for char in cut)


def printable(text: str) -> str:
    """Untrusted text, of any number of lines, for a terminal: what would steer it is shown escaped instead."""
    return _UNSEEN.sub(lambda match: _escape_char(match[0]), valid_unicode(text))


def json_printable(text: str) -> str:
    """JSON text that means the same, without raw characters that would steer a terminal."""
    return _UNSEEN.sub(lambda match: json.dumps(match[0])[1:-1], valid_unicode(text))


def valid_unicode(text: str) -> str:
    """The text with lone surrogates (possible in JSON escapes) replaced, so that it can be encoded."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def valid_values(value: Any) -> Any:
    """A JSON value with `valid_unicode` applied to every text in it, so that it can be written."""
    if isinstance(value, str):
        return valid_unicode(value)
    if isinstance(value, dict):
        return {key: valid_values(item) for key, item in value.items()}
    return [valid_values(item) for item in value] if isinstance(value, list) else value


def _escape_char(char: str) -> str:
    code = ord(char)
    if char == "\\":
        return "\\\\"
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is no UTF-8, as surrogateescape keeps it
        return f"\\x{code - 0xDC00:02x}"
    if code < 0x80:
        return char if 0x20 <= code < 0x7F else f"\\x{code:02x}"
    if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"}:
        return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
    return char


def _as(data: bytes, encoding: str, truncated: bool) -> Decoded:
    decoder = codecs.getincrementaldecoder(encoding)("strict")
    lossy = False
    try:
        text = decoder.decode(data, final=not truncated)
    except UnicodeDecodeError:
        text = data.decode(encoding, "replace")
        lossy = True
    return Decoded(normalize_newlines(text.replace("\0", "\ufffd")), encoding, lossy=lossy)


def _is_utf8(data: bytes, truncated: bool) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")("strict").decode(data, final=not truncated)
    except UnicodeDecodeError:
        return False
    return True


def _mostly_utf8(data: bytes) -> bool:
    """Whether it is UTF-8 with little damage: cut in its last character, or few wrong bytes among many right ones."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data" and error.start > 0 and not data[: error.start].isascii():
            return True
    text = data[:_SAMPLE].decode("utf-8", "replace")
    wrong = text.count("\ufffd")
    wide = sum(1 for char in text if char > "\x7f") - wrong
    return wide >= 10 * max(wrong, 1)


def _wide_encoding(data: bytes) -> str:
    """UTF-16 or UTF-32 without a byte order mark, told by where the zero bytes are; an empty string when neither."""
    sample = data[: _SAMPLE // 16]
    if sample.count(0) * 5 < len(sample) or len(sample) < 8:
        return ""
    lanes = [sample[start::4].count(0) / max(1, len(sample[start::4])) for start in range(4)]
    full, none = 0.6, 0.05
    low, high = lanes[0] + lanes[2], lanes[1] + lanes[3]
    if min(lanes[1:]) > full and lanes[0] < none:
        guess = "utf-32-le"
    elif min(lanes[:3]) > full and lanes[3] < none:
        guess = "utf-32-be"
    elif high / 2 > full and low / 2 < none:
        guess = "utf-16-le"
    elif low / 2 > full and high / 2 < none:
        guess = "utf-16-be"
    else:
        return ""
    text = sample[: len(sample) // 4 * 4].decode(guess, "replace")
    shown = sum(1 for char in text if char.isprintable() or char in "\t\n\r\f")
    return guess if text and shown >= 0.95 * len(text) else ""


def _declared(data: bytes) -> str:
    """The encoding that a coding cookie, an XML declaration or an HTML charset names, if it fits."""
    match = _DECLARED.search(data[:1024])
    if not match:
        return ""
    name = match.group(1).decode("ascii").lower()
    if not _LEGACY.match(name.replace("-", "_")):
        return ""  # only plain character tables: never utf-7, idna or a codec that is no text encoding
    try:
        data[:_SAMPLE].decode(name, "strict" if len(data) <= _SAMPLE else "ignore")
    except (LookupError, UnicodeError):
        return ""
    return name


def plural(number: int, one: str, many: str = "") -> str:
    """A number with its noun: ``1 task``, ``1,200 tasks``, and ``2 replies`` where ``many`` is given."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _guess(data: bytes) -> str:
    """The encoding of text that is not UTF-8."""
    sample = data[:_SAMPLE]
    runs = re.findall(rb"[\x80-\xff]+", sample)
    lone = sum(1 for run in runs if len(run) == 1)
    if lone * 2 > len(runs):  # accents between plain letters; tables of two bytes a character make longer runs
        pairs = len(re.findall(rb"[\x81-\x9f\xe0-\xfc][\x40-\x7e\x80-\xfc]", sample))
        accents = len(re.findall(rb"[A-Za-z][\x80-\xff]|[\x80-\xff][a-z ,.]", sample))
        if accents * 2 >= lone or pairs * 2 < lone:
            return _western(data)
    from charset_normalizer import from_bytes

    try:
        best = from_bytes(sample, steps=5, chunk_size=512, threshold=0.4, cp_isolation=list(_CANDIDATES)).best()
    except (LookupError, UnicodeError, ValueError):
        best = None
    return best.encoding if best else _western(data)


def _western(data: bytes) -> str:
    try:
        data.decode("cp1252")
    except UnicodeDecodeError:
        return "latin-1"
    return "cp1252"
