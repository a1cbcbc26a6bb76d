"""Keeps the texts of one trajectory: cleaned, without secrets, and within a bound of memory."""

from __future__ import annotations

import sys
from collections.abc import Callable

from judge.redact import Redactor
from judge.trajectories.clean import MAX_FIELD, clean_words, cut_field
from judge.trajectories.report import Report

BUDGET = 100 * 1024 * 1024
"""Bytes of text that a trajectory may hold; of more, every long field is cut, early ones and late ones alike."""
_LEAST_FIELD = 1_000


class Keeper:
    """Prepares texts for steps.

    Attributes:
        limit: Characters that a field may have at the moment; it falls when the trajectory is very large.
    """

    def __init__(self, report: Report, *, redact: bool, recut: Callable[[Callable[[str], str]], None]) -> None:
        """Opens an empty keeper.

        Args:
            report: Where masked secrets and cuts are noted.
            redact: Whether secrets are masked.
            recut: Applies a function to every text that was kept so far, for when the limit falls.
        """
        self.limit = MAX_FIELD
        self._report = report
        self._redactor = Redactor() if redact else None
        self._recut = recut
        self._size = 0

    def keep(self, text: str) -> str:
        """The text as a step may hold it."""
        kept, words = clean_words(text, self.limit)
        if self._redactor is not None and kept:
            kept = self._redactor.redact(kept, words)
        self._size += sys.getsizeof(kept)
        if self._size > BUDGET and self.limit > _LEAST_FIELD:
            self._shrink()
            kept = cut_field(kept, self.limit)
        return kept

    def mask(self, text: str) -> str:
        """The text without its secrets, when they are to be masked; home folders belong to ``user``."""
        if self._redactor is None or not text:
            return text
        return self._redactor.redact(text)

    def note(self) -> None:
        """Adds what was masked to the report, once, when the trajectory is complete."""
        if self._redactor is not None:
            self._report.masked.update(self._redactor.counts)
            self._redactor.counts.clear()

    def _shrink(self) -> None:
        """Halves the limit until what is kept is well below the budget."""
        while self._size > BUDGET * 3 // 4 and self.limit > _LEAST_FIELD:
            self.limit //= 2
            total = 0

            def cut(text: str) -> str:
                nonlocal total
                kept = cut_field(text, self.limit)
                total += sys.getsizeof(kept)
                return kept

            self._recut(cut)
            self._size = total
        self._report.notes["long fields"] = f"cut to {self.limit} characters, since the file holds very much text"
