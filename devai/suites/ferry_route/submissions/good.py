"""Cheapest ways with a queue by price."""

from heapq import heappop, heappush


def ferry_route(fares: dict[str, dict[str, int]], start: str, goal: str) -> list[str] | None:
    """Return the islands of a cheapest way, or None.

    Args:
        fares: Fare of each ferry, by its two islands.
        start: First island.
        goal: Last island.

    Raises:
        ValueError: A fare is negative.
    """
    if any(fare < 0 for ferries in fares.values() for fare in ferries.values()):
        raise ValueError("negative fare")
    best: dict[str, int] = {start: 0}
    previous: dict[str, str] = {}
    queue = [(0, start)]
    while queue:
        cost, island = heappop(queue)
        if island == goal:
            break
        if cost > best[island]:
            continue
        for other, fare in fares.get(island, {}).items():
            if other not in best or cost + fare < best[other]:
                best[other] = cost + fare
                previous[other] = island
                heappush(queue, (cost + fare, other))
    if goal not in best:
        return None
    way = [goal]
    while way[0] != start:
        way.insert(0, previous[way[0]])
    return way
