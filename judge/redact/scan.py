"""Finds the secrets in a text: which patterns can fit at all, then where they do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from judge.redact.checks import passes
from judge.redact.patterns import PRIVATE_KEY, WORD, Pattern, table
from judge.redact.private_keys import private_keys

if TYPE_CHECKING:
    import re

_REACH = 160
"""How far before a hint the match of a pattern with ``then`` can start."""


def find_secrets(text: str, *, everything: bool, words: Iterable[str] | None = None) -> list[tuple[int, int, str]]:
    """Where secrets stand: start, end and kind, sorted; they may overlap.

    Args:
        text: Any text.
        everything: Whether also what is only masked in the recorded steps of an agent is looked for.
        words: What ``text.split()`` gives, where it is known already.
    """
    lowered = text.lower()
    found: list[tuple[int, int, str]] = []
    for pattern in _candidates(text, lowered, words):
        if pattern.kind == PRIVATE_KEY:
            found += private_keys(text)
        elif everything or pattern.everywhere:
            group = 1 if pattern.regex.groups else 0
            for match in _matches(pattern, text, lowered):
                if passes(pattern.check, match[group]):
                    found.append((*match.span(group), pattern.kind))
    found.sort()
    return found


def _candidates(text: str, lowered: str, words: Iterable[str] | None) -> list[Pattern]:
    """The patterns of which a hint is there. Searching for a few short texts is far faster than any pattern is.

    Most kinds of secret are one long word; few texts hold words that long, and only those are looked through.
    """
    hints = table()
    numbers: set[int] = set()
    for hint, owners in hints.loose:
        if hint in lowered:
            numbers.update(owners)
    long = [word for word in (text.split() if words is None else words) if len(word) >= WORD]
    if long:
        joined = "\n".join(long)
        low = joined.lower()
        for hint, owners in hints.words:
            if hint in low:
                numbers.update(owners)
        for hint, owners in hints.exact:
            if hint in joined:
                numbers.update(owners)
    return [
        pattern
        for number in sorted(numbers)
        if not (pattern := hints.patterns[number]).word or _has_word(pattern, long)
    ]


def _has_word(pattern: Pattern, long: Iterable[str]) -> bool:
    """Whether one of the long words holds a match: an unbroken word is a whole secret, so it can be tried alone."""
    return any(len(word) >= pattern.word and pattern.regex.search(word) is not None for word in long)


def _matches(pattern: Pattern, text: str, lowered: str) -> Iterator[re.Match[str]]:
    """The places where a pattern fits; a costly one is only tried where what must follow its hints does."""
    if pattern.then is None or len(lowered) != len(text):
        yield from pattern.regex.finditer(text)
        return
    start = stop = 0
    for at in sorted(_places(pattern, lowered)):
        # Places that are close are searched in one go, so that the time stays linear.
        if at - _REACH > stop:
            if stop:
                yield from pattern.regex.finditer(text, start, stop)
            start = at - _REACH
        stop = at + pattern.span
    if stop:
        yield from pattern.regex.finditer(text, start, stop)


def _places(pattern: Pattern, lowered: str) -> Iterator[int]:
    then = pattern.then
    assert then is not None
    for hint in pattern.hints:
        at = lowered.find(hint)
        while at >= 0:
            if then.match(lowered, at + len(hint)):
                yield at
            at = lowered.find(hint, at + 1)
