"""Stops asking a provider that does not answer, so that an outage does not cost hours of retries."""

from __future__ import annotations

from judge.errors import ProviderError

_REFUSED = frozenset({401, 402, 403, 404})


def is_outage(error: BaseException | None) -> bool:
    """Whether the provider failed, rather than answered in a way that cannot be used or was sent too much."""
    if not isinstance(error, ProviderError):
        return False
    from judge.models import ContextOverflow, UnansweredRepair, UnusableAnswer

    return isinstance(error, UnansweredRepair) or not isinstance(error, (ContextOverflow, UnusableAnswer))


class Breaker:
    """Counts failures in a row over all requirements of a run."""

    def __init__(self, limit: int) -> None:
        """Starts closed.

        Args:
            limit: Failures in a row after which nothing is asked any more.
        """
        self._limit = limit
        self._row = 0
        self._why = ""

    def succeeded(self) -> None:
        """The provider answered."""
        self._row = 0

    def saw(self, failure: BaseException | None) -> None:
        """A question was answered, or not: what kept it from being answered."""
        if isinstance(failure, ProviderError) and is_outage(failure):
            self.failed(failure)
        else:
            self.succeeded()

    def failed(self, error: ProviderError) -> None:
        """The provider did not answer usably, after all retries."""
        self._row += 1
        refused = error.status in _REFUSED
        if not self._why and (self._row >= self._limit or refused):
            count = "" if refused else f" {self._row} times in a row"
            self._why = f"not asked, because the provider failed{count}: {error}"

    def why_open(self) -> str:
        """Why nothing is asked any more, or an empty string."""
        return self._why
