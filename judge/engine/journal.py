"""The append-only file of verdicts: one line each, on disk before the next one is started."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from judge.engine.atomic import sync_folder
from judge.errors import InputError
from judge.schemas import Judgment
from judge.text import valid_unicode


class Journal:
    """``verdicts.jsonl`` of one run; the last line of a requirement counts.

    Attributes:
        path: The file.
        notes: What was repaired when it was opened, one sentence each.
    """

    def __init__(self, path: Path) -> None:
        """Opens the file for appending, creating or repairing it.

        Args:
            path: The file; a last line that was cut by a crash is removed.

        Raises:
            InputError: A line in the middle is damaged, which no crash of this program does.
        """
        self.path = path
        self.notes: list[str] = []
        self._records = self._load()
        self._descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        sync_folder(path.parent)

    def latest(self) -> dict[tuple[str, int], Judgment]:
        """The verdict that counts, by task name and requirement id."""
        return {(item.task, item.requirement_id): item for item in self._records}

    def history(self) -> tuple[Judgment, ...]:
        """All lines, oldest first; a requirement that failed before is there more than once."""
        return tuple(self._records)

    def append(self, judgment: Judgment) -> None:
        """Adds a verdict; it is on disk when this returns.

        Raises:
            OSError: The disk is full or gone; what was written before stays readable.
        """
        data = _line(judgment)
        start = os.fstat(self._descriptor).st_size
        try:
            _write_all(self._descriptor, data)
            os.fsync(self._descriptor)
        except OSError:
            os.ftruncate(self._descriptor, start)
            raise
        self._records.append(judgment)

    def close(self) -> None:
        """Closes the file; may be called twice."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _load(self) -> list[Judgment]:
        if not self.path.exists():
            return []
        data = self.path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        records = []
        for number, line in _lines(whole):
            try:
                records.append(Judgment.model_validate_json(line))
            except ValidationError as error:
                raise InputError(
                    f"line {number} is no verdict: {error.errors()[0]['msg']}",
                    where=str(self.path),
                    hint="restore the file, or start over with --fresh",
                ) from error
        if len(whole) < len(data):
            with self.path.open("r+b") as stream:
                stream.truncate(len(whole))
                os.fsync(stream.fileno())
            self.notes.append(f"{self.path}: removed a last line that was cut off ({len(data) - len(whole)} bytes)")
        return records


def _line(judgment: Judgment) -> bytes:
    try:
        text = judgment.model_dump_json()
    except PydanticSerializationError:  # half a character, quoted from a file: no JSON can hold it
        text = Judgment.model_validate(_whole(judgment.model_dump(mode="json"))).model_dump_json()
    return text.encode("utf-8") + b"\n"


def _whole(value: Any) -> Any:
    """The value with halves of surrogate pairs replaced."""
    if isinstance(value, str):
        return valid_unicode(value)
    if isinstance(value, dict):
        return {key: _whole(item) for key, item in value.items()}
    return [_whole(item) for item in value] if isinstance(value, list) else value


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Numbered lines that hold something; only a line feed ends a line."""
    return ((number, line) for number, line in enumerate(data.split(b"\n"), start=1) if line.strip())


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
