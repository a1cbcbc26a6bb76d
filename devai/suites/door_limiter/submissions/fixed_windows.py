"""Counts by windows that stand still, so that twice as many get through at their border."""


class DoorLimiter:
    """Lets each badge through ``limit`` times per ``window`` seconds."""

    def __init__(self, limit: int, window: int) -> None:
        """Begin empty."""
        if min(limit, window) < 1:
            raise ValueError("limit and window must be positive")
        self.limit = limit
        self.window = window
        self.counts: dict[tuple[str, int], int] = {}
        self.clock: dict[str, int] = {}

    def allow(self, badge: str, now: int) -> bool:
        """Return whether the badge may pass now."""
        if self.wait(badge, now):
            return False
        key = (badge, now // self.window)
        self.counts[key] = self.counts.get(key, 0) + 1
        return True

    def wait(self, badge: str, now: int) -> int:
        """Return how many seconds the badge has to wait."""
        if now < self.clock.get(badge, now):
            raise ValueError("now lies in the past")
        self.clock[badge] = now
        if self.counts.get((badge, now // self.window), 0) < self.limit:
            return 0
        return self.window - now % self.window
