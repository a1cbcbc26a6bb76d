"""Mails: .eml as they are sent, .msg as Outlook keeps them. Headers, text, and which files are attached."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.markup import page_text
from judge.readers.ole import Compound, kind_of
from judge.readers.parts import Clock, TextBuilder
from judge.text import decode, looks_like_text, normalize_newlines

if TYPE_CHECKING:  # the package email is slow to start, and mails are rare
    from email.message import Message

_HEADERS = ("From", "To", "Cc", "Date", "Subject")
_START = re.compile(rb"(?:[A-Z][A-Za-z-]{1,40}:[^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*){2,}", re.MULTILINE)
_KNOWN = re.compile(
    rb"^(?:Return-Path|Received|MIME-Version|Message-ID|From|Delivered-To|Date|Subject|To):", re.IGNORECASE
)
_MAX_PARTS = 200
_MAX_BOUNDARIES = 2_000
_FILES = 100


def _read(source: Source, limits: Limits) -> Document:
    if source.data.count(b"boundary=") + source.data.count(b"boundary =") > _MAX_BOUNDARIES:
        raise ReaderProblem("more nested parts than are looked at", State.UNREADABLE)
    import email

    try:
        message = email.message_from_bytes(source.data)
        letter = _Letter(limits)
        letter.take(message)
    except RecursionError:
        raise ReaderProblem("nested too deeply", State.UNREADABLE) from None
    headers = {name: _header(message, name) for name in _HEADERS}
    if not any(headers.values()):
        raise ReaderProblem("no headers of a mail", State.MISMATCH)
    return _document(source, "eml", headers, letter, limits)


def _document(source: Source, format_: str, headers: dict[str, str], letter: _Letter, limits: Limits) -> Document:
    out = TextBuilder(limits.max_chars)
    for name, value in headers.items():
        if value:
            out.add(f"{name}: {value}")
    out.add("")
    body = "\n".join(letter.plain).strip() or "\n".join(letter.pages).strip()
    for line in body.split("\n"):
        out.add(line)
    for name, kind, size in letter.files[:_FILES]:
        out.add(f"attached: {name} ({kind}, {size} bytes)")
    facts: dict[str, Any] = {
        "subject": headers.get("Subject", ""),
        "words": len(body.split()),
        "parts": letter.parts,
        "attachments": [name for name, _, _ in letter.files[:_FILES]],
    }
    problems = list(letter.problems)
    state = State.SOUND if body or letter.files else State.EMPTY
    if state is State.EMPTY:
        problems.append("neither text nor an attached file")
    if source.truncated or letter.cut:
        state = State.PARTIAL
    elif letter.broken:
        state = State.BROKEN
    return Document(source.path, format_, Family.DOCUMENT, state, out.text(), facts, problems=tuple(problems))


class _Letter:
    """The parts of one mail."""

    def __init__(self, limits: Limits) -> None:
        self.plain: list[str] = []
        self.pages: list[str] = []
        self.files: list[tuple[str, str, int]] = []
        self.problems: list[str] = []
        self.parts = 0
        self.cut = self.broken = False
        self._limits = limits
        self._clock = Clock(limits.max_seconds / 2)

    def take(self, message: Message) -> None:
        """Goes through the parts without following them deeper than their number allows."""
        waiting = [message]
        while waiting:
            part = waiting.pop()
            self.parts += 1
            if self.parts > _MAX_PARTS or self._clock.over:
                self.cut = True
                self.problems.append(f"only {_MAX_PARTS} of its parts were looked at")
                return
            defects = {type(defect).__name__ for defect in part.defects}
            if defects & {"CloseBoundaryNotFoundDefect", "StartBoundaryNotFoundDefect"}:
                self.broken = True
                self.problems.append("the end of a part is missing")
            inner = part.get_payload()
            if isinstance(inner, list):
                waiting.extend(item for item in reversed(inner) if not isinstance(item, str))
                continue
            try:
                self._leaf(part)
            except _faults() as error:  # damaged headers of the part
                self.broken = True
                self.problems.append(f"a damaged part: {type(error).__name__}")

    def _leaf(self, part: Message) -> None:
        raw = part.get_payload(decode=True)
        data = raw if isinstance(raw, bytes) else b""
        kind = part.get_content_type()
        name = _filename(part)
        if name or part.get_content_disposition() == "attachment" or not kind.startswith("text/"):
            self.files.append((name or "no name", kind, len(data)))
            return
        text = normalize_newlines(_decoded(data, part.get_content_charset()))[: self._limits.max_chars]
        if kind == "text/html":
            self.pages.append(page_text(text))
        else:
            self.plain.append(text)


def _decoded(data: bytes, charset: str | None) -> str:
    try:
        return data.decode(charset or "utf-8")
    except (LookupError, UnicodeError, ValueError):
        return decode(data).text


def _faults() -> tuple[type[Exception], ...]:
    """What the package email raises for damaged headers and parts."""
    from email.errors import MessageError

    return (MessageError, ValueError, LookupError, TypeError)


def _filename(part: Message) -> str:
    from email.header import decode_header, make_header

    try:
        return " ".join(str(make_header(decode_header(part.get_filename() or ""))).split())[:200]
    except _faults():
        return "unreadable name"


def _header(message: Message, name: str) -> str:
    from email.header import decode_header, make_header

    value = str(message.get(name) or "")[:2000]
    with suppress(*_faults()):
        value = str(make_header(decode_header(value)))
    return " ".join(value.split())[:500]


def _read_msg(source: Source, limits: Limits) -> Document:
    if kind_of(source.data) != "msg":
        raise ReaderProblem("a compound file without a mail", State.MISMATCH)
    box = Compound(source)
    headers = {
        "From": _property(box, "", "0C1A") or _property(box, "", "0C1F"),
        "To": _property(box, "", "0E04"),
        "Subject": _property(box, "", "0037"),
    }
    letter = _Letter(limits)
    letter.plain.append(_property(box, "", "1000")[: limits.max_chars])
    folders = sorted({name.split("/")[0] for name in box.names if name.startswith("__attach_version1.0_")})
    for folder in folders[:_FILES]:
        name = _property(box, f"{folder}/", "3707") or _property(box, f"{folder}/", "3704") or "no name"
        kind = _property(box, f"{folder}/", "370E") or "unknown kind"
        letter.files.append((name[:200], kind[:80], box.size(f"{folder}/__substg1.0_37010102")))
    letter.parts = 1 + len(folders)
    return _document(source, "msg", headers, letter, limits)


def _property(box: Compound, folder: str, number: str) -> str:
    wide, narrow = f"{folder}__substg1.0_{number}001F", f"{folder}__substg1.0_{number}001E"
    if box.has(wide):
        return normalize_newlines(box.read(wide).decode("utf-16-le", "replace")).strip("\0")
    return normalize_newlines(decode(box.read(narrow)).text).strip("\0") if box.has(narrow) else ""


def _sniff(data: bytes) -> bool:
    head = data[:4096]
    return _KNOWN.match(head) is not None and _START.match(head) is not None and looks_like_text(data)


READER = Reader("eml", frozenset({".eml", ".mht", ".mhtml"}), _sniff, _read, textual=True, isolated=True)
# The extension .msg belongs to messages of robots as well, which are text: the content tells.
MSG_READER = Reader("msg", frozenset(), lambda data: kind_of(data) == "msg", _read_msg, isolated=True)
