"""A cache whose content belongs to the class, not to the object."""


class RecentCache:
    """Keeps the keys that were used last."""

    values: dict[object, object] = {}

    def __init__(self, capacity: int) -> None:
        """Begin with what others left."""
        if capacity < 1:
            raise ValueError("no room")
        self.capacity = capacity

    def put(self, key: object, value: object) -> None:
        """Store a value."""
        self.values.pop(key, None)
        self.values[key] = value
        while len(self.values) > self.capacity:
            del self.values[next(iter(self.values))]

    def get(self, key: object) -> object:
        """Return the value of a key, or None."""
        if key not in self.values:
            return None
        self.values[key] = self.values.pop(key)
        return self.values[key]

    def size(self) -> int:
        """Return the number of keys."""
        return len(self.values)

    def keys(self) -> list[object]:
        """Return the keys."""
        return list(self.values)[::-1]
