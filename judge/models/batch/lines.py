"""Reads the JSON lines that results come in; a damaged line is one missing result, not a lost batch."""

from __future__ import annotations

import json
from collections.abc import AsyncIterable, AsyncIterator
from typing import Any


async def read_lines(lines: AsyncIterable[str]) -> AsyncIterator[tuple[str, dict[str, Any]]]:
    """The ``custom_id`` and the object of every line that has one; of several with the same id the first."""
    seen: set[str] = set()
    async for line in lines:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        key = value.get("custom_id") if isinstance(value, dict) else None
        if isinstance(key, str) and key not in seen:
            seen.add(key)
            yield key, value
