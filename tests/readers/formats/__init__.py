"""The table of formats that the readers know: each with makers of a good, a damaged and of hostile files.

To add a format, add an ``Entry`` to ``ENTRIES`` in the file of its kind; ``tests/readers/test_formats.py`` runs all of
them, and ``scripts/bench/formats.py`` prints the table.
"""

from tests.readers.formats.archives import ENTRIES as ARCHIVES
from tests.readers.formats.data import ENTRIES as DATA
from tests.readers.formats.documents import ENTRIES as DOCUMENTS
from tests.readers.formats.entry import TROUBLED, Entry, Make, cut_in_half
from tests.readers.formats.media import ENTRIES as MEDIA
from tests.readers.formats.models import ENTRIES as MODELS

ENTRIES: tuple[Entry, ...] = (*DOCUMENTS, *DATA, *ARCHIVES, *MODELS, *MEDIA)

__all__ = ["ARCHIVES", "DATA", "DOCUMENTS", "ENTRIES", "MEDIA", "MODELS", "TROUBLED", "Entry", "Make", "cut_in_half"]
