"""The append-only file of verdicts: one line each, on disk before the next one is started."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from judge.atomic import sync_folder
from judge.engine.costs import CostBook
from judge.errors import InputError
from judge.jsontext import plain_message
from judge.schemas import Judgment, VerdictValue
from judge.text import valid_values


class _Place(NamedTuple):
    """Where a line stands, and the verdict in it."""

    start: int
    size: int
    verdict: VerdictValue


class Verdicts(Mapping[int, Judgment]):
    """The verdicts of a task that count, by requirement id; each is read from the disk when it is asked for.

    A run may have any number of them, so only their places are kept in memory.
    """

    def __init__(self, path: Path, places: Mapping[int, _Place]) -> None:
        """Takes what a journal knows.

        Args:
            path: The journal's file.
            places: Where the lines stand, by requirement id.
        """
        self._path = path
        self._places = places

    @property
    def values_only(self) -> dict[int, VerdictValue]:
        """What was decided, without reading anything."""
        return {number: place.verdict for number, place in self._places.items()}

    def value(self, number: int) -> VerdictValue | None:
        """What was decided on one requirement, without reading anything; None when nothing was."""
        place = self._places.get(number)
        return place.verdict if place is not None else None

    def __getitem__(self, number: int) -> Judgment:
        place = self._places[number]
        with self._path.open("rb") as stream:
            stream.seek(place.start)
            return Judgment.model_validate_json(stream.read(place.size))

    def __contains__(self, number: object) -> bool:
        return number in self._places

    def __iter__(self) -> Iterator[int]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


class Journal:
    """``verdicts.jsonl`` of one run; the last line of a requirement counts.

    Attributes:
        path: The file.
        notes: What was repaired when it was opened, one sentence each.
        book: What all lines used.
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
        self.book = CostBook()
        self._places: dict[str, dict[int, _Place]] = {}
        self._load()
        self._descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        sync_folder(path.parent)

    def verdicts(self, task: str) -> Verdicts:
        """The verdicts of a task that count; what is added later shows in them."""
        return Verdicts(self.path, self._places.setdefault(task, {}))

    def judged(self) -> set[str]:
        """The tasks that have a verdict which is no ERROR."""
        return {
            task
            for task, places in self._places.items()
            if any(place.verdict != VerdictValue.ERROR for place in places.values())
        }

    def history(self) -> Iterator[Judgment]:
        """All lines, oldest first, read from the disk; a requirement that failed before is there more than once."""
        with self.path.open("rb") as stream:
            for line in stream:
                if line.strip():
                    yield Judgment.model_validate_json(line)

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
        self._note(judgment, start, len(data))

    def close(self) -> None:
        """Closes the file; may be called twice."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _note(self, judgment: Judgment, start: int, size: int) -> None:
        place = _Place(start, size, judgment.verdict)
        self._places.setdefault(judgment.task, {})[judgment.requirement_id] = place
        self.book.add(judgment)

    def _load(self) -> None:
        if not self.path.exists():
            return
        start = cut = 0
        with self.path.open("rb") as stream:
            for number, line in enumerate(stream, start=1):  # of bytes: only a line feed ends a line
                if not line.endswith(b"\n"):
                    cut = len(line)
                    break
                if line.strip():
                    self._note(self._parsed(number, line), start, len(line))
                start += len(line)
        if cut:
            with self.path.open("r+b") as stream:
                stream.truncate(start)
                os.fsync(stream.fileno())
            self.notes.append(f"{self.path}: removed a last line that was cut off ({cut} bytes)")

    def _parsed(self, number: int, line: bytes) -> Judgment:
        try:
            return Judgment.model_validate_json(line)
        except ValidationError as error:
            raise InputError(
                f"line {number} is no verdict: {plain_message(error.errors()[0]['msg'])}",
                where=str(self.path),
                hint="restore the file, or start over with --fresh",
            ) from error


def _line(judgment: Judgment) -> bytes:
    try:
        text = judgment.model_dump_json()
    except PydanticSerializationError:  # half a character, quoted from a file: no JSON can hold it
        text = Judgment.model_validate(valid_values(judgment.model_dump(mode="json"))).model_dump_json()
    return text.encode("utf-8") + b"\n"


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
