"""Finds the way with the fewest changes, not the cheapest."""

from collections import deque


def ferry_route(fares: dict[str, dict[str, int]], start: str, goal: str) -> list[str] | None:
    """Return the islands of a way, or None."""
    if any(fare < 0 for ferries in fares.values() for fare in ferries.values()):
        raise ValueError("negative fare")
    previous: dict[str, str] = {start: start}
    queue = deque([start])
    while queue:
        island = queue.popleft()
        for other in fares.get(island, {}):
            if other not in previous:
                previous[other] = island
                queue.append(other)
    if goal not in previous:
        return None
    way = [goal]
    while way[-1] != start:
        way.append(previous[way[-1]])
    return way[::-1]
