"""Environment files: which variables are set, never to what."""

from __future__ import annotations

import re

from judge.readers.document import Document, Family, Limits, Reader, Source
from judge.readers.parts import never, text_document, text_of
from judge.text import Decoded

_ASSIGNMENT = re.compile(r"^(\s*(?:#\s*)?(?:export\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\s*=[ \t]*)(\S.*)$")
_PLAIN = re.compile(r"^\s*(#.*)?$")


def _read(source: Source, limits: Limits) -> Document:
    decoded = text_of(source)
    names: list[str] = []
    unset: list[str] = []
    lines: list[str] = []
    for line in decoded.text[: limits.max_chars].split("\n"):
        match = _ASSIGNMENT.match(line)
        if match:
            names.append(match.group(2))
            lines.append(match.group(1) + "****")
            continue
        if "=" in line and _PLAIN.match(line) is None:
            unset.append(line.partition("=")[0].strip())
        # What is neither a comment nor an assignment may be the rest of a value over several lines.
        lines.append(line if _PLAIN.match(line) or line.rstrip().endswith("=") else "****")
    masked = Decoded("\n".join(lines), decoded.encoding, decoded.lossy)
    return text_document(
        source, limits, "env", Family.DATA, masked, facts={"variables": names, "unset_variables": unset, "masked": True}
    )


READER = Reader("env", frozenset({".env", ".envrc"}), never, _read, textual=True)
