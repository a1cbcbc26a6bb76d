"""Reads the bodies that servers send, however odd, without trusting any type in them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from judge.models.faults import Fault, from_status, scrub
from judge.models.words import one_line, page_title
from judge.schemas import Usage


def parse_body(text: str, content_type: str, where: str, key: str = "") -> dict[str, Any]:
    """The JSON object that a successful answer holds.

    Raises:
        Fault: The body is no JSON object, or is an error object; retryable where a broken transfer may be the cause.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        title = page_title(text)
        if title is not None:
            what = f"answered with an HTML page{f' ({title})' if title else ''} instead of JSON"
            hint = "check the base URL, which usually ends in /v1"
            raise Fault(what, where=where, hint=hint, retryable=True) from error
        what = "answered with an empty body" if not text.strip() else "answered with broken JSON"
        kind = f", content type {one_line(content_type, 60)}" if content_type and "json" not in content_type else ""
        shown = one_line(scrub(text, key), 80)
        raise Fault(f"{what}{kind}{f': {shown}' if shown else ''}", where=where, retryable=True) from error
    if not isinstance(value, dict):
        raise Fault(f"answered with a JSON {type(value).__name__} instead of an object", where=where, retryable=True)
    failure = value.get("error")
    if failure and not any(value.get(name) for name in ("choices", "content", "output")):
        code = failure.get("code") if isinstance(failure, dict) else None
        # Gateways send errors with status 200; without a status of its own it is taken for an outage.
        status = code if isinstance(code, int) and not isinstance(code, bool) and 400 <= code < 600 else 502
        raise from_status(status, text, {}, where, key)
    return value


def text_of(content: Any) -> str:
    """The text of a message's content: a string, or a list of parts of which the text parts count."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = []
    for part in content:
        if isinstance(part, str):
            parts.append(part)
        elif isinstance(part, dict) and part.get("type", "text") in {"text", "output_text"}:
            text = part.get("text")
            parts.append(text if isinstance(text, str) else "")
    return "".join(parts)


def tokens_of(value: Mapping[str, Any] | Any, *path: str) -> int | None:
    """A token count somewhere in a usage object; None when absent or no sensible number."""
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1e12:
        return None
    return int(value)


def counted_usage(prompt: str, answer: str, model: str, images: int = 0) -> Usage:
    """Usage counted here, for a server that reports none; its cost is unknown."""
    from judge.tokens import count

    # An image is roughly a thousand tokens at the size they are sent.
    return Usage(
        calls=1, input_tokens=count(prompt, model) + 1_000 * images, output_tokens=count(answer, model), cost=None
    )
