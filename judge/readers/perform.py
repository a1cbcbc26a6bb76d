"""Runs one reader: whatever goes wrong becomes a document with a state, and what comes out is bounded and clean."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.text import one_line, valid_unicode

_MAX_ITEMS = 1_000
_MAX_NAME = 500
_MAX_PROBLEMS = 20
_FAMILIES = {
    "picture": Family.IMAGE,
    "svg": Family.IMAGE,
    "pdf": Family.DOCUMENT,
    "office": Family.DOCUMENT,
    "workbook": Family.TABLE,
    "table": Family.TABLE,
    "pickle": Family.MODEL,
    "packed pickle": Family.MODEL,
    "safetensors": Family.MODEL,
    "keras": Family.MODEL,
    "hdf5": Family.MODEL,
    "gguf": Family.MODEL,
    "tflite": Family.MODEL,
    "onnx": Family.MODEL,
    "columnar": Family.TABLE,
    "ods": Family.TABLE,
    "xls": Family.TABLE,
    "doc": Family.DOCUMENT,
    "ppt": Family.DOCUMENT,
    "rtf": Family.DOCUMENT,
    "eml": Family.DOCUMENT,
    "msg": Family.DOCUMENT,
    "encrypted document": Family.DOCUMENT,
    "compound file": Family.DOCUMENT,
    "tensorflow": Family.MODEL,
    "mat": Family.ARRAY,
    "old mat": Family.ARRAY,
    "7z": Family.ARCHIVE,
    "rar": Family.ARCHIVE,
    "log": Family.TEXT,
    "tex": Family.MARKUP,
    "rst": Family.MARKUP,
    "npy": Family.ARRAY,
    "npz": Family.ARRAY,
    "sqlite": Family.DATABASE,
    "wav": Family.AUDIO,
    "audio": Family.AUDIO,
    "video": Family.VIDEO,
    "zip": Family.ARCHIVE,
    "packed": Family.ARCHIVE,
    "notebook": Family.NOTEBOOK,
    "code": Family.CODE,
    "text": Family.TEXT,
    "markdown": Family.MARKUP,
    "html": Family.MARKUP,
    "xml": Family.MARKUP,
    "json": Family.DATA,
    "jsonl": Family.DATA,
    "yaml": Family.DATA,
    "toml": Family.DATA,
    "ini": Family.DATA,
    "env": Family.DATA,
}


def perform(reader: Reader, source: Source, limits: Limits) -> Document:
    """Reads a source; never raises."""
    try:
        document = reader.read(source, limits)
    except ReaderProblem as problem:
        document = failed(source, reader, problem.state, str(problem))
    except MemoryError:
        document = failed(source, reader, State.UNREADABLE, "needs more memory than allowed")
    except Exception as error:  # noqa: BLE001 - task boundary: a file that breaks a reader must not stop the judge
        document = failed(source, reader, State.BROKEN, f"cannot be read: {type(error).__name__}: {error}")
    return tidy(document, limits)


def failed(source: Source, reader: Reader, state: State, problem: str) -> Document:
    """The document of a file that could not be read."""
    format_ = source.suffix.lstrip(".") or reader.name
    return Document(source.path, format_, _FAMILIES.get(reader.name, Family.BINARY), state, problems=(problem,))


def tidy(document: Document, limits: Limits) -> Document:
    """The document with text, facts and problems cut to their bounds, in valid Unicode and JSON types."""
    cut = {"text_cut": True} if len(document.text) > limits.max_chars else {}
    return replace(
        document,
        text=valid_unicode(document.text[: limits.max_chars]),
        facts={str(key): _clean(value, 0) for key, value in document.facts.items()} | cut,
        problems=tuple(one_line(valid_unicode(problem)) for problem in document.problems[:_MAX_PROBLEMS]),
    )


def _clean(value: Any, depth: int) -> Any:
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        return valid_unicode(value[:_MAX_NAME])
    if depth > 6:
        return None
    if isinstance(value, Mapping):
        pairs = list(value.items())[:_MAX_ITEMS]
        return {valid_unicode(str(key)[:_MAX_NAME]): _clean(item, depth + 1) for key, item in pairs}
    if isinstance(value, list | tuple | set | frozenset):
        return [_clean(item, depth + 1) for item in list(value)[:_MAX_ITEMS]]
    return valid_unicode(str(value)[:_MAX_NAME])
