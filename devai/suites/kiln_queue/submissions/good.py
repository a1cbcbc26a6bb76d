"""Kilns as workers of one queue."""

import asyncio


async def fire(pots: list[int], kilns: int) -> list[int]:
    """Return how many kilns were in use as each pot was put in.

    Args:
        pots: Milliseconds that each pot needs.
        kilns: The number of kilns.

    Raises:
        ValueError: There is no kiln, or a time is negative.
    """
    if kilns < 1 or min(pots, default=0) < 0:
        raise ValueError("cannot fire")
    waiting = iter(enumerate(pots))
    seen = [0] * len(pots)
    burning: set[int] = set()

    async def kiln() -> None:
        for index, time in waiting:
            burning.add(index)
            seen[index] = len(burning)
            await asyncio.sleep(time / 1000)
            burning.remove(index)

    await asyncio.gather(*(kiln() for _ in range(min(kilns, len(pots)))))
    return seen
