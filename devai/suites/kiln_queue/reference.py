"""Firing pots in several kilns."""

import asyncio


async def fire(pots: list[int], kilns: int) -> list[int]:
    """Fire pots, as many at a time as there are kilns.

    Args:
        pots: Milliseconds of each.
        kilns: How many there are.

    Returns:
        How full the kilns were as each pot was put in.

    Raises:
        ValueError: No kiln, or a negative time.
    """
    if kilns < 1 or any(time < 0 for time in pots):
        raise ValueError("there must be a kiln, and no time below 0")
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
