"""A cache that takes None for nothing."""


class RecentCache:
    """Keeps the keys that were used last."""

    def __init__(self, capacity: int) -> None:
        """Begin empty."""
        if capacity < 1:
            raise ValueError("no room")
        self.capacity = capacity
        self.values: dict[object, object] = {}

    def put(self, key: object, value: object) -> None:
        """Store a value."""
        self.values.pop(key, None)
        self.values[key] = value
        if len(self.values) > self.capacity:
            del self.values[next(iter(self.values))]

    def get(self, key: object) -> object:
        """Return the value of a key, or None."""
        value = self.values.get(key)
        if value is not None:
            self.values[key] = self.values.pop(key)
        return value

    def size(self) -> int:
        """Return the number of keys."""
        return len(self.values)

    def keys(self) -> list[object]:
        """Return the keys."""
        return list(self.values)[::-1]
