"""What can go wrong between the judge and a server, as errors that say whether trying again can help."""

from __future__ import annotations

import email.utils
import errno
import math
import re
import socket
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from judge.errors import ProviderError
from judge.models.words import error_text, one_line
from judge.redact import redact

_RETRYABLE = {408, 409, 425, 429}
_OVERFLOW = re.compile(
    r"context[_ ]length|maximum context|max(imum)? (model|context|prompt|input) len|context (window|size)|"
    r"exceed_context|prompt is too long|input is too long|too many (input |prompt )?tokens|reduce the length|"
    r"exceeds? the (available|maximum) (context|number of tokens)|request_too_large|prompt too long",
    re.IGNORECASE,
)
_NO_MONEY = re.compile(r"insufficient_quota|billing|credit balance|exceeded your current quota|out of credits", re.I)
_NO_WAY = {errno.ECONNREFUSED: "connection refused", errno.EHOSTUNREACH: "no route", errno.ENETUNREACH: "no network"}
_HINTS = {
    401: "check the API key",
    402: "the account has no credit",
    403: "the key may not use this model",
    404: "check the model name and the base URL, which usually ends in /v1",
    405: "check the base URL, which usually ends in /v1",
    413: "the prompt is too large for this server",
}


class Fault(ProviderError):
    """A call that failed.

    Attributes:
        retry_after: Seconds the server asked to wait; None when it did not.
        detail: The server's own words, for the client to learn from; no key in it.
    """

    def __init__(
        self,
        what: str,
        *,
        where: str = "",
        hint: str = "",
        retryable: bool = False,
        status: int | None = None,
        retry_after: float | None = None,
        detail: str = "",
    ) -> None:
        super().__init__(what, where=where, hint=hint, retryable=retryable, status=status)
        self.retry_after = retry_after
        self.detail = detail


class ContextOverflow(Fault):
    """The prompt does not fit into the model's context; sending it again cannot help, sending less can."""


class TimedOut(Fault):
    """No whole answer within the time for one attempt."""


class Unreachable(Fault):
    """Nobody answers at that address: refused, no route, or no such host. Long patience does not start a server."""


def nobody_there(error: BaseException) -> str:
    """Why no connection could be made, when that is known at once; empty when it may be a passing trouble."""
    queue: list[BaseException] = [error]
    for found in queue:  # grows while it is walked
        if isinstance(found, socket.gaierror):
            return "unknown host"
        if isinstance(found, OSError) and found.errno in _NO_WAY:
            return _NO_WAY[found.errno]
        inner = list(found.exceptions) if isinstance(found, BaseExceptionGroup) else []
        queue += [
            item for item in (found.__cause__, found.__context__, *inner) if item is not None and item not in queue
        ]
    return ""


def from_status(status: int, body: str, headers: Mapping[str, str], where: str, key: str = "") -> Fault:
    """The fault that an HTTP answer is.

    Args:
        status: HTTP status, or the status inside an error object sent with 200.
        body: The body as text.
        headers: Response headers, names in lower case.
        where: Provider and model, for the message.
        key: The API key, so that an echo of it is masked.
    """
    detail = scrub(error_text(body), key)
    kind = ContextOverflow if status in {400, 413, 422} and _OVERFLOW.search(detail) else Fault
    retryable = status in _RETRYABLE or status >= 500
    hint = _HINTS.get(status, "")
    if status == 429 and _NO_MONEY.search(detail):
        retryable, hint = False, "the account has no quota left"
    if headers.get("x-should-retry", "").lower() == "false":
        retryable = False
    if kind is ContextOverflow:
        retryable, hint = False, "send less, or use a model with a larger context"
    if 300 <= status < 400:
        hint = "the server redirects; give its final address as base URL"
    return kind(
        f"HTTP {status}: {one_line(detail)}" if detail else f"HTTP {status} with an empty body",
        where=where,
        hint=hint,
        retryable=retryable,
        status=status,
        retry_after=retry_after(headers),
        detail=detail,
    )


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait that the headers ask for: ``retry-after-ms``, or ``retry-after`` as seconds or a date."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after")
    if value is None:
        return None
    seconds = _number(value)
    if seconds is not None:
        return seconds
    try:
        date = email.utils.parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    return max(0.0, (date - datetime.now(UTC)).total_seconds())


def scrub(text: str, key: str = "") -> str:
    """Takes the key and anything that looks like a secret out of a server's words."""
    return redact(masked(text, key)).text


def masked(text: str, key: str) -> str:
    """The text without the key; a key of a few characters is none, and may be part of any word."""
    return text.replace(key, "********") if len(key) >= 4 else text


def _number(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) and number >= 0 else None
