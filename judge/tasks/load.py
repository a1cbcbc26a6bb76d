"""Loads tasks from files and folders; a broken one is reported whole and never stops the others."""

from __future__ import annotations

import contextlib
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judge.errors import InputError
from judge.jsontext import Problem, Value, child, parse_file, show, show_path
from judge.schemas import Task
from judge.tasks.check import check_task, looks_like_task
from judge.tasks.layout import find_layout, json_files
from judge.tasks.names import name_key


@dataclass(frozen=True, slots=True)
class LoadedTask:
    """A task that can be judged.

    Attributes:
        task: The task, its labels removed.
        path: The file it came from.
        warnings: What was repaired or looks odd, each with its JSON path.
    """

    task: Task
    path: Path
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class InvalidTask:
    """A task that cannot be judged, with every reason.

    Attributes:
        path: The file it came from.
        name: Its name, when that much can be told.
        problems: At least one.
        warnings: As for a loaded task.
    """

    path: Path
    name: str | None
    problems: tuple[Problem, ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LoadedTasks:
    """Everything that was found.

    Attributes:
        tasks: The good ones, in the order of the files.
        invalid: The broken ones.
        warnings: About files that hold no task at all, each with its path.
    """

    tasks: tuple[LoadedTask, ...] = ()
    invalid: tuple[InvalidTask, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def requirements(self) -> int:
        """Number of requirements of the good tasks."""
        return sum(len(item.task.requirements) for item in self.tasks)

    @property
    def preferences(self) -> int:
        """Number of preferences of the good tasks."""
        return sum(len(item.task.preferences) for item in self.tasks)


def load_tasks(paths: Sequence[Path]) -> LoadedTasks:
    """Loads tasks from files (one task, a list of tasks, or JSON lines), folders of them, or the official repository.

    Raises:
        InputError: A path is not there, or a folder holds no task files.
    """
    loader = _Loader()
    for path in paths:
        loader.add(path)
    return LoadedTasks(tuple(loader.tasks), tuple(loader.invalid), tuple(loader.warnings))


class _Loader:
    """Collects tasks over several paths, so that a name that is taken twice is seen."""

    def __init__(self) -> None:
        self.tasks: list[LoadedTask] = []
        self.invalid: list[InvalidTask] = []
        self.warnings: list[str] = []
        self._names: dict[str, tuple[str, Path]] = {}
        self._read: set[Path] = set()

    def add(self, path: Path) -> None:
        """Takes one path that the user named."""
        try:
            is_folder = path.is_dir()
            exists = is_folder or path.exists() or path.is_symlink()  # a broken link is one invalid file among others
        except (OSError, ValueError) as error:
            raise InputError(f"cannot be read: {error}", where=show_path(path)) from None
        if not exists:
            raise InputError(
                "no such file or folder", where=show_path(path), hint="name a task file or a folder of them"
            )
        if is_folder:
            self._folder(path)
        else:
            self._file(path, named=True)

    def _folder(self, folder: Path) -> None:
        layout = find_layout(folder)
        source = layout.instances if layout is not None and layout.instances is not None else folder
        try:
            next(iter(source.iterdir()), None)
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", where=show_path(source)) from None
        files = list(json_files(source))
        if not files:
            raise InputError(
                "holds no task files", where=show_path(folder), hint="*.json and *.jsonl files are looked for"
            )
        before = len(self.tasks) + len(self.invalid)
        known = sum(not self._is_new(path) for path in files)
        for path in files:
            self._file(path, named=False)
        if len(self.tasks) + len(self.invalid) == before and not known:
            what = f"none of its {len(files)} JSON files is a task"
            raise InputError(what, where=show_path(folder), hint="a task has a name, a query and requirements")

    def _is_new(self, path: Path) -> bool:
        try:
            return path.resolve() not in self._read
        except (OSError, RuntimeError):
            return True

    def _file(self, path: Path, *, named: bool) -> None:
        if not self._is_new(path):
            return
        with contextlib.suppress(OSError, RuntimeError):  # a link loop; reading it reports it
            self._read.add(path.resolve())
        values = list(elements(parse_file(path)))
        if not named and not any(looks_like_task(value.data) or not value.parsed for value in values):
            held = show(values[0].data) if len(values) == 1 else f"{len(values)} values"
            self.warnings.append(f"{show_path(path)}: holds no task ({held} without query and requirements); skipped")
            return
        for value in values:
            self._value(path, value)

    def _value(self, path: Path, value: Value) -> None:
        if not value.parsed:
            self.invalid.append(InvalidTask(path, None, value.problems))
            return
        if isinstance(value.data, dict) and not looks_like_task(value.data):
            problem = Problem(value.root, "is no task: it has neither query nor requirements", "a DevAI task")
            self.invalid.append(InvalidTask(path, None, (problem,)))
            return
        checked = check_task(value.data, value.root)
        problems = [*value.problems, *checked.problems]
        warnings = [*map(str, value.warnings), *map(str, checked.warnings)]
        if checked.name is not None:
            self._claim(checked.name, path, value.root, problems, warnings)
        if checked.task is None or problems:
            self.invalid.append(InvalidTask(path, checked.name, tuple(problems), tuple(warnings)))
        else:
            self.tasks.append(LoadedTask(checked.task, path, tuple(warnings)))

    def _claim(self, name: str, path: Path, root: str, problems: list[Problem], warnings: list[str]) -> None:
        key = name_key(name)
        if key not in self._names:
            self._names[key] = (name, path)
            return
        other, where = self._names[key]
        place = child(root, "name")
        if unicodedata.normalize("NFC", other) == unicodedata.normalize("NFC", name):
            problems.append(Problem(place, f"is {show(name)}, as in {show_path(where)}", "a name of its own"))
        else:
            warnings.append(str(Problem(place, f"differs only in case from {show(other)} in {show_path(where)}")))


def elements(values: Sequence[Value]) -> Iterator[Value]:
    """The values of a file, lists taken apart."""
    for value in values:
        data: Any = value.data
        if not isinstance(data, list) or not data:
            yield value
            continue
        for index, item in enumerate(data):
            root = child(value.root, index)
            yield Value(root, item, _below(value.problems, root), _below(value.warnings, root), value.parsed)


def _below(problems: Sequence[Problem], root: str) -> tuple[Problem, ...]:
    return tuple(p for p in problems if p.path == root or p.path.startswith((f"{root}.", f"{root}[")))
