"""Tries all ways, one island deeper at each call."""


def ferry_route(fares: dict[str, dict[str, int]], start: str, goal: str) -> list[str] | None:
    """Return the islands of a cheapest way, or None."""
    if any(fare < 0 for ferries in fares.values() for fare in ferries.values()):
        raise ValueError("negative fare")

    def search(island: str, seen: frozenset[str]) -> tuple[int, list[str]] | None:
        if island == goal:
            return 0, [island]
        found = None
        for other, fare in fares.get(island, {}).items():
            if other in seen:
                continue
            rest = search(other, seen | {other})
            if rest and (found is None or rest[0] + fare < found[0]):
                found = (rest[0] + fare, [island, *rest[1]])
        return found

    best = search(start, frozenset({start}))
    return best[1] if best else None
