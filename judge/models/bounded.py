"""Bounds what a server may send, so that an endless or unpacked answer cannot fill the memory."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

LONGEST_BODY = 16 * 1024 * 1024
"""Bytes, unpacked. The longest answer of a model is far below one megabyte."""


class BodyTooLong(Exception):
    """The server sends more than any answer can be."""

    def __init__(self, longest: int = LONGEST_BODY) -> None:
        super().__init__(f"answered with more than {longest // 1024 // 1024} MB")


async def bound_body(response: Any, longest: int = LONGEST_BODY) -> None:
    """A response hook of the HTTP client: reading the body ends with an error when it is too long.

    Args:
        response: The response, its head received and its body not yet read.
        longest: Bytes that may be read.
    """
    unbounded = response.aiter_bytes

    async def aiter_bytes(chunk_size: int | None = None) -> AsyncGenerator[bytes, None]:
        size = 0
        async with aclosing(unbounded(chunk_size)) as parts:
            async for part in parts:
                size += len(part)
                if size > longest:
                    raise BodyTooLong(longest)
                yield part

    response.aiter_bytes = aiter_bytes
