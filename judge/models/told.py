"""Keeps calls within the quota that a server tells, whichever way it refills."""

from __future__ import annotations

from judge.models.pace import Pace
from judge.models.quota import Quota

# A quota with less than this share left is watched, and one that would not last for two rounds of calls.
_SCARCE = 0.1
_ALIKE = 0.1
_MINUTE = 60.0


class Told:
    """The pace that a server's own words ask for.

    A quota that refills steadily is met at its refill; one that is renewed all at once is spread over the time until
    then. Which of the two a server has shows in its answers: with a steady refill, what is used and the time until it
    is whole again stay in proportion.
    """

    def __init__(self) -> None:
        self.pace = Pace()
        self._refill: float | None = None

    def hear(self, quota: Quota, now: float, flying: float, round_size: float) -> None:
        """Takes an answer into account.

        Args:
            quota: What the server says.
            now: The moment.
            flying: What calls in flight will use, of which this answer does not know.
            round_size: What one round of calls uses.
        """
        used = quota.limit - quota.remaining
        refill = used / quota.reset if used > 0 and quota.reset > 0 else None
        steady = self._steady(refill, quota.limit)
        self._refill = refill
        left = quota.remaining - flying
        if quota.reset <= 0 or left > max(_SCARCE * quota.limit, 2 * round_size):
            self.pace.per_second = None
            return
        if steady and refill is not None:
            self.pace.per_second = refill
            if left < 0:
                self.pace.hold(now + min(quota.reset, -left / refill))
            return
        self.pace.per_second = max(left, 0.5) / quota.reset
        if left <= 0:
            self.pace.hold(now + quota.reset)

    def _steady(self, refill: float | None, limit: float) -> bool:
        if refill is None:
            return False
        if self._refill is None:
            # The first answer alone: most quotas are meant for a minute.
            return abs(limit / refill - _MINUTE) <= _ALIKE * _MINUTE
        return abs(refill - self._refill) <= _ALIKE * refill
