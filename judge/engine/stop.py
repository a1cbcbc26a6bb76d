"""Why a run stops before its end, and the signals that ask for it."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from judge.errors import BudgetExceeded, ExitCode, JudgeError


class Stop:
    """Asked before each requirement is started; once stopped, a run stays stopped.

    Attributes:
        interrupted: Whether the user asked for it.
        budget: The limit that was reached, or None.
        fatal: What makes going on senseless, such as a full disk, or None.
    """

    def __init__(self) -> None:
        """Starts out as not stopped."""
        self.interrupted = False
        self.budget: BudgetExceeded | None = None
        self.fatal: JudgeError | None = None

    def __bool__(self) -> bool:
        return self.interrupted or self.budget is not None or self.fatal is not None


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
