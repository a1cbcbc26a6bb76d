"""Counts also those it did not let through."""


class DoorLimiter:
    """Lets each badge through ``limit`` times per ``window`` seconds."""

    def __init__(self, limit: int, window: int) -> None:
        """Begin empty."""
        if min(limit, window) < 1:
            raise ValueError("limit and window must be positive")
        self.limit = limit
        self.window = window
        self.history: dict[str, list[int]] = {}

    def allow(self, badge: str, now: int) -> bool:
        """Return whether the badge may pass now."""
        wait = self.wait(badge, now)
        self.history.setdefault(badge, []).append(now)
        return wait == 0

    def wait(self, badge: str, now: int) -> int:
        """Return how many seconds the badge has to wait."""
        history = self.history.get(badge, [])
        if history and now < history[-1]:
            raise ValueError("now lies in the past")
        recent = [t for t in history if t > now - self.window]
        return 0 if len(recent) < self.limit else recent[-self.limit] + self.window - now
