"""How fast calls may follow each other, and how many may be in flight: the two quantities a limiter steers."""

from __future__ import annotations

import math
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
# An edge so near the one before is the same; growth from it in a second is never slower than this.
_SAME = 0.15
_SLOWEST = 0.01
# So many times the wait for a refusal must pass before the next one is likely.
_WORTH = 10.0
# So many calls start at once at first; further places open one by one, as long as the server refuses none.
_AT_FIRST = 8
_OPENS = 0.01
# Fewer answers than this tell no rate: it is searched for, from so many calls a second on.
_TELLING = 10
_GUESS = 4.0
# So many calls in a row must get through before more is tried, and so near must the bounds come.
_STREAK = 3
_CLOSE = 1.25
_AFTER_SEARCH = 0.05


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

    The first calls do not all start at once: what a server takes shows within moments, and each refusal costs one.

    Args:
        most: Never more than this.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._size = float(min(most, _AT_FIRST))
        self._opening: float | None = None
        self._untried = most > _AT_FIRST
        self._cut = 0.0

    @property
    def size(self) -> int:
        """How many calls may be in flight."""
        return int(self._size)

    def opens(self, now: float) -> float | None:
        """Opens what is due by now; gives the moment at which one more place opens by itself, None for never."""
        if not self._untried:
            return None
        if self._opening is None:
            self._opening = now
        due = int((now - self._opening) / _OPENS)
        if due > 0:
            self._size = min(float(self._most), self._size + due)
            self._opening += due * _OPENS
            self._untried = self._size < self._most
        return self._opening + _OPENS if self._untried else None

    def grow(self, fast: bool = False) -> None:
        """A call was answered.

        Args:
            fast: Whether one more place opens for each answer.
        """
        step = 1.0 if fast or self._untried else 1.0 / self._size
        self._size = min(float(self._most), self._size + step)

    def shrink(self, started: float, now: float, least: float = 1.0) -> bool:
        """A call was turned away.

        Args:
            started: When the call began. Calls from before the last cut say nothing new.
            now: The moment.
            least: Places that are needed whatever happens.

        Returns:
            Whether that was news.
        """
        self._untried = False
        if started < self._cut:
            return False
        floor = min(self._size, max(1.0, least))
        self._size, self._cut = max(floor, self._size * _SHRINK), now
        return True


class _Search:
    """Finds a rate of which nothing is known.

    It is doubled while calls get through, then set between the best that got through and the least that did not.

    Args:
        rate: Where to begin, calls a second.
        now: The moment.
    """

    def __init__(self, rate: float, now: float) -> None:
        self.rate = rate
        self._low = 0.0
        self._high = math.inf
        self._began = self._changed = now
        self._through = self._streak = 0

    @property
    def found(self) -> bool:
        """Whether it is known well enough."""
        return self._high <= _CLOSE * self._low

    def passed(self, started: float, now: float) -> None:
        """A call that began at that moment got through; one from before the last change says nothing of this rate."""
        self._through += 1
        self._streak += started >= self._changed
        if self._streak >= _STREAK:
            self._low = max(self._low, self.rate)
            self._set(2 * self.rate if math.isinf(self._high) else math.sqrt(self._low * self._high), now)

    def refused(self, started: float, now: float) -> None:
        """A call that began at that moment was turned away."""
        if started < self._changed:
            return
        self._high = self.rate
        if self._low * _CLOSE > self._high:
            self._low = 0.0  # a reserve let it through then, and is used up
        seen = min(self._through / max(_SHORTEST, now - self._began), _BELOW * self.rate)
        self._set(math.sqrt(self._low * self._high) if self._low else max(seen, _SHRINK * self.rate), now)

    def _set(self, rate: float, now: float) -> None:
        self.rate, self._changed, self._streak = max(1 / _WINDOW, rate), now, 0


class Learnt:
    """A rate found by what a server let through before it said stop, for servers that do not tell their limits.

    A single refusal means little; when one answer in seven is one, calls are spread at the rate that got through, or,
    when too few did to tell one, it is searched for. From there more is tried, the faster the longer nothing was
    refused and the fewer calls that rate was seen in. Where it meets the edge again it goes back a little. A refusal
    well below that edge has other causes and changes nothing.
    """

    def __init__(self) -> None:
        self.pace = Pace()
        self._good: deque[float] = deque(maxlen=20_000)
        self._last: deque[bool] = deque(maxlen=_ANSWERS)
        self._edge = 0.0
        self._doubt = 0.0
        self._stopped = 0.0
        self._grown = 0.0
        self._most_growth = _FASTEST
        self._search: _Search | None = None

    @property
    def searching(self) -> bool:
        """Whether next to nothing is known of the rate yet."""
        return self._search is not None

    def answered(self, now: float, started: float | None = None) -> None:
        """A call got through.

        Args:
            now: The moment.
            started: When it began; now when None.
        """
        self._good.append(now)
        self._last.append(True)
        self._forget(now)
        if self._search is not None:
            self._search.passed(now if started is None else started, now)
            self._searched(self._search, now)
            return
        rate = self.pace.per_second
        if rate is not None:
            growth = min(_FASTEST, self._doubt * 2 ** ((now - self._stopped) / _CALM))
            self.pace.per_second = rate * (1 + growth * min(1.0, now - self._grown))
            self._grown = now

    def stopped(self, now: float, news: bool, started: float | None = None, held: float = 0.0) -> None:
        """A call was turned away because there were too many.

        Args:
            now: The moment.
            news: Whether the call began after the last time that this changed anything.
            started: When it began; now when None.
            held: Seconds that all calls must wait for it. The dearer a refusal is, the later the next one is risked.
        """
        self._last.append(False)
        self._most_growth = (1 - _BELOW) / (_WORTH * held) if held > 0 else _FASTEST
        self._forget(now)
        refused = len(self._last) - sum(self._last)
        many = refused >= max(_FEW, _MANY * len(self._last))
        rate = self.pace.per_second
        if self._search is not None:
            self._search.refused(now if started is None else started, now)
            self._searched(self._search, now)
            return
        if rate is None and many and len(self._good) < _TELLING:
            self._search = _Search(max(_GUESS, float(len(self._good))), now)
            self._searched(self._search, now)
            self.pace.take(now)
            return
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
        before, self._edge = self._edge, got if many or rate is None else max(got, _TRIED * rate)
        self.pace.per_second = max(1 / _WINDOW, _BELOW * self._edge)
        self.pace.take(now)
        # A rate seen in a few answers may be far from the truth, and is left quickly; not one met again and again.
        again = before > 0 and abs(self._edge - before) <= _SAME * before
        doubt = min(_FASTEST, 1.0 / max(1, through))
        self._doubt = min(self._most_growth, doubt, max(_SLOWEST, _SHRINK * self._doubt) if again else doubt)
        self._stopped = self._grown = now
        self._last.clear()

    def _searched(self, search: _Search, now: float) -> None:
        self.pace.per_second = search.rate
        if search.found:
            self._search, self._edge, self._doubt = None, search.rate, min(self._most_growth, _AFTER_SEARCH)
            self._stopped = self._grown = now
            self._last.clear()

    def _forget(self, now: float) -> None:
        while self._good and self._good[0] < now - _WINDOW:
            self._good.popleft()
