"""Looks every quoted text up where it is said to be, and corrects the place when it is elsewhere."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from judge.modules.base import Case
from judge.schemas import Citation, Evidence, EvidenceKind
from judge.text import split_lines

if TYPE_CHECKING:
    from judge.schemas import Step

_BYTES = 4_000_000
_NUMBER = re.compile(r"^\s*\d{1,7}\|\s?", re.MULTILINE)
_GAP = re.compile(r"\s*(?:\.\.\.|…|\[…[^\]]*\])\s*")
_OURS = frozenset({EvidenceKind.NOTE, EvidenceKind.GRAPH, EvidenceKind.MAP, EvidenceKind.ARTEFACT})
_MOST = 20
_LEAST_WORDS = 2


def verify_citations(case: Case, citations: Sequence[Citation], evidence: Sequence[Evidence]) -> tuple[Citation, ...]:
    """Looks citations up.

    Args:
        case: Workspace and trajectory to look in.
        citations: As the model gave them.
        evidence: What the model was shown: measured facts and notes are quotable too.

    Returns:
        The citations with ``verified`` set, and with the lines or the step where the quote really stands. One without
        a quote keeps ``verified`` None when its path or step is there.
    """
    return tuple(_verify(case, item, evidence) for item in citations[:_MOST])


def all_found(citations: Sequence[Citation]) -> bool | None:
    """Whether every quote was found; None when nothing was quoted."""
    looked = [item.verified for item in citations if item.verified is not None]
    return all(looked) if looked else None


def _verify(case: Case, item: Citation, evidence: Sequence[Evidence]) -> Citation:
    quote = _NUMBER.sub("", item.quote).strip()
    if not quote:
        return item.model_copy(update={"verified": None})
    found = _in_steps(case, item, quote) if item.step is not None else _in_file(case, item, quote)
    if found is None and _in_evidence(item, quote, evidence):
        found = item
    if found is None:
        return item.model_copy(update={"verified": False})
    return found.model_copy(update={"verified": True})


def _in_file(case: Case, item: Citation, quote: str) -> Citation | None:
    entry = case.workspace.find(item.path or "")
    if entry is None:
        return None
    document = case.documents.get(entry.path)
    if document.lines_match:
        text = case.workspace.read_text(entry, _BYTES).text
        place = _place(text, quote, item.line, item.end_line) or _place(_masked(text), quote, item.line, item.end_line)
        if place is not None:
            return item.model_copy(update={"path": entry.path, "line": place.first, "end_line": place.last})
        return None
    cells = str(document.family) == "notebook"  # its lines are numbered as they are shown
    place = _place(document.text, quote, item.line if cells else None, item.end_line if cells else None)
    if place is None:
        return None
    lines = {"line": place.first, "end_line": place.last} if cells else {"line": None, "end_line": None}
    return item.model_copy(update={"path": entry.path, **lines})


def _in_steps(case: Case, item: Citation, quote: str) -> Citation | None:
    if case.trajectory is None:
        return None
    steps = case.trajectory.steps
    ordered = sorted(steps, key=lambda step: (step.step != item.step, abs(step.step - (item.step or 0))))
    # A long trajectory is not taken apart for every quote: its longest word tells where it can stand at all.
    telling = max((word for part in _GAP.split(quote) for word in part.split()), key=len, default="")
    masks = "[redacted:" in quote
    for step in ordered:
        text = _step_text(step)
        text = _masked(text) if masks else text
        if telling in text and _place(text, quote, None, None) is not None:
            return item.model_copy(update={"step": step.step})
    return None


def _in_evidence(item: Citation, quote: str, evidence: Sequence[Evidence]) -> bool:
    """Whether it quotes what we measured or noted, rather than the content of a file."""
    wanted = _words(quote)
    for shown in evidence:
        if shown.step is not None:  # with our marks for what is shown elsewhere
            ours = shown.text if shown.step == item.step else ""
        elif shown.path is None or item.path is None or shown.path == item.path:
            ours = shown.text if shown.kind in _OURS else _measured(shown)
        else:
            continue
        if ours and wanted in _words(ours):
            return True
    return False


def _measured(shown: Evidence) -> str:
    """The line of facts above the content of a file, or nothing."""
    first = shown.text.partition("\n")[0]
    return first if shown.kind == EvidenceKind.FILE and first.startswith("[") else ""


def _step_text(step: Step) -> str:
    parts = (step.user_message, step.thought, step.action, step.environment)
    return "\n".join(part for part in parts if part)


def _masked(text: str) -> str:
    """The text as it was sent: secrets masked."""
    from judge.redact import redact

    return redact(text).text


class _Place(NamedTuple):
    first: int
    last: int


def _place(text: str, quote: str, line: int | None, end_line: int | None) -> _Place | None:
    """Where a quote stands: at the lines given, else anywhere, white space not counted.

    A quote with gaps (``first … last``) stands where its parts do, in order.
    """
    if not text:
        return None
    if line is not None:
        lines = split_lines(text)
        last = min(max(end_line or line, line), len(lines))
        if 1 <= line <= last and quote in "\n".join(lines[line - 1 : last]):
            return _Place(line, last)
    flat = _Flat(text)
    parts = [part for part in _GAP.split(quote) if part.strip()] or [quote]
    whole = flat.find(quote, 0, line)
    if whole is not None:
        return flat.place(*whole)
    if len(parts) < 2 or any(len(part.split()) < _LEAST_WORDS and len(part) < 8 for part in parts):
        return None
    return _in_order(flat, parts)


def _in_order(flat: _Flat, parts: Sequence[str]) -> _Place | None:
    start: int | None = None
    position = 0
    for part in parts:
        found = flat.find(part, position, None)
        if found is None:
            return None
        start = found[0] if start is None else start
        position = found[1]
    return flat.place(start or 0, position)


class _Flat:
    """A text with white space collapsed, that still knows its lines."""

    def __init__(self, text: str) -> None:
        self._starts: list[int] = []
        self._numbers: list[int] = []
        pieces: list[str] = []
        length = 0
        for number, line in enumerate(split_lines(text), start=1):
            piece = _words(line)
            if piece:
                self._starts.append(length)
                self._numbers.append(number)
                pieces.append(piece)
                length += len(piece) + 1
        self._text = " ".join(pieces)

    def find(self, quote: str, start: int, near: int | None) -> tuple[int, int] | None:
        """Offsets of a quote; of several places the one nearest to a line."""
        wanted = _words(quote)
        found: list[int] = []
        position = self._text.find(wanted, start) if wanted else -1
        while position >= 0 and len(found) < 200:
            found.append(position)
            position = self._text.find(wanted, position + 1) if near is not None else -1
        if not found:
            return None
        best = min(found, key=lambda offset: abs(self._line(offset) - near)) if near is not None else found[0]
        return best, best + len(wanted)

    def place(self, first: int, end: int) -> _Place:
        """Lines of a range of offsets."""
        return _Place(self._line(first), self._line(max(first, end - 1)))

    def _line(self, offset: int) -> int:
        return self._numbers[max(0, bisect_right(self._starts, offset) - 1)]


def _words(text: str) -> str:
    return " ".join(text.split())
