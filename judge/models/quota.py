"""What servers say in their headers about how much they still take."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple

KINDS = ("requests", "tokens")
_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|us|µs|ns|d|h|m|s)")
_SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3_600.0, "d": 86_400.0}
_LONGEST = 2 * 86_400.0


class Quota(NamedTuple):
    """How much of something a server still takes.

    Attributes:
        limit: The whole, when nothing is used.
        remaining: What is left.
        reset: Seconds until all of it is there again.
    """

    limit: float
    remaining: float
    reset: float


def read_quota(headers: Mapping[str, str], kind: str) -> Quota | None:
    """The quota of ``requests`` or ``tokens``, in the headers of OpenAI (and most gateways) or of Anthropic.

    Args:
        headers: Response headers, names in lower case.
        kind: One of ``KINDS``.

    >>> names = {"x-ratelimit-limit-requests": "60", "x-ratelimit-remaining-requests": "59"}
    >>> read_quota(names | {"x-ratelimit-reset-requests": "1s"}, "requests")
    Quota(limit=60.0, remaining=59.0, reset=1.0)
    """
    for pattern in (f"x-ratelimit-{{}}-{kind}", f"anthropic-ratelimit-{kind}-{{}}"):
        limit = _number(headers.get(pattern.format("limit")))
        remaining = _number(headers.get(pattern.format("remaining")))
        reset = _seconds(headers.get(pattern.format("reset")))
        if limit and remaining is not None and reset is not None:
            return Quota(limit, min(remaining, limit), reset)
    return None


def _number(value: str | None) -> float | None:
    try:
        number = float(value or "")
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def _seconds(value: str | None) -> float | None:
    """A time to wait: ``1m30.5s``, ``120ms``, plain seconds, or a moment."""
    text = (value or "").strip()
    number = _number(text)
    if number is not None:
        # Some gateways give the moment as seconds since 1970.
        now = datetime.now(UTC).timestamp()
        number = number - now if number > 1e9 else number
        return number if 0 <= number <= _LONGEST else None
    if text and not _DURATION.sub("", text):
        total = sum(float(amount) * _SECONDS[unit] for amount, unit in _DURATION.findall(text))
        return total if total <= _LONGEST else None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    left = (moment - datetime.now(UTC)).total_seconds()
    return max(0.0, left) if left <= _LONGEST else None
