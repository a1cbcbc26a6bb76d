"""The cheapest way between islands."""

import heapq


def ferry_route(fares: dict[str, dict[str, int]], start: str, goal: str) -> list[str] | None:
    """Find a cheapest way.

    Args:
        fares: From an island to those it has ferries to, with their fares.
        start: Where it begins.
        goal: Where it ends.

    Returns:
        The islands on the way, or None when there is none.

    Raises:
        ValueError: A fare is negative.
    """
    if any(fare < 0 for ferries in fares.values() for fare in ferries.values()):
        raise ValueError("a fare is negative")
    came_from: dict[str, str] = {}
    waiting = [(0, start, start)]
    while waiting:
        paid, island, before = heapq.heappop(waiting)
        if island in came_from:
            continue
        came_from[island] = before
        if island == goal:
            return _way(came_from, start, goal)
        for following, fare in fares.get(island, {}).items():
            heapq.heappush(waiting, (paid + fare, following, island))
    return None


def _way(came_from: dict[str, str], start: str, goal: str) -> list[str]:
    way = [goal]
    while way[-1] != start:
        way.append(came_from[way[-1]])
    return way[::-1]
