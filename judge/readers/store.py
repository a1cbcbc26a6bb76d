"""Documents of a workspace, each read once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import replace

from judge.readers.choose import Choice, choose, suffix_of
from judge.readers.document import Document, Family, Limits, Source, State
from judge.readers.isolate import Isolation
from judge.readers.perform import failed, perform
from judge.readers.registry import claimants, is_isolated, reader_named
from judge.readers.writings import Writings
from judge.workspace import Entry, Workspace

_TAIL = 1024 * 1024
_KEPT_CHARS = 128 * 1024 * 1024
_LARGE = 4 * 1024 * 1024
"""Files above this are read in the process of their own whatever they are, so that memory and time stay bounded."""
_LFS = b"version https://git-lfs.github.com/spec/"


def read_document(
    workspace: Workspace, path: str, limits: Limits | None = None, isolation: Isolation | None = None
) -> Document:
    """The document of one file; never raises for what is in it, or for a file that is not there.

    Args:
        workspace: The door to the files.
        path: A workspace path, in any spelling that ``Workspace.find`` takes.
        limits: Bounds on the read.
        isolation: The process for risky formats; without one, such a file gets a process of its own.
    """
    bounds = limits or Limits()
    entry = workspace.find(path)
    if entry is None:
        return Document(path, "", Family.BINARY, State.UNREADABLE, problems=("no such file",))
    own = isolation or Isolation()
    try:
        return _read(workspace, entry, bounds, own)
    finally:
        if isolation is None:
            own.close()


class DocumentStore:
    """Documents of a workspace, each read once, from any thread; the oldest are dropped when they get too many."""

    def __init__(self, workspace: Workspace, limits: Limits | None = None, *, writings: Writings | None = None) -> None:
        """Opens a store; nothing is read yet.

        Args:
            workspace: The door to the files.
            limits: Bounds on each read.
            writings: Where documents with writing read by OCR are kept from run to run; nowhere without.
        """
        self.workspace = workspace
        self.limits = limits or Limits()
        self._writings = writings
        self._isolation = Isolation()
        self._lock = threading.Lock()
        self._busy: dict[str, threading.Lock] = {}
        self._documents: OrderedDict[str, Document] = OrderedDict()
        self._size = 0

    def start(self) -> None:
        """Starts the reading process when there are files that it will read, so that it is ready by then."""
        if any(is_isolated(suffix_of(entry.path)) for entry in self.workspace.files):
            self._isolation.start()

    def get(self, path: str, *, ocr: bool = False) -> Document:
        """The document of a file; read at the first call, the same object at later ones.

        Args:
            path: A workspace path, in any spelling that ``Workspace.find`` takes.
            ocr: Whether writing in its pictures and on its scanned pages is wanted too, which takes seconds. From then
                on it belongs to the document.
        """
        entry = self.workspace.find(path)
        if entry is None:
            return read_document(self.workspace, path, self.limits, self._isolation)
        document = self._get(entry, self.limits)
        if not ocr or self.limits.ocr or not has_unread_writing(document):
            return document
        return self._get(entry, replace(self.limits, ocr=True))

    def _get(self, entry: Entry, limits: Limits) -> Document:
        with self._lock:
            busy = self._busy.setdefault(entry.path, threading.Lock())
        with busy:
            with self._lock:
                known = self._documents.get(entry.path)
                if known is not None and not (limits.ocr and has_unread_writing(known)):
                    self._documents.move_to_end(entry.path)
                    return known
            document = self._remembered(entry, limits) or self._fresh(entry, limits)
            if known is not None and document.state is not known.state:
                note = "writing on it was not read: " + "; ".join(document.problems[:1])
                document = replace(known, facts={**known.facts, "note": note})
            with self._lock:
                dropped = self._documents.pop(entry.path, None)
                self._documents[entry.path] = document
                self._size += _weight(document) - (0 if dropped is None else _weight(dropped))
                while self._size > _KEPT_CHARS and len(self._documents) > 1:
                    self._size -= _weight(self._documents.popitem(last=False)[1])
            return document

    def _remembered(self, entry: Entry, limits: Limits) -> Document | None:
        if self._writings is None or not limits.ocr:
            return None
        return self._writings.get(entry.path, self.workspace.content_hash(entry), limits)

    def _fresh(self, entry: Entry, limits: Limits) -> Document:
        document = _read(self.workspace, entry, limits, self._isolation)
        if self._writings is not None and limits.ocr:
            self._writings.put(self.workspace.content_hash(entry), limits, document)
        return document

    def close(self) -> None:
        """Ends the reading process, if one was started."""
        self._isolation.close()


def has_unread_writing(document: Document) -> bool:
    """Whether OCR may find writing on it that was not looked for yet."""
    facts = document.facts
    if document.state not in (State.SOUND, State.PARTIAL) or "writing" in facts or "note" in facts:
        return False
    if document.family is Family.DOCUMENT:
        return bool(facts.get("scanned_pages")) and "ocr_pages" not in facts
    return document.family in (Family.IMAGE, Family.VIDEO) and "ink" in facts


def _weight(document: Document) -> int:
    return len(document.text) + sum(len(image.data_base64) for image in document.images) + 1000


def _read(workspace: Workspace, entry: Entry, limits: Limits, isolation: Isolation) -> Document:
    content = workspace.read_bytes(entry, limits.max_bytes, tail=_TAIL)
    source = Source(entry.path, suffix_of(entry.path), content.data, content.size, content.truncated, content.tail)
    document = _document(source, limits, isolation, content.problem)
    facts = {"size": content.size, **document.facts}
    problems = document.problems
    if content.problem and content.problem not in problems:
        problems = (content.problem, *problems)
    return replace(document, facts=facts, problems=problems)


def _document(source: Source, limits: Limits, isolation: Isolation, problem: str) -> Document:
    claimed = (claimants(source.suffix) or [reader_named("binary")])[0]
    if not source.data:
        if problem:
            return failed(source, claimed, State.UNREADABLE, problem)
        if source.size:
            return failed(source, claimed, State.PARTIAL, "nothing of it may be read")
        return replace(failed(source, claimed, State.EMPTY, "no bytes in it"), lines_match=claimed.textual)
    if source.data.startswith(_LFS) and source.size < 1024:
        return failed(source, claimed, State.UNREADABLE, "a Git LFS pointer, the content itself is not here")
    if not claimed.textual and not source.data[:65536].strip() and not source.data.strip():
        return failed(source, claimed, State.EMPTY, "nothing but white space")
    choice = choose(source)
    apart = choice.reader.isolated or len(source.data) > _LARGE
    run = isolation.read if apart else perform
    return _fit(run(choice.reader, source, limits), choice)


def _fit(document: Document, choice: Choice) -> Document:
    """The document with what does not fit its extension."""
    if choice.state is None:
        return document
    state = choice.state
    if document.state is State.UNREADABLE or (document.state is State.BROKEN and choice.reader.name == "zip"):
        state = document.state  # half a zip may have been a whole document
    return replace(document, state=state, problems=(choice.problem, *document.problems))
