"""File formats to text, facts and pictures, one family a file, within bounds."""

from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.registry import READERS
from judge.readers.store import DocumentStore, read_document
from judge.readers.writings import Writings

__all__ = [
    "READERS",
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
]
