"""Uses a single kiln."""

import asyncio


async def fire(pots: list[int], kilns: int) -> list[int]:
    """Return how many kilns were in use as each pot was put in."""
    if kilns < 1 or any(time < 0 for time in pots):
        raise ValueError("cannot fire")
    for time in pots:
        await asyncio.sleep(time / 1000)
    return [min(index + 1, kilns) for index in range(len(pots))]
