"""A door that lets few through at a time."""

from collections import deque


class DoorLimiter:
    """Counts who passed within a sliding window.

    Args:
        limit: Most passages of one badge.
        window: Within so many seconds.

    Raises:
        ValueError: One of them is below 1.
    """

    def __init__(self, limit: int, window: int) -> None:
        """Begin with nobody."""
        if limit < 1 or window < 1:
            raise ValueError("limit and window are at least 1")
        self._limit = limit
        self._window = window
        self._passed: dict[str, deque[int]] = {}
        self._latest: dict[str, int] = {}

    def allow(self, badge: str, now: int) -> bool:
        """Return whether the badge may pass, and count it if so; raise ValueError for a time that is past."""
        if self.wait(badge, now):
            return False
        self._passed[badge].append(now)
        return True

    def wait(self, badge: str, now: int) -> int:
        """Return the seconds until the badge may pass; raise ValueError for a time that is past."""
        if now < self._latest.get(badge, now):
            raise ValueError("time runs backwards")
        self._latest[badge] = now
        passed = self._passed.setdefault(badge, deque())
        while passed and passed[0] <= now - self._window:
            passed.popleft()
        return passed[0] + self._window - now if len(passed) >= self._limit else 0
