"""A cache that forgets what was not used."""

from collections import OrderedDict
from collections.abc import Hashable


class RecentCache:
    """Keeps the keys that were used last.

    Args:
        capacity: How many.

    Raises:
        ValueError: The capacity is below 1.
    """

    def __init__(self, capacity: int) -> None:
        """Begin empty."""
        if capacity < 1:
            raise ValueError("the capacity is below 1")
        self._capacity = capacity
        self._values: OrderedDict[Hashable, object] = OrderedDict()

    def put(self, key: Hashable, value: object) -> None:
        """Store a value; the key counts as used."""
        self._values[key] = value
        self._values.move_to_end(key)
        if len(self._values) > self._capacity:
            self._values.popitem(last=False)

    def get(self, key: Hashable) -> object:
        """Return the value of a key, or None; a key that is found counts as used."""
        if key not in self._values:
            return None
        self._values.move_to_end(key)
        return self._values[key]

    def size(self) -> int:
        """Return the number of keys."""
        return len(self._values)

    def keys(self) -> list[Hashable]:
        """Return the keys, last used first."""
        return list(reversed(self._values))
