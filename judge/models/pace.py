"""How fast calls may follow each other, and how many may be in flight: the two quantities a limiter steers."""

from __future__ import annotations

from collections import deque

# A sleeping task wakes late; so much of that is made up for, so that lateness does not lower the rate.
_LATE = 0.02
# Starts at exactly the allowed rate can count as one too many in a window that slides.
_MARGIN = 1.005
_SHRINK = 0.5
# Of what got through before the server said stop.
_BELOW = 0.95
# Growth of the rate in a second.
_FASTEST = 0.3
_CALM = 30.0
_WINDOW = 60.0
_SHORTEST = 1.0
_MOMENT = 0.3
_SURE = 5.0
# Of so many last answers, so large a share and so many at least must be refusals to count as a limit.
_ANSWERS = 20
_MANY = 0.15
_FEW = 3
_NEAR = 0.97
_TRIED = 0.97


class Pace:
    """Spreads amounts evenly over time: no burst, whatever the history.

    Args:
        per_second: The rate; None for no bound.
    """

    def __init__(self, per_second: float | None = None) -> None:
        self.per_second = per_second
        self._next = 0.0

    def at(self) -> float:
        """The earliest moment of the next start."""
        return self._next if self.per_second is not None else 0.0

    def take(self, now: float, amount: float = 1.0) -> None:
        """Counts a start of that amount."""
        if self.per_second is not None and amount > 0:
            step = amount * _MARGIN / self.per_second
            self._next = max(self._next, now - min(_LATE, step)) + step

    def correct(self, amount: float) -> None:
        """Counts what an earlier start used beyond what it was taken for; negative when it was less."""
        if self.per_second is not None:
            self._next += amount * _MARGIN / self.per_second

    def hold(self, until: float) -> None:
        """Lets nothing start before that moment."""
        self._next = max(self._next, until)


class Window:
    """Calls in flight: one more after a round of good answers, half as many when the server is overloaded.

    Args:
        most: Never more than this.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._size = float(most)
        self._cut = 0.0

    @property
    def size(self) -> int:
        """How many calls may be in flight."""
        return int(self._size)

    def grow(self) -> None:
        """A call was answered."""
        self._size = min(float(self._most), self._size + 1.0 / self._size)

    def shrink(self, started: float, now: float) -> bool:
        """A call was turned away.

        Args:
            started: When the call began. Calls from before the last cut say nothing new.
            now: The moment.

        Returns:
            Whether that was news.
        """
        if started < self._cut:
            return False
        self._size, self._cut = max(1.0, self._size * _SHRINK), now
        return True


class Learnt:
    """A rate found by what a server let through before it said stop, for servers that do not tell their limits.

    A single refusal means little; when one answer in seven is one, calls are spread at the rate that got through. From
    there more is tried, the faster the longer nothing was refused and the fewer calls that rate was seen in. Where it
    meets the edge again it goes back a little. A refusal well below that edge has other causes and changes nothing.
    """

    def __init__(self) -> None:
        self.pace = Pace()
        self._good: deque[float] = deque(maxlen=20_000)
        self._last: deque[bool] = deque(maxlen=_ANSWERS)
        self._edge = 0.0
        self._doubt = 0.0
        self._stopped = 0.0
        self._grown = 0.0

    def answered(self, now: float) -> None:
        """A call got through."""
        self._good.append(now)
        self._last.append(True)
        self._forget(now)
        rate = self.pace.per_second
        if rate is not None:
            growth = min(_FASTEST, self._doubt * 2 ** ((now - self._stopped) / _CALM))
            self.pace.per_second = rate * (1 + growth * min(1.0, now - self._grown))
            self._grown = now

    def stopped(self, now: float, news: bool) -> None:
        """A call was turned away because there were too many.

        Args:
            now: The moment.
            news: Whether the call began after the last time that this changed anything.
        """
        self._last.append(False)
        self._forget(now)
        refused = len(self._last) - sum(self._last)
        many = refused >= max(_FEW, _MANY * len(self._last))
        rate = self.pace.per_second
        if not news and rate is not None:
            return
        if not self._good or not (many or (rate is not None and rate >= _NEAR * self._edge)):
            return
        since = max(self._stopped, self._good[0])
        through = sum(at >= since for at in self._good)
        got = through / max(_SHORTEST if rate is None else _MOMENT, now - since)
        if rate is not None and now - since < _SURE:
            # Seen for a moment only: good for a step, not for a leap.
            got = min(rate, max(got, rate * _SHRINK))
        # Where much is refused, what got through is the limit itself; else the limit is a little below what was tried.
        self._edge = got if many or rate is None else max(got, _TRIED * rate)
        self.pace.per_second = max(1 / _WINDOW, _BELOW * self._edge)
        self.pace.take(now)
        # A rate seen in a few answers may be far from the truth, and is left quickly.
        self._doubt = min(_FASTEST, 1.0 / max(1, through))
        self._stopped = self._grown = now
        self._last.clear()

    def _forget(self, now: float) -> None:
        while self._good and self._good[0] < now - _WINDOW:
            self._good.popleft()
