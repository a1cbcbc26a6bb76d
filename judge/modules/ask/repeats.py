"""Text for people that says again what another file says, such as a report as Markdown and as PDF: shown once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_NUMBER = re.compile(r"^ {0,9}\d{1,9}\| ?", re.MULTILINE)
_WORD = re.compile(r"\w+")
_LEAST_WORDS = 4
"""A shorter line may stand anywhere by chance; inside a longer run it goes with its neighbours."""
_LEAST_LINES = 4


def without_repeats(text: str, others: Iterable[tuple[str, str]]) -> str:
    """The text without runs of lines whose words stand in another file in the same order, each with a mark.

    Args:
        text: What a file says.
        others: Path and shown text of the files that it may repeat.

    Returns:
        The text with marks such as ``[… as in report.md …]``; the text itself when little would be saved.
    """
    best = text
    rows = text.split("\n")
    for path, other in others:
        shorter = _without(rows, _words(_NUMBER.sub("", other)), path)
        if len(shorter) < len(best):
            best = shorter
    return best


def _without(rows: Sequence[str], known: str, path: str) -> str:
    kept: list[str] = []
    run: list[str] = []

    def close() -> None:
        long = len(run) >= _LEAST_LINES
        kept.extend([f"[… as in {path} …]"] if long else run)
        run.clear()

    at = 0
    for row in rows:
        words = _words(row)
        # In order, so that what is told is one passage and no patchwork of words from here and there.
        found = known.find(words, at) if run else known.find(words)
        if not words.strip() or found < 0 or (not run and len(words.split()) < _LEAST_WORDS):
            close()
            kept.append(row)
            continue
        at = found + len(words) - 1
        run.append(row)
    close()
    return "\n".join(kept)


def _words(text: str) -> str:
    return f" {' '.join(_WORD.findall(text))} "
