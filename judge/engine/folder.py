"""The run folder: claimed by one process, continued when it belongs to the same run, never silently lost."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

from judge.atomic import remove_leftovers, write_atomic
from judge.engine.evidence_store import EvidenceStore
from judge.engine.header import changed_inputs, input_tasks, merged, read_header, setting_differences
from judge.engine.journal import Journal
from judge.engine.lock import LOCK, take_lock
from judge.engine.names import slug
from judge.errors import InputError
from judge.schemas import RunHeader, Usage

HEADER = "run.json"
JOURNAL = "verdicts.jsonl"
_SHOWN = 4


class RunFolder:
    """One run on disk, locked while it is open.

    Attributes:
        path: The folder.
        header: What ``run.json`` holds.
        journal: The verdicts.
        evidence: The evidence they rest on.
        notes: What a user should know of opening it, one sentence each.
    """

    def __init__(self, path: Path, header: RunHeader, *, fresh: bool = False) -> None:
        """Creates a run folder, or continues the run in it.

        Args:
            path: The folder; made when it is not there.
            header: What a run with the present arguments is.
            fresh: Move a folder with another (or the same) run aside and start over.

        Raises:
            InputError: The folder belongs to another run, is in use, or cannot be written.
        """
        self.path = path
        self.notes: list[str] = []
        self._lock = -1
        if fresh:
            try:
                self._move_aside()
            except OSError as error:
                what = f"cannot be moved aside: {error.strerror or error}"
                raise InputError(what, where=str(path), hint="choose another --out") from error
        self._claim()
        try:
            old = self._old_header()
            self._sweep()
            self.journal = Journal(path / JOURNAL)
            self.notes += self.journal.notes
            self.evidence = EvidenceStore(path / "evidence")
            self.header = self._settle_header(old, header)
        except BaseException:
            self.close()
            raise

    def spent(self) -> Usage:
        """What all lines in the folder used, those of failed attempts included."""
        return self.journal.book.usage

    def close(self) -> None:
        """Releases the folder; may be called twice."""
        journal = getattr(self, "journal", None)
        if journal is not None:
            journal.close()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def _claim(self) -> None:
        """Makes the folder and takes its lock."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            foreign = _foreign(self.path)
            if foreign:
                raise InputError(
                    f"is not a run folder (it holds {foreign!r} and no {JOURNAL})",
                    where=str(self.path),
                    hint="choose another --out",
                )
            self._lock = take_lock(self.path)
        except OSError as error:
            raise InputError(
                f"cannot be used as run folder: {error.strerror or error}", where=str(self.path)
            ) from error

    def _old_header(self) -> RunHeader | None:
        """The header that is there; nothing in the folder has been touched when this refuses it."""
        if (self.path / HEADER).exists():
            return read_header(self.path / HEADER)
        journal = self.path / JOURNAL
        if journal.exists() and journal.stat().st_size:
            raise InputError(f"has verdicts but no {HEADER}", where=str(self.path), hint="start over with --fresh")
        return None

    def _sweep(self) -> None:
        """Removes what was half written when a process was killed."""
        try:
            for folder in (self.path, self.path / "evidence", self.path / "judgments"):
                remove_leftovers(folder)
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror or error}", where=str(self.path)) from error

    def _settle_header(self, old: RunHeader | None, header: RunHeader) -> RunHeader:
        place = self.path / HEADER
        if old is None:
            write_atomic(place, _bytes(header))
            return header
        different = setting_differences(old, header)
        if different:
            raise InputError(
                f"holds a run with other settings: {_some(different)}",
                where=str(self.path),
                hint="choose another --out, or start over with --fresh",
            )
        changed = changed_inputs(old, header, self.journal.judged())
        if changed:
            raise InputError(
                f"was judged on other inputs; changed: {_some(changed)}",
                where=str(self.path),
                hint="choose another --out, or start over with --fresh",
            )
        both = merged(old, header)
        if both != old:
            write_atomic(place, _bytes(both))
        return both

    def _move_aside(self) -> None:
        """Renames what is there to ``<name>.old-N``; paid verdicts are never deleted."""
        if not self.path.is_dir() or not any(self.path.iterdir()):
            return
        if _foreign(self.path):
            return  # not ours: claiming it will refuse
        descriptor = take_lock(self.path)
        try:
            number = 1
            while (target := self.path.with_name(f"{self.path.name}.old-{number}")).exists():
                number += 1
            self.path.rename(target)
        finally:
            os.close(descriptor)
        self.notes.append(f"the earlier run was moved to {target}")


def choose_folder(parent: Path, header: RunHeader, *, fresh: bool = False) -> Path:
    """The default run folder: the newest one that is the same run, else a new name.

    Args:
        parent: Usually ``runs/``.
        header: What a run with the present arguments is.
        fresh: Always take a new name.

    Returns:
        A folder that may not exist yet.
    """
    if not fresh:
        for candidate in _newest_first(parent):
            try:
                old = read_header(candidate / HEADER)
            except InputError:
                continue
            same = not setting_differences(old, header) and input_tasks(old) == input_tasks(header)
            if same and not changed_inputs(old, header, input_tasks(header)):
                return candidate
    stamp = datetime.now(UTC).astimezone().strftime("%Y%m%d-%H%M%S")
    base = f"{stamp}-{slug(header.model or header.judge)}"
    path, number = parent / base, 2
    while path.exists():
        path, number = parent / f"{base}-{number}", number + 1
    return path


def _newest_first(parent: Path) -> list[Path]:
    try:
        folders = [item for item in parent.iterdir() if (item / HEADER).is_file() and ".old-" not in item.name]
    except OSError:
        return []
    return sorted(folders, key=lambda item: (item / HEADER).stat().st_mtime_ns, reverse=True)


def _foreign(path: Path) -> str:
    """A name in the folder that shows it is no run folder, or an empty string."""
    rest = sorted(item.name for item in path.iterdir())
    names = [name for name in rest if name != LOCK and not (name.startswith(f".{HEADER}.") and name.endswith(".tmp"))]
    if not names or JOURNAL in names:
        return ""
    if (
        HEADER in names
    ):  # others have a run.json too; ours without a journal was tampered with, and is told by its content
        try:
            read_header(path / HEADER)
        except InputError:
            return HEADER
        return ""
    return names[0]


def _bytes(header: RunHeader) -> bytes:
    return (header.model_dump_json(indent=2) + "\n").encode("utf-8", "backslashreplace")


def _some(items: Iterable[str]) -> str:
    listed = list(items)
    more = f" and {len(listed) - _SHOWN} more" if len(listed) > _SHOWN else ""
    return "; ".join(listed[:_SHOWN]) + more
