"""A small HTTP client on the standard library: bounded, retried, resumed."""

from __future__ import annotations

import email.utils
import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from judge.errors import ProviderError

_CHUNK = 256 * 1024
_RETRYABLE = frozenset({408, 425, 429, 500, 502, 503, 504})
_MAX_WAIT = 120.0
_T = TypeVar("_T")


@dataclass(slots=True)
class Http:
    """How requests are made.

    Attributes:
        timeout: Seconds without any data after which a connection is given up.
        attempts: Tries for one request, the first included.
        sleep: Waits that many seconds; tests pass their own.
        headers: Sent with every request.
    """

    timeout: float = 30.0
    attempts: int = 5
    sleep: Callable[[float], None] = time.sleep
    headers: Mapping[str, str] = field(default_factory=lambda: {"User-Agent": "judge-devai-fetch"})

    def get(self, url: str, limit: int, accept: str = "application/json") -> tuple[bytes, Mapping[str, str]]:
        """The body and headers of a page of at most ``limit`` bytes.

        Raises:
            ProviderError: The server did not answer usably.
        """

        def once() -> tuple[bytes, Mapping[str, str]]:
            with self._open(url, {"Accept": accept}) as response:
                data = response.read(limit + 1)
                length = response.headers.get("Content-Length")
                if length is not None and length.isdigit() and len(data) < min(int(length), limit + 1):
                    raise http.client.IncompleteRead(data)
                if len(data) > limit:
                    raise ProviderError(f"the answer is larger than {limit} bytes", where=url)
                return data, dict(response.headers.items())

        return self._retried(url, once)

    def download(self, url: str, part: Path, limit: int, seen: Callable[[int], None]) -> None:
        """Downloads into a part file, going on where an earlier attempt stopped.

        A part is only continued when the server still has the same version of the file (``If-Range`` with the entity
        tag that was kept beside the part).

        Args:
            url: What to download.
            part: The part file; complete when this returns.
            limit: Bytes at most.
            seen: Called with the number of bytes that came in.

        Raises:
            ProviderError: The server did not answer usably.
        """
        self._retried(url, lambda: self._continue(url, part, limit, seen))

    def _continue(self, url: str, part: Path, limit: int, seen: Callable[[int], None]) -> None:
        tag_file = part.with_name(part.name + ".etag")
        have = part.stat().st_size if part.exists() else 0
        tag = tag_file.read_text("utf-8") if have and tag_file.exists() else ""
        headers = {"Range": f"bytes={have}-", "If-Range": tag} if have and tag else {}
        try:
            response = self._open(url, headers)
        except urllib.error.HTTPError as error:
            if error.code == 416 and headers:
                part.unlink(missing_ok=True)  # the part is longer than the file, or already whole: start over
                raise http.client.IncompleteRead(b"") from None
            raise
        with response:
            resumed = response.status == 206 and _range_start(response.headers.get("Content-Range", "")) == have
            if response.status == 206 and not resumed:
                part.unlink(missing_ok=True)
                raise http.client.IncompleteRead(b"")
            total = have if resumed else 0
            new_tag = response.headers.get("ETag", "")
            tag_file.write_text("" if new_tag.startswith("W/") else new_tag, encoding="utf-8")
            with part.open("ab" if resumed else "wb") as out:
                while chunk := response.read(_CHUNK):
                    total += len(chunk)
                    if total > limit:
                        raise ProviderError(f"the file is larger than {limit} bytes", where=url)
                    out.write(chunk)
                    seen(len(chunk))
            # read(n) ends quietly when the connection breaks; only the length tells.
            if response.length:
                raise http.client.IncompleteRead(b"", response.length)
        tag_file.unlink(missing_ok=True)

    def _open(self, url: str, headers: Mapping[str, str]) -> Any:
        request = urllib.request.Request(url, headers={**self.headers, **headers, "Accept-Encoding": "identity"})
        # Only http and https: a redirect must not lead to local files.
        opener = urllib.request.OpenerDirector()
        for handler in (
            urllib.request.ProxyHandler(),
            urllib.request.HTTPHandler(),
            urllib.request.HTTPSHandler(),
            urllib.request.HTTPRedirectHandler(),
            urllib.request.HTTPDefaultErrorHandler(),
            urllib.request.HTTPErrorProcessor(),
            urllib.request.UnknownHandler(),
        ):
            opener.add_handler(handler)
        return opener.open(request, timeout=self.timeout)

    def _retried(self, url: str, once: Callable[[], _T]) -> _T:
        for attempt in range(self.attempts):
            wait = min(2.0**attempt, _MAX_WAIT)
            try:
                return once()
            except urllib.error.HTTPError as error:
                error.close()
                limited = error.code == 403 and error.headers.get("x-ratelimit-remaining") == "0"
                if error.code not in _RETRYABLE or attempt + 1 == self.attempts:
                    hint = "the server's rate limit is reached; try again later" if limited else ""
                    what = f"the server answered {error.code} {error.reason}"
                    raise ProviderError(what, where=url, hint=hint, status=error.code) from None
                wait = retry_after(error.headers.get("Retry-After"), attempt)
            except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
                reason = getattr(error, "reason", None) or error
                if attempt + 1 == self.attempts:
                    what = f"no complete answer after {self.attempts} attempts: {reason or type(error).__name__}"
                    raise ProviderError(what, where=url, retryable=True) from None
            self.sleep(wait)
        raise ProviderError("no attempt was allowed", where=url)


def _range_start(header: str) -> int | None:
    """The first byte of a ``Content-Range: bytes 100-199/200`` header."""
    start = header.removeprefix("bytes ").partition("-")[0]
    return int(start) if start.isdigit() else None


def retry_after(value: str | None, attempt: int) -> float:
    """Seconds to wait: what the server asks for, or 1, 2, 4, … seconds; never more than two minutes."""
    if value is None or not value.strip():
        return min(2.0**attempt, _MAX_WAIT)
    if value.strip().isdigit():
        return min(float(value), _MAX_WAIT)
    try:
        until = email.utils.parsedate_to_datetime(value)
    except ValueError:
        return min(2.0**attempt, _MAX_WAIT)
    until = until if until.tzinfo else until.replace(tzinfo=UTC)
    return min(max((until - datetime.now(UTC)).total_seconds(), 0.0), _MAX_WAIT)
