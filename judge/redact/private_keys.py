"""Private keys in text: found by their first line, gone to their last, or as far as their lines look like a key."""

from __future__ import annotations

import re
from collections.abc import Iterator

from judge.redact.patterns import PRIVATE_KEY

_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----")
_END = re.compile(r"-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----")
# A private key without its end is masked up to this far, as long as its lines look like key data.
_KEY_LENGTH = 16_384
_KEY_LINE = re.compile(r"(?:[A-Za-z0-9+/=]{16,}|[A-Za-z-]+: [^\n]{0,200}|[A-Za-z0-9+/=]{1,76})?\r?\Z")


def private_keys(text: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and kind of each private key."""
    at = 0
    while begin := _BEGIN.search(text, at):
        end = _END.search(text, begin.end(), begin.end() + _KEY_LENGTH)
        following = _BEGIN.search(text, begin.end(), end.start() if end else begin.end())
        at = end.end() if end and not following else _key_data_end(text, begin.end())
        yield begin.start(), at, PRIVATE_KEY


def _key_data_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    if end < 0:
        return min(len(text), start + _KEY_LENGTH)
    while end < min(len(text), start + _KEY_LENGTH):
        stop = text.find("\n", end + 1)
        stop = len(text) if stop < 0 else stop
        if stop - end > 400 or not _KEY_LINE.match(text[end + 1 : stop]):
            break
        end = stop
    return end
