"""Small things that most readers need."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from judge.readers.document import Document, Family, Limits, ReaderProblem, Source, State
from judge.text import Decoded, decode, line_count


def text_of(source: Source) -> Decoded:
    """The decoded text of a source.

    Raises:
        ReaderProblem: The bytes are no text.
    """
    decoded = decode(source.data, truncated=source.truncated)
    if decoded.binary:
        raise ReaderProblem("binary content, not text", State.MISMATCH)
    return decoded


def text_document(
    source: Source,
    limits: Limits,
    format_: str,
    family: Family,
    decoded: Decoded,
    *,
    facts: Mapping[str, Any] | None = None,
    problems: Sequence[str] = (),
    state: State = State.SOUND,
) -> Document:
    """A document whose text is exactly the file's lines; the state is EMPTY for nothing but white space."""
    text = decoded.text
    measured: dict[str, Any] = {"lines": line_count(text)}
    measured["encoding"] = decoded.encoding
    if len(text) > limits.max_chars:
        measured["text_cut"] = True
    found = list(problems)
    if decoded.lossy:
        found.append(f"some bytes are no {decoded.encoding}")
    if not text.strip():
        state = State.EMPTY
    elif source.truncated and state is State.SOUND:
        state = State.PARTIAL
    return Document(
        path=source.path,
        format=format_,
        family=family,
        state=state,
        text=text[: limits.max_chars],
        facts={**measured, **(facts or {})},
        problems=tuple(found),
        lines_match=True,
    )


class Clock:
    """Tells when a reader has used its time."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    @property
    def over(self) -> bool:
        """Whether the time is used up."""
        return time.monotonic() > self._end


class TextBuilder:
    """Collects lines up to a number of characters and two more, by which it is seen that the text was cut."""

    def __init__(self, limit: int) -> None:
        self._parts: list[str] = []
        self._left = limit + 2
        self.cut = False

    def add(self, line: str) -> bool:
        """Adds a line; False when there is no room for more."""
        if self._left <= 0:
            self.cut = True
            return False
        self._parts.append(line[: self._left])
        self.cut = self.cut or len(line) > self._left
        self._left -= len(line) + 1
        return self._left > 0

    def text(self) -> str:
        """What was added, a line each."""
        return "\n".join(self._parts)


def never(data: bytes) -> bool:
    """A sniff for formats that only an extension tells."""
    return False
