"""What archives have in common: the list of their members, with what is odd about it, and a bounded look inside."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any

from judge.readers.document import Document, Family, Limits, ReaderProblem, Source, State
from judge.readers.parts import Clock, TextBuilder
from judge.text import one_line

_LISTED = 200
_COUNTED = 20_000
_LOOKED_AT = 40
_INSIDE_BYTES = 8 * 1024 * 1024
_MEMBER_BYTES = 2 * 1024 * 1024
_MAX_DEPTH = 2
_DRIVE = re.compile(r"[A-Za-z]:")


@dataclass(frozen=True, slots=True)
class Member:
    """One entry of an archive.

    Attributes:
        name: Its name, as the archive has it.
        size: Bytes it unpacks to; None when the archive does not say.
        note: What it is if it is no plain file, such as ``link to x``.
        read: Gives its first bytes, at most so many; may raise ``ReaderProblem``.
    """

    name: str
    size: int | None
    note: str = ""
    read: Callable[[int], bytes] | None = field(default=None, compare=False)


def leads_out(name: str) -> bool:
    """Whether unpacking a member of that name would write outside of the folder it is unpacked in."""
    plain = name.replace("\\", "/")
    return plain.startswith("/") or bool(_DRIVE.match(plain)) or ".." in PurePosixPath(plain).parts


class Listing:
    """Takes the members of an archive in."""

    def __init__(self, source: Source, format_: str, limits: Limits, depth: int = 0) -> None:
        self.source = source
        self.format = format_
        self.limits = limits
        self.depth = depth
        self.out = TextBuilder(limits.max_chars)
        self.names: list[str] = []
        self.outside: list[str] = []
        self.notes = self.count = self.total = 0
        self.inner: list[dict[str, Any]] = []
        self.problems: list[str] = []
        self.state = State.SOUND
        self.facts: dict[str, Any] = {}
        self._left = _INSIDE_BYTES
        self._clock = Clock(limits.max_seconds * 0.6)

    def take(self, members: Iterable[Member]) -> None:
        """Lists members and looks into the first small ones."""
        for member in members:
            if self.count >= _COUNTED or self._clock.over:
                self.stop()
                return
            self.count += 1
            self.total += member.size or 0
            if len(self.names) < _LISTED:
                self.names.append(member.name)
            note = f" ({member.note})" if member.note else ""
            self.notes += bool(member.note)
            if leads_out(member.name):
                self.outside.append(member.name)
                note += " (leads out of the folder it is unpacked in)"
            size = "?" if member.size is None else str(member.size)
            self.out.add(f"{size:>12} {one_line(member.name, 500)}{note}{self._look(member)}")

    def stop(self) -> None:
        """Notes that there are more members than were listed."""
        self.problems.append(f"only {self.count} members were listed")
        self.state = State.PARTIAL

    def _look(self, member: Member) -> str:
        """What a member is, in a few words, if it is small and among the first."""
        size = member.size or 0
        wanted = member.read is not None and 0 < size <= min(_MEMBER_BYTES, self._left)
        if not wanted or member.read is None or len(self.inner) >= _LOOKED_AT or self.depth >= _MAX_DEPTH:
            return ""
        self._left -= size
        try:
            data = member.read(size)
        except ReaderProblem as problem:
            self.state = problem.state
            if len(self.problems) < 5:
                self.problems.append(str(problem))
            return ""
        document = look_inside(member.name, data, self.limits, self.depth + 1)
        rows = document.facts.get("rows")
        about: dict[str, Any] = {"name": member.name[:200], "format": document.format, "state": str(document.state)}
        self.inner.append(about | ({"rows": rows} if rows is not None else {}))
        words = [document.format, *([] if document.state is State.SOUND else [str(document.state)])]
        words += [f"{rows} rows"] if rows is not None else []
        inside = document.facts.get("members") if document.family is Family.ARCHIVE else None
        words += [f"holds {', '.join(one_line(str(name), 60) for name in inside[:5])}"] if inside else []
        return f" [{', '.join(words)}]"

    def document(self) -> Document:
        """The document, when everything is taken in."""
        if self.state is State.SOUND and not self.count:
            self.state = State.EMPTY
            self.problems.append("no members in it")
        if self.outside:
            shown = ", ".join(one_line(name, 60) for name in self.outside[:3])
            self.problems.append(f"{len(self.outside)} members lead out of the folder they are unpacked in: {shown}")
        facts: dict[str, Any] = {
            "members": self.names,
            "member_count": self.count,
            "unpacked_bytes": self.total,
            "looked_into": self.inner,
            "special_members": self.notes,
            **self.facts,
        }
        return Document(
            self.source.path,
            self.format,
            Family.ARCHIVE,
            self.state,
            self.out.text(),
            facts,
            problems=tuple(self.problems),
        )


def look_inside(name: str, data: bytes, limits: Limits, depth: int, *, cut: bool = False) -> Document:
    """The document of a file within another one, with smaller bounds, and never deeper than a few levels.

    Args:
        name: Its name there.
        data: All of it, or its beginning.
        limits: Bounds on the outer file.
        depth: How many files it lies in.
        cut: Whether it goes on.
    """
    from judge.readers.choose import choose, suffix_of  # here, as the table of readers holds those of archives
    from judge.readers.perform import failed, perform

    source = Source(name, suffix_of(name.replace("\\", "/")), data, len(data) + cut, cut)
    bounds = replace(
        limits,
        max_bytes=min(limits.max_bytes, max(len(data), 1 << 16)),
        max_chars=min(limits.max_chars, 20_000) if depth > 1 else limits.max_chars,
        max_seconds=limits.max_seconds / 4,
        max_pages=min(limits.max_pages, 10),
        max_pixels=min(limits.max_pixels, 4_000_000),
        image_side=0,
        render_pages=0,
        ocr=False,
    )
    if not data:
        return Document(name, source.suffix.lstrip("."), Family.BINARY, State.EMPTY, problems=("no bytes in it",))
    choice = choose(source)
    if depth >= _MAX_DEPTH and choice.reader.name in NESTING:
        return failed(source, choice.reader, State.PARTIAL, "not looked into, it lies too deep")
    document = perform(choice.reader, source, bounds)
    state = choice.state or document.state
    return replace(document, state=state, problems=(*((choice.problem,) if choice.problem else ()), *document.problems))


NESTING = frozenset({"zip", "packed", "7z", "rar"})
"""Names of the readers that look inside."""
