"""Looks at a time only as its pot is put in, and at the kilns only when there are pots."""

import asyncio


async def fire(pots: list[int], kilns: int) -> list[int]:
    """Return how many kilns were in use as each pot was put in."""
    if not pots:
        return []
    if kilns < 1:
        raise ValueError("no kiln")
    free = asyncio.Semaphore(kilns)
    burning = 0

    async def one(time: int) -> int:
        nonlocal burning
        async with free:
            burning += 1
            seen = burning
            await asyncio.sleep(time / 1000)
            burning -= 1
        return seen

    return list(await asyncio.gather(*(one(time) for time in pots)))
