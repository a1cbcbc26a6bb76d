"""What a reader returns, and the bounds it works within."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the reading process starts without pydantic, in a third of the time
    from judge.schemas import Image


class Family(StrEnum):
    """Kinds of content, whatever the file is called."""

    CODE = "code"
    TEXT = "text"
    DATA = "data"
    TABLE = "table"
    MARKUP = "markup"
    NOTEBOOK = "notebook"
    DOCUMENT = "document"
    IMAGE = "image"
    AUDIO = "audio"
    VIDEO = "video"
    ARCHIVE = "archive"
    DATABASE = "database"
    ARRAY = "array"
    MODEL = "model"
    BINARY = "binary"


class State(StrEnum):
    """Whether the content is what it claims to be."""

    SOUND = "sound"
    EMPTY = "empty"
    """No bytes, or nothing in it: a table without rows, a document without text or pictures."""
    BLANK = "blank"
    """An image of (nearly) one flat colour."""
    BROKEN = "broken"
    """Damaged or cut off."""
    MISMATCH = "mismatch"
    """Content of another kind than the extension says."""
    PARTIAL = "partial"
    """Only looked at in part, because it is larger than the bounds allow."""
    UNREADABLE = "unreadable"
    """Could not be opened, or no reader for it is installed."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one read.

    Attributes:
        max_bytes: Bytes of the file that are read at most.
        max_chars: Characters of text that are returned at most.
        max_pages: Pages, sheets, cells or members that are looked at.
        max_pixels: Pixels an image may have before it is only measured, not decoded.
        max_expansion: Decompressed bytes per compressed byte before a file counts as a bomb.
        max_seconds: Wall seconds for one file.
        image_side: Longer side, in pixels, of the image handed to a model; 0 for no images.
        render_pages: First pages of a document that are rendered as images for a model that sees.
        figure_pages: Pages that show more than text, and are rendered too: so many at most, the first ones counted.
        ocr: Whether writing in pictures and on scanned pages is read, where the extra ``ocr`` is installed.
        ocr_seconds: Wall seconds for that, on top of ``max_seconds``; loading the models takes some of the first.
    """

    max_bytes: int = 32 * 1024 * 1024
    max_chars: int = 200_000
    max_pages: int = 50
    max_pixels: int = 64_000_000
    max_expansion: int = 200
    max_seconds: float = 10.0
    image_side: int = 1024
    render_pages: int = 0
    figure_pages: int = 3
    ocr: bool = False
    ocr_seconds: float = 20.0

    @property
    def wall_seconds(self) -> float:
        """Wall seconds for one file with all that is asked for."""
        return self.max_seconds + (self.ocr_seconds if self.ocr else 0.0)


@dataclass(frozen=True, slots=True)
class Document:
    """The content of one file as a judge can use it.

    Attributes:
        path: Workspace-relative path.
        format: Short name of the format, such as ``csv`` or ``png``.
        family: Kind of content, from the bytes and not from the name.
        state: Whether it is sound.
        text: Text form; for line-based text exactly the file's lines, so that line numbers can be cited.
        facts: Measured facts in JSON types. Common keys: ``rows``, ``columns`` (names), ``numeric_columns``, ``pages``,
            ``width``, ``height``, ``frames``, ``colours`` (distinct, capped), ``stddev``, ``ink``, ``cells``,
            ``executed_cells``, ``output_images``, ``images`` (embedded pictures), ``classes`` (names in a pickle),
            ``members``, ``tables``, ``duration`` (seconds), ``silent``, ``frozen``, ``writing`` (lines of text seen in
            a picture), ``metadata`` (what the file says of itself: untrusted text), ``install`` (the extra that reading
            more of it needs, as ``judge[media]``).
        images: Pictures for models that see.
        problems: What is wrong with it, one clause each.
        lines_match: Whether line N of ``text`` is line N of the file.
    """

    path: str
    format: str
    family: Family
    state: State
    text: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    images: tuple[Image, ...] = ()
    problems: tuple[str, ...] = ()
    lines_match: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes a reader works on.

    Attributes:
        path: Workspace-relative path.
        suffix: Lower-case extension with dot; ``.env`` for ``.env.local``; the name without one.
        data: The first bytes of the file.
        size: Bytes of the whole file.
        truncated: Whether the file is longer than ``data``.
        tail: The last bytes of a truncated file (where archives keep their directory).
    """

    path: str
    suffix: str
    data: bytes
    size: int
    truncated: bool
    tail: bytes = b""


@dataclass(frozen=True, slots=True)
class Reader:
    """One family of formats.

    Attributes:
        name: Short name, unique.
        suffixes: Lower-case extensions with dot that claim this format.
        sniff: Whether these first bytes are (also without the extension) of this format; must not raise.
        read: Turns a source into a document; may raise ``ReaderProblem`` only.
        textual: Whether the format is made of text, so that any text may bear its extension.
        isolated: Whether it is read in a worker process, because its parser may crash, hang or eat memory.
        kin: Readers with the same word here may stand for each other: a model file is one whatever its extension.
        also: Extensions that mostly mean something else, and are no wrong ones for this format either.
    """

    name: str
    suffixes: frozenset[str]
    sniff: Callable[[bytes], bool]
    read: Callable[[Source, Limits], Document]
    textual: bool = False
    isolated: bool = False
    kin: str = ""
    also: frozenset[str] = frozenset()


class ReaderProblem(Exception):
    """A file that cannot be read; becomes a document with the state given here."""

    def __init__(self, message: str, state: State = State.BROKEN) -> None:
        super().__init__(message)
        self.state = state
