"""Jupyter notebooks: cells in order, with what they printed and showed."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from judge.readers.data import parse_json
from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.parts import TextBuilder, text_of
from judge.text import looks_like_text, normalize_newlines

_OUTPUT_CHARS = 4_000


@dataclass(slots=True)
class _Counts:
    cells: int = 0
    code_cells: int = 0
    markdown_cells: int = 0
    executed_cells: int = 0
    code_chars: int = 0
    output_images: int = 0
    outputs: int = 0
    errors: list[str] = field(default_factory=list)


def _read(source: Source, limits: Limits) -> Document:
    if source.truncated:
        raise ReaderProblem("larger than the bounds allow", State.PARTIAL)
    text = text_of(source).text
    if not text.strip():
        return Document(source.path, "ipynb", Family.NOTEBOOK, State.EMPTY)
    try:
        book = parse_json(text)
    except ValueError as error:
        raise ReaderProblem(f"no valid JSON: {error}") from None
    cells = list(_cells(book))
    if not isinstance(book, dict) or not ("cells" in book or "worksheets" in book or "nbformat" in book):
        raise ReaderProblem("JSON that is no notebook", State.MISMATCH)
    counts = _Counts()
    out = TextBuilder(limits.max_chars)
    for cell in cells:
        _add(cell, counts, out)
    facts = {
        "cells": counts.cells,
        "code_cells": counts.code_cells,
        "markdown_cells": counts.markdown_cells,
        "executed_cells": counts.executed_cells,
        "outputs": counts.outputs,
        "output_images": counts.output_images,
        "errors": counts.errors[:20],
        "language": _language(book),
        "text_cut": out.cut,
    }
    state = State.SOUND if any(_source(cell).strip() for cell in cells) else State.EMPTY
    problems = [f"a cell ended with {name}" for name in dict.fromkeys(counts.errors)]
    return Document(source.path, "ipynb", Family.NOTEBOOK, state, out.text(), facts, problems=tuple(problems[:5]))


def _cells(book: Any) -> Iterator[Mapping[str, Any]]:
    """Cells of a notebook of format 4, or 3 (which keeps them in worksheets)."""
    if not isinstance(book, dict):
        return
    sheets = book.get("worksheets")
    groups = [book.get("cells")] + [sheet.get("cells") for sheet in _mappings(sheets)]
    for group in groups:
        yield from _mappings(group)


def _add(cell: Mapping[str, Any], counts: _Counts, out: TextBuilder) -> None:
    kind = cell.get("cell_type") if isinstance(cell.get("cell_type"), str) else "unknown"
    counts.cells += 1
    out.add(f"# cell {counts.cells} [{kind}]")
    out.add(_source(cell).rstrip("\n"))
    if kind == "markdown":
        counts.markdown_cells += 1
    if kind != "code":
        return
    counts.code_cells += 1
    outputs = list(_mappings(cell.get("outputs")))
    number = cell.get("execution_count", cell.get("prompt_number"))
    counts.executed_cells += isinstance(number, int) or bool(outputs)
    for output in outputs:
        counts.outputs += 1
        _add_output(output, counts, out)


def _add_output(output: Mapping[str, Any], counts: _Counts, out: TextBuilder) -> None:
    if output.get("output_type") in {"error", "pyerr"}:
        name = str(output.get("ename") or "an error")[:80]
        counts.errors.append(name)
        out.add(f"# error {name}: {str(output.get('evalue') or '')[:500]}")
        return
    inner = output.get("data")
    data: Mapping[str, Any] = inner if isinstance(inner, dict) else output
    pictures = [kind for kind, value in data.items() if _is_picture(kind, value)]
    counts.output_images += bool(pictures)
    text = _joined(output.get("text")) or _joined(data.get("text/plain")) or _joined(data.get("text"))
    if text.strip():
        out.add("# output")
        text = text.rstrip("\n")
        out.add(text[:_OUTPUT_CHARS])
        if len(text) > _OUTPUT_CHARS:
            out.add(f"# [{len(text) - _OUTPUT_CHARS} more characters of this output are not shown]")
    if pictures:
        out.add(f"# output picture {pictures[0]}")


def _is_picture(kind: Any, value: Any) -> bool:
    if not isinstance(kind, str) or not (kind.startswith("image/") or kind in {"png", "jpeg", "svg"}):
        return False
    text = _joined(value)
    if "svg" in kind:
        return "<svg" in text
    try:
        return len(base64.b64decode(text[:400].replace("\n", "")[: 4 * 20], validate=True)) >= 20
    except (ValueError, binascii.Error):
        return False


def _source(cell: Mapping[str, Any]) -> str:
    return normalize_newlines(_joined(cell.get("source")) or _joined(cell.get("input")))


def _joined(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "".join(part for part in value if isinstance(part, str)) if isinstance(value, list) else ""


def _mappings(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, dict))


def _language(book: Mapping[str, Any]) -> str:
    meta = book.get("metadata")
    for key in ("language_info", "kernelspec"):
        part = meta.get(key) if isinstance(meta, dict) else None
        name = part.get("name") if isinstance(part, dict) else None
        if isinstance(name, str):
            return name[:40]
    return ""


def _sniff(data: bytes) -> bool:
    return data.lstrip()[:1] == b"{" and b'"nbformat"' in data and b'"cells"' in data and looks_like_text(data)


READER = Reader("notebook", frozenset({".ipynb"}), _sniff, _read, textual=True)
