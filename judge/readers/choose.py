"""Which reader a file goes to: by its extension when the content agrees, else by its content."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from judge.readers.document import Reader, Source, State
from judge.readers.registry import claimants, reader_named, readers
from judge.text import looks_like_text


@dataclass(frozen=True, slots=True)
class Choice:
    """A reader for a file.

    Attributes:
        reader: The reader.
        state: State the document gets when reading succeeds but the extension claims something else; None when it fits.
        problem: What does not fit, one clause.
    """

    reader: Reader
    state: State | None = None
    problem: str = ""


def suffix_of(path: str) -> str:
    """The extension that tells the format: ``.csv``; ``.env`` for ``.env.local``; ``makefile`` where there is none."""
    name = PurePosixPath(path).name.lower()
    if name == ".env" or name.startswith(".env."):
        return ".env"
    return PurePosixPath(name).suffix or name


def choose(source: Source) -> Choice:
    """The reader for a file that is not empty."""
    claimed = claimants(source.suffix)
    text = looks_like_text(source.data)
    for reader in claimed:
        if text if reader.textual else reader.sniff(source.data):
            return Choice(reader)
    found = next(reader for reader in readers() if reader.sniff(source.data))
    if not claimed or source.suffix in found.also:
        return Choice(found)
    claim, unknown = claimed[0], reader_named("binary")
    if claim.kin and claim.kin == found.kin:
        return Choice(found)
    if found is unknown and not claim.textual:
        return Choice(found, State.BROKEN, f"it does not begin as {_article(claim.name, source)} does")
    what = "binary content" if found is unknown else f"the content is {found.name}"
    return Choice(found, State.MISMATCH, f"{what}, not {source.suffix.lstrip('.')}")


def _article(name: str, source: Source) -> str:
    return f"a {source.suffix.lstrip('.') or name} file"
