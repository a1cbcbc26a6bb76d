"""File formats to text, facts and pictures, one family a file, within bounds."""

from typing import TYPE_CHECKING

from judge.lazy import offer

if TYPE_CHECKING:
    from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
    from judge.readers.registry import readers
    from judge.readers.store import DocumentStore, read_document
    from judge.readers.writings import Writings

__all__ = [
    "Document",
    "DocumentStore",
    "Family",
    "Limits",
    "Reader",
    "ReaderProblem",
    "Source",
    "State",
    "Writings",
    "read_document",
    "readers",
]

__getattr__ = offer(
    __name__,
    {
        "document": "Document Family Limits Reader ReaderProblem Source State",
        "registry": "readers",
        "store": "DocumentStore read_document",
        "writings": "Writings",
    },
)
