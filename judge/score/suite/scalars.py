"""What a scalar of a suite stands for: YAML 1.1 as PyYAML reads it, JSON's numbers, and a note on every surprise."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any, NamedTuple

_NULL = re.compile(r"~|null|Null|NULL|")
_TRUE = re.compile(r"true|True|TRUE|yes|Yes|YES|on|On|ON")
_FALSE = re.compile(r"false|False|FALSE|no|No|NO|off|Off|OFF")
_PLAIN_BOOL = re.compile(r"true|True|TRUE|false|False|FALSE")
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9_]*)")
_BASED = re.compile(r"([-+]?)(0x[0-9a-fA-F_]+|0o[0-7_]+|0b[01_]+)")
_OLD_OCTAL = re.compile(r"[-+]?0[0-7_]+")
_SEXAGESIMAL = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?")
_FLOAT = re.compile(r"[-+]?(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+]?[0-9]+)?")
_SPECIAL = re.compile(r"([-+]?)\.(inf|Inf|INF|nan|NaN|NAN)")
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt ].*)?")
_MOST_DIGITS = 4000


class Scalar(NamedTuple):
    """A scalar's meaning.

    Attributes:
        value: None, a bool, int, float or str.
        note: Why it may not be what the author means; empty when it is clear.
        wrong: Why it cannot be used at all; empty when it can.
    """

    value: Any
    note: str = ""
    wrong: str = ""


def resolve(text: str) -> Scalar:
    """The meaning of a scalar without quotes and tag."""
    if _NULL.fullmatch(text):
        return Scalar(None)
    if _TRUE.fullmatch(text) or _FALSE.fullmatch(text):
        value = bool(_TRUE.fullmatch(text))
        word = "true" if value else "false"
        note = (
            "" if _PLAIN_BOOL.fullmatch(text) else f"{text} is read as {word}: write {word}, or '{text}' for the text"
        )
        return Scalar(value, note)
    if text[:1] in "0123456789+-.":
        return _number(text)
    return Scalar(text)


def _number(text: str) -> Scalar:
    if len(text) > _MOST_DIGITS:
        wrong = f"is a number of more than {_MOST_DIGITS} characters: make it with generate, or put text into quotes"
        return Scalar(text, wrong=wrong if re.fullmatch(r"[-+0-9_.eExabcdefABCDEFo]+", text) else "")
    digits = text.replace("_", "")
    underlined = f"{text} is read as the number {digits}: put it into quotes for the text" if "_" in text else ""
    if _INT.fullmatch(text):
        return Scalar(int(digits), underlined)
    if found := _BASED.fullmatch(text):
        if digits.endswith(("x", "o", "b")) and len(digits.lstrip("+-")) == 2:
            return Scalar(text)
        return Scalar(int(digits, 0), underlined if found[2][:2] != "0b" else f"{text} is read as {int(digits, 0)}")
    if _OLD_OCTAL.fullmatch(text):
        value = int(digits, 8)
        return Scalar(value, f"{text} is read as octal, {value}: write {value}, or '{text}' for the text")
    if found := _SPECIAL.fullmatch(text):
        return Scalar(float(found[1] + found[2].lower()))
    if _SEXAGESIMAL.fullmatch(text):
        return _sexagesimal(text)
    if _FLOAT.fullmatch(text) and any(sign.isdigit() for sign in text):
        return _float(text, digits, underlined)
    if _DATE.fullmatch(text):
        return Scalar(text, f"{text} is kept as text, not a date: put it into quotes")
    return Scalar(text)


def _float(text: str, digits: str, underlined: str) -> Scalar:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        return Scalar(value, f"{text[:40]} is too large for a float and reads as infinity: write .inf")
    if digits.lstrip("+-").isdigit():
        return Scalar(value, f"{text} is read as the number {value!r}: put it into quotes for the text")
    return Scalar(value, underlined)


def _sexagesimal(text: str) -> Scalar:
    sign = -1 if text.startswith("-") else 1
    total: int | float = 0
    for part in text.lstrip("+-").replace("_", "").split(":"):
        total = total * 60 + (float(part) if "." in part else int(part))
    return Scalar(sign * total, f"{text} is read as base 60, {sign * total}: put it into quotes for the text")


def tagged(tag: str, text: str) -> Scalar:
    """The meaning of a scalar with one of YAML's own tags or ``!bytes``, ``!hex``, ``!complex``."""
    convert = _TAGS.get(tag)
    if convert is None:
        return Scalar(text, wrong=f"the tag {tag} is unknown: tags of single values are {', '.join(SCALAR_TAGS)}")
    if len(text) > _MOST_DIGITS and convert not in (str, _bytes, _hex, _base64):
        return Scalar(text, wrong=f"is longer than {_MOST_DIGITS} characters")
    try:
        return Scalar(convert(text))
    except (ValueError, OverflowError, binascii.Error):
        return Scalar(text, wrong=f"{text[:40]!r} is no {_NAMES[tag]}")


def _bytes(text: str) -> bytes:
    return text.encode("latin-1")


def _hex(text: str) -> bytes:
    return bytes.fromhex(text)


def _base64(text: str) -> bytes:
    return base64.b64decode("".join(text.split()), validate=True)


def _int(text: str) -> int:
    value = resolve(text).value
    if type(value) is not int:
        raise ValueError(text)
    return value


def _real(text: str) -> float:
    value = resolve(text).value
    if type(value) not in (int, float):
        raise ValueError(text)
    return float(value)


def _bool(text: str) -> bool:
    value = resolve(text).value
    if type(value) is not bool:
        raise ValueError(text)
    return value


def _null(text: str) -> None:
    if resolve(text).value is not None:
        raise ValueError(text)


def _complex(text: str) -> complex:
    return complex(text.replace(" ", "").replace("i", "j") if "inf" not in text else text.replace(" ", ""))


_YAML = "tag:yaml.org,2002:"
_TAGS: dict[str, Any] = {
    "!": str,
    f"{_YAML}str": str,
    f"{_YAML}int": _int,
    f"{_YAML}float": _real,
    f"{_YAML}bool": _bool,
    f"{_YAML}null": _null,
    f"{_YAML}binary": _base64,
    "!bytes": _bytes,
    "!hex": _hex,
    "!complex": _complex,
}
_NAMES = {
    tag: {
        "!bytes": "text of characters up to \\xff",
        "!hex": "bytes as pairs of hexadecimal digits",
        "!complex": "complex number such as 1+2j",
    }.get(tag, tag.removeprefix(_YAML))
    for tag in _TAGS
}
SCALAR_TAGS = ("!bytes", "!hex", "!complex", "!!str", "!!int", "!!float", "!!bool", "!!null", "!!binary")
