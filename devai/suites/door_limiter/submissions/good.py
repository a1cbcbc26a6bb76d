"""A limiter that keeps the last passages of each badge."""


class DoorLimiter:
    """Lets each badge through ``limit`` times per ``window`` seconds."""

    def __init__(self, limit: int, window: int) -> None:
        """Begin empty; raise ValueError when limit or window is below 1."""
        if min(limit, window) < 1:
            raise ValueError("limit and window must be positive")
        self.limit = limit
        self.window = window
        self.history: dict[str, list[int]] = {}
        self.clock: dict[str, int] = {}

    def allow(self, badge: str, now: int) -> bool:
        """Return whether the badge may pass now, and remember it when it may."""
        allowed = self.wait(badge, now) == 0
        if allowed:
            self.history[badge] = [*self.history.get(badge, []), now][-self.limit :]
        return allowed

    def wait(self, badge: str, now: int) -> int:
        """Return how many seconds the badge has to wait."""
        if badge in self.clock and now < self.clock[badge]:
            raise ValueError("now lies in the past")
        self.clock[badge] = now
        history = self.history.get(badge, [])
        if len(history) < self.limit:
            return 0
        return max(0, history[0] + self.window - now)
