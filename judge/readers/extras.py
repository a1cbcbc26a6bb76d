"""Libraries that come with an extra of the program, imported when a file needs them."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

from judge.readers.document import ReaderProblem, State


def bring(module: str, extra: str) -> Any:
    """A module of a library that may not be installed.

    Args:
        module: Dotted name of the module.
        extra: The extra of the program that installs it.

    Raises:
        ReaderProblem: It is not installed; the problem names the extra.
    """
    unlock("numpy")
    # With a thread for each core, numpy's algebra would reserve more memory than the reading process may have.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        return importlib.import_module(module)
    except ImportError:
        raise ReaderProblem(advice(extra), State.UNREADABLE) from None


def unlock(package: str) -> None:
    """Lets a package be imported that the reading process keeps out, so that no library loads it by the way."""
    if package in sys.modules and sys.modules[package] is None:
        del sys.modules[package]


def advice(extra: str) -> str:
    """What a user can do about contents that were not looked at."""
    return f"install judge[{extra}] to look into it"
