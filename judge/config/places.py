"""Where the program keeps what it can make again."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path


def cache_home(environ: Mapping[str, str] | None = None) -> Path:
    """The program's cache folder: ``judge`` in ``XDG_CACHE_HOME`` or ``~/.cache``; it need not exist yet.

    Args:
        environ: The environment; the process's own by default.
    """
    environ = os.environ if environ is None else environ
    named = environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(named):  # the standard says that a relative path is to be ignored
        return Path(named) / "judge"
    home = environ.get("HOME", "")
    if os.path.isabs(home):
        return Path(home) / ".cache" / "judge"
    try:
        return Path.home() / ".cache" / "judge"
    except RuntimeError:  # a user without a home, as in some containers
        return Path(tempfile.gettempdir()) / f"judge-{os.getuid()}"
