"""The only place where untrusted text is wrapped into a prompt.

Text of a workspace or a trajectory stands between two lines that carry a marker its author cannot know::

    <<<BEGIN 3f9a1c… file src/train.py>>>
     12| model.fit(x, y)
    <<<END 3f9a1c…>>>

The marker is a keyed hash of the label and the text: with the same key the same text is wrapped byte for byte the same,
for every requirement and after a resume, so that providers can cache shared prompts; without the key, which is random
and never part of a workspace, it cannot be foreseen. Look-alikes of the fence and of chat control tokens inside the
text are broken by one visible sign, ``⁞``, which ``unfence`` takes out of a quotation again.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass, field

from judge.fence.signs import BIDI, HIDDEN_RUN, INVISIBLE, TAGS

BREAK = "⁞"
_MARKER_DIGITS = 16
_LABEL_LENGTH = 240
_GAP = f"[ \t{INVISIBLE}]{{0,8}}"
_LESS = "[<＜﹤‹«≪⟨〈《❮˂ᐸ]"
_OPENING = re.compile(rf"{_LESS}(?={_GAP}{_LESS}{_GAP}{_LESS})")
# Chat control tokens: servers of local models read them as real ones wherever they stand.
_CONTROL = re.compile(
    r"<(?=\|[A-Za-z0-9_ ▁]{1,40}\|>)|<(?=｜[^<>\n]{1,40}｜>)|<(?=/?(?:s|start_of_turn|end_of_turn|bos|eos|think)>)"
    r"|\[(?=/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\])|<(?=</?SYS>>)"
)
_UNPRINTED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Fence:
    """Wraps untrusted text; two fences with the same key wrap alike."""

    _key: bytes = field(repr=False)

    @classmethod
    def new(cls, key: bytes | None = None) -> Fence:
        """A fence.

        Args:
            key: Keep it to wrap the same way in another process, outside of any workspace; random by default.
        """
        return cls(key or secrets.token_bytes(32))

    def marker(self, label: str, text: str) -> str:
        """The marker of a block."""
        message = f"{label}\0{text}".encode("utf-8", "surrogatepass")
        digest = hmac.new(self._key, message, hashlib.sha256).hexdigest()
        places = range(0, len(digest) - _MARKER_DIGITS + 1)
        return next(mark for at in places if (mark := digest[at : at + _MARKER_DIGITS]) not in text)

    def wrap(self, label: str, text: str, *, first_line: int = 1, numbered: bool = True) -> str:
        """Wraps a text.

        Args:
            label: What it is, such as ``file src/train.py``; may be untrusted too.
            text: The text, line breaks as they are.
            first_line: Number of its first line.
            numbered: Whether its lines get numbers, so that they can be cited; off for text that has them.
        """
        label = _label(label)
        body = number_lines(text, first_line) if numbered else text
        body = neutralise(body)
        mark = self.marker(label, body)
        return f"<<<BEGIN {mark} {label}>>>\n{body}\n<<<END {mark}>>>"


def number_lines(text: str, first_line: int = 1) -> str:
    """Puts ``  12| `` before each line; numbers are right-aligned among themselves.

    Args:
        text: A text; a line break at its end opens no further line.
        first_line: Number of its first line.
    """
    lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n")
    width = len(str(first_line + len(lines) - 1))
    return "\n".join(f"{number:>{width}}| {line}" for number, line in enumerate(lines, first_line))


def neutralise(text: str) -> str:
    """Breaks look-alikes of fences and control tokens, and makes hidden characters seen."""
    text = text.replace("\r\n", "\n")
    if not text.isascii():
        text = HIDDEN_RUN.sub(_counted, TAGS.sub(_counted, text))
    if "<" in text or not text.isascii():
        text = _OPENING.sub(lambda found: found[0] + BREAK, text)
    text = _CONTROL.sub(lambda found: found[0] + BREAK, text)
    if not text.isascii():
        text = BIDI.sub(lambda found: f"⟦U+{ord(found[0]):04X}⟧", text)
    return _UNPRINTED.sub(_seen, text)


def unfence(quote: str) -> str:
    """Undoes in a quotation what ``wrap`` did to the text, apart from hidden characters: line numbers and breaks."""
    return re.sub(r"^[ ]{0,9}[0-9]{1,9}\| ?", "", quote, flags=re.MULTILINE).replace(BREAK, "")


def _label(label: str) -> str:
    text = neutralise(label.replace("\r", "␍").replace("\n", "␊"))
    text = " ".join(text.replace("<", "‹").replace(">", "›").split())
    return text if len(text) <= _LABEL_LENGTH else text[:_LABEL_LENGTH] + "…"


def _seen(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else "\ufffd"


def _counted(found: re.Match[str]) -> str:
    return f"⟦{len(found[0])} hidden characters⟧"
