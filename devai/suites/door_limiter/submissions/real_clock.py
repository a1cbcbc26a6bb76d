"""Looks at the computer's clock instead of the one it is given."""

import time


class DoorLimiter:
    """Lets each badge through ``limit`` times per ``window`` seconds."""

    def __init__(self, limit: int, window: int) -> None:
        """Begin empty."""
        if min(limit, window) < 1:
            raise ValueError("limit and window must be positive")
        self.limit = limit
        self.window = window
        self.history: dict[str, list[float]] = {}

    def allow(self, badge: str, now: int) -> bool:
        """Return whether the badge may pass now."""
        if self.wait(badge, now):
            return False
        self.history.setdefault(badge, []).append(time.monotonic())
        return True

    def wait(self, badge: str, now: int) -> int:
        """Return how many seconds the badge has to wait."""
        current = time.monotonic()
        recent = [t for t in self.history.get(badge, []) if t > current - self.window]
        return 0 if len(recent) < self.limit else int(recent[0] + self.window - current)
