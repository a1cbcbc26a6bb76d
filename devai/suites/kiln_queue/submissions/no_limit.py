"""Fires all pots at once, however few kilns there are."""

import asyncio


async def fire(pots: list[int], kilns: int) -> list[int]:
    """Return how many kilns were in use as each pot was put in."""
    if kilns < 1 or any(time < 0 for time in pots):
        raise ValueError("cannot fire")
    burning = 0

    async def one(time: int) -> int:
        nonlocal burning
        burning += 1
        seen = burning
        await asyncio.sleep(time / 1000)
        burning -= 1
        return seen

    return list(await asyncio.gather(*(one(time) for time in pots)))
