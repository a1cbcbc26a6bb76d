"""Archives."""

from __future__ import annotations

from tests.readers.formats.entry import Entry

ENTRIES: tuple[Entry, ...] = ()
