"""Which requests are the same: everything counts that can change the answer, and nothing that cannot.

Untrusted text stands between markers that are random in every run (see ``judge.fence``). They are sent as they are, but
for the key each is replaced by its number in order of appearance, so that a prompt has the same key in every run. A
marker is recognised by its whole pair of lines; untrusted text cannot hold such a line, and a marker is not known to
its author, so nothing in a workspace can make two different prompts look the same. Numbers are written with a character
that is doubled wherever it stands in the text itself.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

import orjson

from judge.models.base import Message, Request

_BEGIN = re.compile(r"^<<<BEGIN ([0-9a-f]{16}) .*>>>$", re.MULTILINE)
_SIGN = "\0"
_NUMBERED = re.compile(r"\0(?:\0|(\d{1,6});)")
_VERSION = "1"


@dataclass(frozen=True, slots=True)
class Canonical:
    """A request without what differs from run to run.

    Attributes:
        key: SHA-256 over everything that can change the answer, 64 hex digits.
        markers: The markers of this run, in order of appearance.
    """

    key: str
    markers: tuple[str, ...]

    def fold(self, text: str) -> str:
        """A text with the markers of this run replaced by their numbers."""
        return _fold(text, self.markers)

    def unfold(self, text: str) -> str:
        """A folded text, of this run or another, with the markers of this one."""

        def marker(found: re.Match[str]) -> str:
            if found[1] is None:
                return _SIGN
            number = int(found[1])
            return self.markers[number] if number < len(self.markers) else ""

        return _NUMBERED.sub(marker, text) if _SIGN in text else text


def canonical(identity: Sequence[str], request: Request) -> Canonical:
    """What a request is known by.

    Args:
        identity: Who is asked: model, server, and whatever else decides the answer beside the request.
        request: The request. Its purpose is no part of it: it is for the ledger alone.
    """
    markers = tuple(dict.fromkeys(mark for message in request.messages for mark in _markers(message.text)))
    digest = hashlib.sha256()
    settings = [request.schema_name, request.max_output_tokens, request.temperature, request.vote]
    schema = orjson.dumps(request.schema, option=orjson.OPT_NON_STR_KEYS) if request.schema is not None else b""
    for field in (_VERSION.encode(), *(item.encode() for item in identity), orjson.dumps(settings), schema):
        _add(digest, field)
    for message in request.messages:
        _add(digest, message.role.value.encode())
        _add(digest, _fold(message.text, markers).encode("utf-8", "surrogatepass"))
        _add_images(digest, message)
    return Canonical(digest.hexdigest(), markers)


def _add_images(digest: hashlib._Hash, message: Message) -> None:
    _add(digest, str(len(message.images)).encode())
    for image in message.images:
        _add(digest, image.media_type.encode())
        _add(digest, image.data_base64.encode("utf-8", "surrogatepass"))


def _add(digest: hashlib._Hash, field: bytes) -> None:
    # With its length before it no field can run into the next.
    digest.update(b"%d:" % len(field))
    digest.update(field)


def _markers(text: str) -> list[str]:
    found = [match[1] for match in _BEGIN.finditer(text)]
    return [mark for mark in found if f"\n<<<END {mark}>>>" in text]


def _fold(text: str, markers: Sequence[str]) -> str:
    text = text.replace(_SIGN, _SIGN + _SIGN)
    if not markers:
        return text
    numbers = {mark: number for number, mark in enumerate(markers)}
    return re.sub("|".join(markers), lambda found: f"{_SIGN}{numbers[found[0]]};", text)
