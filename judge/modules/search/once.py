"""Makes something once, however many ask for it at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

Made = TypeVar("Made")


class Once(Generic[Made]):
    """Keeps what was made for the last key."""

    def __init__(self) -> None:
        """Nothing is made yet."""
        self._turn = asyncio.Lock()
        self._key: object = None
        self._value: Made | None = None

    async def get(self, key: object, make: Callable[[], Awaitable[Made]]) -> Made:
        """What was made for a key; made now when that was another one.

        Args:
            key: Compared by identity, such as the workspace.
            make: Makes it; what it raises is raised, and tried again by the next who asks.
        """
        async with self._turn:
            if self._value is None or self._key is not key:
                self._value = await make()
                self._key = key
            return self._value
