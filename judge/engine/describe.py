"""An unexpected error as one line that says where it happened."""

from __future__ import annotations

import traceback
from pathlib import PurePath

_LONGEST = 500


def describe(error: BaseException) -> str:
    """Type, message and innermost place of an error.

    Args:
        error: A raised error; of a group the first one.

    Returns:
        One line, such as ``ValueError: bad (words.py:30)``.
    """
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({PurePath(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    text = " ".join(str(error).split())[:_LONGEST]
    return f"{type(error).__name__}: {text}{place}" if text else f"{type(error).__name__}{place}"
