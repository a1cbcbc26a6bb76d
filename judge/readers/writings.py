"""Keeps documents with writing read by OCR from run to run, by the content of their files: reading it takes seconds."""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from pathlib import Path

from judge.readers.document import Document, Limits
from judge.readers.wire import LENGTH, pack_document, unpack_document

_FORMAT = "1"
"""Raised when documents of the same file come to look different."""
_LARGEST = 8 * 1024 * 1024


class Writings:
    """A folder of documents.

    Nothing goes wrong for want of it: what cannot be read back is read anew, what cannot be kept is not.
    """

    def __init__(self, folder: Path) -> None:
        """Uses a folder, which need not exist yet.

        Args:
            folder: A folder of the program's own, never one in a workspace.
        """
        self._folder = folder

    def get(self, path: str, content_hash: str, limits: Limits) -> Document | None:
        """The document of a file with that content; None when it is not known."""
        try:
            return unpack_document(self._place(path, content_hash, limits).read_bytes())
        except (OSError, ValueError):
            return None

    def put(self, content_hash: str, limits: Limits, document: Document) -> None:
        """Keeps a document, unless its writing is not all there or it is too long."""
        if "note" in document.facts or "writing_left_out" in document.facts:
            return
        data = pack_document(document)[LENGTH:]
        if len(data) > _LARGEST:
            return
        with suppress(OSError):  # a full or read-only disk
            self._folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self._folder)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                os.replace(name, self._place(document.path, content_hash, limits))
            except OSError:
                os.unlink(name)
                raise

    def _place(self, path: str, content_hash: str, limits: Limits) -> Path:
        """Where a document is kept; it names its file, so another file with the same content has one of its own."""
        key = "\0".join([_FORMAT, path, content_hash, repr(limits)])
        return self._folder / f"{hashlib.sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()}.json"
