"""What somebody may have meant by a name that is none."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """A hint that names the known name most like another.

    Args:
        name: What was given.
        known: What could have been.
        otherwise: What is said when nothing is like it.

    >>> did_you_mean("complexty", ["complexity", "naming"])
    'did you mean complexity?'
    """
    near = get_close_matches(name, list(known), n=1)
    return f"did you mean {near[0]}?" if near else otherwise
