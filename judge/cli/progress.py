"""Progress of a run on stderr: a live line on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from judge.cli.console import console, say
from judge.schemas import Judgment, Usage, VerdictValue
from judge.text import plural, printable

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from judge.engine import Progress

_PLAIN_SECONDS = 10.0


class Tally:
    """Counts of a run so far, and the line that shows them."""

    def __init__(self) -> None:
        """Starts at nothing."""
        self.tasks = 0
        self.tasks_done = 0
        self.requirements = 0
        self.finished = 0
        self.before = 0
        self.counts = dict.fromkeys(VerdictValue, 0)
        self.usage = Usage()
        self._start = time.monotonic()

    def begin(self, tasks: int, requirements: int, before: Mapping[VerdictValue, int]) -> None:
        """The run begins; verdicts from before count in the totals."""
        self.tasks, self.requirements = tasks, requirements
        self.counts.update(before)
        self.finished = self.before = sum(before.values())
        self._start = time.monotonic()

    def add(self, judgment: Judgment, usage: Usage) -> None:
        """A verdict came."""
        self.finished += 1
        self.counts[judgment.verdict] += 1
        self.usage = usage

    def line(self) -> str:
        """Everything on one line."""
        counts = self.counts
        before = f" ({self.before} from before)" if self.before else ""
        parts = [
            f"{self.tasks_done}/{self.tasks} tasks",
            f"{self.finished}/{self.requirements} requirements{before}",
            f"{counts[VerdictValue.SATISFIED]} satisfied",
            f"{counts[VerdictValue.UNSATISFIED]} unsatisfied",
            f"{counts[VerdictValue.ERROR]} error",
        ]
        return ", ".join([*parts, *self._spent(), *self._left()])

    def _spent(self) -> list[str]:
        return [spent(self.usage)] if self.usage.calls or self.usage.cached_calls else []

    def _left(self) -> list[str]:
        new = self.finished - self.before
        left = self.requirements - self.finished
        if not new or not left:
            return []
        return [f"about {duration((time.monotonic() - self._start) / new * left)} left"]


def spent(usage: Usage) -> str:
    """Tokens and cost for people; an unknown cost is said to be unknown."""
    tokens = usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens + usage.output_tokens
    cost = "cost unknown" if usage.cost is None else f"${usage.cost:.4f}"
    kept = f", {plural(usage.cached_calls, 'kept answer')}" if usage.cached_calls else ""
    return f"{plural(usage.calls, 'call')}{kept}, {tokens:,} tokens, {cost}"


def duration(seconds: float) -> str:
    """Seconds for people.

    >>> duration(125)
    '2 min 05 s'
    """
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"


class Plain:
    """One line when a task is done, and now and then in between; for logs."""

    def __init__(self) -> None:
        """Starts silent."""
        self._tally = Tally()
        self._last = time.monotonic()

    def started(self, tasks: int, requirements: int, before: Mapping[VerdictValue, int]) -> None:
        """Says how much there is to do."""
        self._tally.begin(tasks, requirements, before)
        known = f", {self._tally.before} with a verdict from before" if self._tally.before else ""
        say(f"judge: {plural(tasks, 'task')}, {plural(requirements, 'requirement')}{known}")

    def task_started(self, name: str) -> None:
        """Nothing."""

    def judged(self, judgment: Judgment, usage: Usage) -> None:
        """Shows the counts when the last line is some seconds old."""
        self._tally.add(judgment, usage)
        now = time.monotonic()
        if now - self._last >= _PLAIN_SECONDS:
            self._last = now
            say(f"judge: {self._tally.line()}")

    def task_finished(self, name: str) -> None:
        """Counts it."""
        self._tally.tasks_done += 1
        if self._tally.tasks_done == self._tally.tasks:
            say(f"judge: {self._tally.line()}")

    def note(self, text: str) -> None:
        """Shows it."""
        say(f"judge: {text}")


class Live:
    """A bar that is redrawn in place; for terminals."""

    def __init__(self, bar: Bar) -> None:
        """Takes a started bar.

        Args:
            bar: Where to draw.
        """
        self._bar = bar
        self._tally = Tally()
        self._row = bar.add_task("", total=None)

    def started(self, tasks: int, requirements: int, before: Mapping[VerdictValue, int]) -> None:
        """Shows how much there is to do."""
        self._tally.begin(tasks, requirements, before)
        self._draw()

    def task_started(self, name: str) -> None:
        """Nothing."""

    def judged(self, judgment: Judgment, usage: Usage) -> None:
        """Redraws."""
        self._tally.add(judgment, usage)
        self._draw()

    def task_finished(self, name: str) -> None:
        """Redraws."""
        self._tally.tasks_done += 1
        self._draw()

    def note(self, text: str) -> None:
        """Shows it above the bar."""
        self._bar.console.print(f"judge: {printable(text)}")

    def _draw(self) -> None:
        tally = self._tally
        self._bar.update(
            self._row, total=tally.requirements or None, completed=tally.finished, description=tally.line()
        )


@contextmanager
def open_progress() -> Iterator[Progress]:
    """Progress that fits where stderr goes.

    Yields:
        Something that takes the events of a run.
    """
    if not sys.stderr.isatty():
        yield Plain()
        return
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (BarColumn(bar_width=20), TextColumn("{task.description}", markup=False))
    with Bar(*columns, console=console(stderr=True), transient=True, refresh_per_second=8) as bar:
        yield Live(bar)
