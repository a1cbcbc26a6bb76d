"""Standard streams as they are in practice: closed, full, or with a reader that went away."""

from __future__ import annotations

import os
import sys
from typing import TextIO


def prepare() -> None:
    """Makes the standard streams usable, whatever they are.

    A descriptor that was closed is given to the next file that is opened, and what a library prints would then be
    written into that file, such as the verdicts of a run. And names and criteria may hold characters that the terminal
    cannot show; they never end a command.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, which is this one
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - lives as long as the process
        reconfigure = getattr(getattr(sys, name), "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def silence(stream: TextIO) -> None:
    """Sends what is left in a stream, and all that follows, nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def finish() -> bool:
    """Writes what is still held back.

    Returns:
        Whether results were lost; a reader that went away (``judge … | head``) wanted no more of them.
    """
    lost = False
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError as error:
            silence(stream)
            lost = lost or (stream is sys.stdout and not isinstance(error, BrokenPipeError))
    return lost
