"""Warnings kept back while untrusted text is parsed, and the parsing of untrusted Python."""

from __future__ import annotations

import ast
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

MAX_BYTES = 1_000_000
"""Of a source that is parsed."""
# Filters of warnings belong to the whole process, and submissions are scored side by side.
_TURN = threading.RLock()


@contextmanager
def warned(action: Literal["ignore", "error"] = "ignore") -> Iterator[None]:
    """Within the block, warnings are kept back, or raised; one thread at a time.

    Args:
        action: What becomes of a warning.
    """
    with _TURN, warnings.catch_warnings():
        warnings.simplefilter(action)
        yield


def parse_source(source: bytes) -> ast.Module:
    """The tree of a source, which is not run; a declared encoding (PEP 263) is honoured.

    Raises:
        SyntaxError: It is no Python.
        ValueError: It is longer than `MAX_BYTES`, or holds null bytes.
        LookupError: It declares an encoding that there is not.
        RecursionError: It is nested too deeply.
        MemoryError: The same.
    """
    if len(source) > MAX_BYTES:
        raise ValueError(f"the file is longer than {MAX_BYTES:,} bytes")
    with warned():
        return ast.parse(source)
