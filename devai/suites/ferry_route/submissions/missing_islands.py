"""Cheapest ways, where each island must be a key."""

from heapq import heappop, heappush


def ferry_route(fares: dict[str, dict[str, int]], start: str, goal: str) -> list[str] | None:
    """Return the islands of a cheapest way, or None."""
    queue = [(0, [start])]
    done = set()
    while queue:
        cost, way = heappop(queue)
        island = way[-1]
        if island == goal:
            return way
        if island in done:
            continue
        done.add(island)
        for other, fare in fares[island].items():
            if fare < 0:
                raise ValueError("negative fare")
            heappush(queue, (cost + fare, [*way, other]))
    return None
