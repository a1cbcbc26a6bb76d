"""A cache with a plain dictionary, which keeps its order."""

from collections.abc import Hashable


class RecentCache:
    """Keeps the ``capacity`` keys that were used last."""

    def __init__(self, capacity: int) -> None:
        """Begin empty; raise ValueError for a capacity below 1."""
        if capacity < 1:
            raise ValueError("no room")
        self.capacity = capacity
        self.values: dict[Hashable, object] = {}

    def put(self, key: Hashable, value: object) -> None:
        """Store a value and forget the oldest key if there are too many."""
        self.values.pop(key, None)
        self.values[key] = value
        if len(self.values) > self.capacity:
            del self.values[next(iter(self.values))]

    def get(self, key: Hashable) -> object:
        """Return the value of a key, or None."""
        if key not in self.values:
            return None
        value = self.values.pop(key)
        self.values[key] = value
        return value

    def size(self) -> int:
        """Return the number of keys."""
        return len(self.values)

    def keys(self) -> list[Hashable]:
        """Return the keys, last used first."""
        return list(self.values)[::-1]
