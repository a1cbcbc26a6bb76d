"""Rich Text Format: the text without its formatting."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.parts import TextBuilder

_MAX = 8 * 1024 * 1024
_PICTURE = re.compile(rb"\\pict\b")
_HEX = re.compile(rb"[0-9a-fA-F\r\n]{2000,}")
"""Pictures and other things written as digits, which are no text and would only take time."""


def _read(source: Source, limits: Limits) -> Document:
    convert: Any = import_module("striprtf.striprtf").rtf_to_text
    data = source.data
    pictures = len(_PICTURE.findall(data))
    closed = not source.truncated and data.rstrip(b"\0\r\n \t").endswith(b"}")
    body = _HEX.sub(b"", data)
    cut = source.truncated or len(body) > _MAX
    try:
        text = str(convert(body[:_MAX].decode("latin-1"), errors="replace"))
    except (ValueError, KeyError, IndexError, LookupError, TypeError, RecursionError, OverflowError) as error:
        raise ReaderProblem(f"damaged: {type(error).__name__}: {str(error)[:100]}") from None
    out = TextBuilder(limits.max_chars)
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        if line.strip():
            out.add(line.rstrip())
    shown = out.text()
    facts = {
        "text_chars": len(shown.strip()),
        "words": len(shown.split()),
        "images": pictures,
        "table_rows": len(re.findall(rb"\\row\b", body)),
    }
    problems: list[str] = []
    state = State.SOUND if shown.strip() or pictures else State.EMPTY
    if cut:
        state = State.PARTIAL
        problems.append("larger than the bounds allow, read in part")
    elif not closed:
        state = State.BROKEN
        problems.append("the end is missing")
    elif state is State.EMPTY:
        problems.append("no text in it")
    return Document(source.path, "rtf", Family.DOCUMENT, state, shown, facts, problems=tuple(problems))


READER = Reader("rtf", frozenset({".rtf"}), lambda data: data.startswith(b"{\\rtf"), _read, isolated=True)
