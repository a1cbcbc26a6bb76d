"""Where converted trajectories are written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from judge.cli.console import say
from judge.errors import ConfigError, ExitCode, InputError
from judge.jsontext import show_path
from judge.text import plural
from judge.trajectories import Converted
from judge.trajectories.load import stem
from judge.trajectories.write import devai_text, write_trajectory

_SAFE = re.compile(r"[^\w.+@=-]+")


class Attempts:
    """Goes on with the other files when one of several cannot be read; a single one ends the command.

    Attributes:
        failed: Path and problem of each file that could not be read.
    """

    def __init__(self, number: int) -> None:
        self._number = number
        self.failed: list[dict[str, str]] = []

    @contextmanager
    def one(self, path: Path) -> Iterator[None]:
        """What is done with one file."""
        try:
            yield
        except InputError as error:
            if self._number == 1:
                raise
            self.failed.append({"path": show_path(path), "problem": str(error)})
            say(f"judge: error: {error}")

    def end(self) -> None:
        """Ends the command with exit code 2 when a file could not be read."""
        if self.failed:
            say(f"judge: {len(self.failed)} of {plural(self._number, 'file')} could not be used")
            raise typer.Exit(ExitCode.BAD_INPUT)


class Writer:
    """Writes results to one file, into a folder, or to stdout."""

    def __init__(self, out: Path | None, *, several: bool, force: bool) -> None:
        """Opens the writer.

        Args:
            out: A file, or a folder; None for stdout.
            several: Whether there are several inputs.
            force: Whether files that are there may be overwritten.

        Raises:
            ConfigError: Several results can not go to stdout or into one file.
        """
        self._out = out
        self._force = force
        self._several = several
        self._taken: set[str] = set()
        if several and (out is None or out.is_file()):
            raise _no_folder(out)

    def write(self, path: Path, item: Converted, *, alone: bool) -> str:
        """Writes one trajectory of a file and says what was done.

        Raises:
            ConfigError: There are several, and no folder was named.
            InputError: The file is there already or cannot be written.
        """
        steps = len(item.trajectory.steps)
        problems = len(item.trajectory.problems)
        done = f"{show_path(path)}: {item.trajectory.format}, {plural(steps, 'step')}" + (
            f", {plural(problems, 'warning')} (judge trajectory show --report)" if problems else ""
        )
        if self._out is None:
            if not alone:
                raise _no_folder(None)
            from judge.text import json_printable

            for piece in devai_text(item.trajectory):
                typer.echo(json_printable(piece), nl=False)
            return done
        # Paths arrive without a slash at their end; a name without an ending is that of a folder.
        folder = self._several or not alone or self._out.is_dir() or (not self._out.suffix and not self._out.exists())
        if folder and self._out.is_file():
            raise _no_folder(self._out)
        target = self._out / self._file_name(path, item) if folder else self._out
        write_trajectory(item.trajectory, target, overwrite=self._force)
        return f"{done} -> {show_path(target)}"

    def _file_name(self, path: Path, item: Converted) -> str:
        """A file's name for a trajectory: names come from the file and are not trusted."""
        name = item.trajectory.name
        # A bare number says nothing among those of other files.
        name = f"{stem(path.name)}-{name}" if name.isdecimal() else name
        base = _SAFE.sub("_", name).strip("._")[:150] or "trajectory"
        name, number = base, 2
        while name.lower() in self._taken:
            name, number = f"{base}-{number}", number + 1
        self._taken.add(name.lower())
        return f"{name}.json"


def _no_folder(out: Path | None) -> ConfigError:
    where = f"-o {show_path(out)}" if out is not None else "-o"
    return ConfigError(
        "there are several trajectories to write", where=where, hint="name a folder, such as -o converted/"
    )
