"""Where converted trajectories are written."""

from __future__ import annotations

import re
from pathlib import Path

from judge.errors import ConfigError
from judge.jsontext import show_path
from judge.trajectories import Converted
from judge.trajectories.write import devai_text, write_trajectory

_SAFE = re.compile(r"[^\w.+@=-]+")


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
        done = f"{show_path(path)}: {item.trajectory.format}, {steps} steps" + (
            f", {problems} warnings (judge trajectory show --report)" if problems else ""
        )
        if self._out is None:
            if not alone:
                raise _no_folder(None)
            import typer

            from judge.text import json_printable

            for piece in devai_text(item.trajectory):
                typer.echo(json_printable(piece), nl=False)
            return done
        folder = self._several or not alone or self._out.is_dir() or str(self._out).endswith(("/", "\\"))
        if folder and self._out.is_file():
            raise _no_folder(self._out)
        target = self._out / self._file_name(item) if folder else self._out
        write_trajectory(item.trajectory, target, overwrite=self._force)
        return f"{done} -> {show_path(target)}"

    def _file_name(self, item: Converted) -> str:
        """A file's name for a trajectory: names come from the file and are not trusted."""
        base = _SAFE.sub("_", item.trajectory.name).strip("._")[:150] or "trajectory"
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
