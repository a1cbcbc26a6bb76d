"""Why a run stops before its end, and the signals that ask for it."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from judge.errors import BudgetExceeded, ExitCode, JudgeError

DEADLINE = "--run-deadline"
"""Where a limit comes from that is one of time."""


class Stop:
    """Asked before each requirement is started; once stopped, a run stays stopped.

    Attributes:
        interrupted: Whether the user asked for it.
        deadline: Whether the time for the run is over.
        budget: The limit of cost or tokens that was reached, or None.
        fatal: What makes going on senseless, such as a full disk, or None.
    """

    def __init__(self) -> None:
        """Starts out as not stopped."""
        self.interrupted = False
        self.deadline = False
        self.budget: BudgetExceeded | None = None
        self.fatal: JudgeError | None = None

    def __bool__(self) -> bool:
        return self.interrupted or self.deadline or self.budget is not None or self.fatal is not None

    def reached(self, limit: BudgetExceeded) -> None:
        """A call was refused because of a limit: of time, which is no matter of money, or of cost or tokens."""
        if limit.where == DEADLINE:
            self.deadline = True
        else:
            self.budget = self.budget or limit


@contextmanager
def timed(
    stop: Stop, seconds: float | None, cancel: Callable[[], None], grace: float, say: Callable[[str], None]
) -> Iterator[None]:
    """Ends a run when its time is over, as a first interrupt would.

    Args:
        stop: Told of it.
        seconds: Time for the run from now on; None for no bound.
        cancel: Cancels what is in flight.
        grace: Seconds that work in flight may take then.
        say: Shows one line to the user.
    """
    if seconds is None:
        yield
        return
    loop = asyncio.get_running_loop()
    timers = []

    def over() -> None:
        stop.deadline = True
        say(f"the time for the run is over: work in flight has {grace:g} s to finish")
        timers.append(loop.call_later(grace, cancel))

    timers.append(loop.call_later(seconds, over))
    try:
        yield
    finally:
        for timer in timers:
            timer.cancel()


@contextmanager
def interruptible(stop: Stop, cancel: Callable[[], None], grace: float, say: Callable[[str], None]) -> Iterator[None]:
    """Handles SIGINT and SIGTERM while a run is going on.

    The first one stops new work and gives what is in flight ``grace`` seconds; a second one ends the process at once.
    Every verdict that was reported is on disk before either.

    Args:
        stop: Told of the first signal.
        cancel: Cancels what is in flight.
        grace: Seconds.
        say: Shows one line to the user.
    """
    loop = asyncio.get_running_loop()

    def on_signal() -> None:
        if stop.interrupted:
            os._exit(int(ExitCode.INTERRUPTED))
        stop.interrupted = True
        say(f"stopping: work in flight has {grace:g} s to finish; interrupt again to stop at once")
        loop.call_later(grace, cancel)

    handled = []
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, on_signal)
        except (NotImplementedError, RuntimeError, ValueError):
            continue  # not the main thread: whoever embeds the engine handles signals
        handled.append(number)
    try:
        yield
    finally:
        for number in handled:
            loop.remove_signal_handler(number)
