"""Log files: the lines as they are; where it went wrong, how it ended, and what the end of a long one says."""

from __future__ import annotations

import re
from typing import Any

from judge.readers.document import Document, Family, Limits, Reader, Source
from judge.readers.parts import never, text_document, text_of
from judge.text import decode, one_line, split_lines

_ERROR = re.compile(
    r"\b(?:ERROR|FATAL|CRITICAL|SEVERE|PANIC|EMERG)\b|^(?:\w+\.)*[A-Z]\w*(?:Error|Exception)\b(?::|$)|"
    r"^panic: |\b(?:segmentation fault|core dumped|out of memory|command not found)\b|\bKilled\b|^error(?:\[E\d+\])?:",
    re.MULTILINE,
)
_NO_ERROR = re.compile(r"\b(?:0|no|without|zero) errors?\b", re.IGNORECASE)
_WARNING = re.compile(r"\bWARN(?:ING)?\b|\b\w*Warning:")
_TIME = re.compile(
    r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?|\d{2}/\w{3}/\d{4}[: ]\d{2}:\d{2}:\d{2}|\b\d{2}:\d{2}:\d{2}\b"
)
_TRACEBACK = "Traceback (most recent call last)"
_SHOWN = 20
_SCANNED = 2_000_000


def _read(source: Source, limits: Limits) -> Document:
    decoded = text_of(source)
    suffix = source.suffix.lstrip(".") or "log"
    return text_document(
        source, limits, suffix, Family.TEXT, decoded, facts=_measure(decoded.text) | tail_facts(source, limits)
    )


def _measure(text: str) -> dict[str, Any]:
    errors: list[str] = []
    count = warnings = 0
    for number, line in enumerate(split_lines(text)[:_SCANNED], start=1):
        head = line[:2000]
        if _ERROR.search(head) and not _NO_ERROR.search(head):
            count += 1
            if len(errors) < _SHOWN:
                errors.append(f"{number}: {one_line(head.strip(), 200)}")
        elif _WARNING.search(head):
            warnings += 1
    facts: dict[str, Any] = {"error_count": count, "warning_count": warnings, "error_lines": errors}
    times = [match.group() for match in (_TIME.search(text[:4000]), *_TIME.finditer(text[-4000:])) if match]
    if times:
        facts |= {"first_time": times[0], "last_time": times[-1]}
    tracebacks = text.count(_TRACEBACK)
    return facts | ({"tracebacks": tracebacks} if tracebacks else {})


def tail_facts(source: Source, limits: Limits) -> dict[str, Any]:
    """The last lines of a text that is longer than what is returned of it; nothing for a shorter one."""
    if source.truncated:
        end = decode(source.tail[-16384:]).text
    elif len(source.data) > limits.max_chars:
        end = decode(source.data[-16384:]).text
    else:
        return {}
    return {"last_lines": [one_line(line, 300) for line in split_lines(end)[-_SHOWN:]]}


READER = Reader("log", frozenset({".log", ".out", ".err", ".stdout", ".stderr"}), never, _read, textual=True)
