"""Values of records that may be of any type, read without surprise: texts, numbers, times, usage, tool arguments."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from judge.schemas import StepUsage
from judge.trajectories.report import Report

_INPUT = ("input_tokens", "prompt_tokens", "prompt", "input", "promptTokenCount", "tokensIn", "input_token_count")
_OUTPUT = ("output_tokens", "completion_tokens", "output", "completion", "candidatesTokenCount", "tokensOut")
_BESIDE = ("cache_creation_input_tokens", "cache_read_input_tokens")
"""Anthropic counts cached input beside the input; others count it inside."""
_TEXTS = ("text", "content", "output", "thinking", "reasoning", "summary", "refusal", "input_text", "output_text")
_BINARY = (
    "image",
    "image_url",
    "input_image",
    "input_audio",
    "audio",
    "video",
    "document",
    "file",
    "input_file",
    "media",
)


def mapping(value: object) -> Mapping[str, Any]:
    """The value when it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def sequence(value: object) -> Sequence[Any]:
    """The value when it is a list, else an empty one."""
    return value if isinstance(value, list) else ()


def string(value: object) -> str:
    """The value when it is a text, else an empty one."""
    return value if isinstance(value, str) else ""


def number_of(value: object) -> float | None:
    """A finite number that is not negative, also when it is written as a text; else None."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value) if math.isfinite(value) and value >= 0 else None
    except OverflowError:
        return None


def count_of(value: object) -> int | None:
    """A number of tokens: whole and not negative, else None."""
    number = number_of(value)
    return int(number) if number is not None and number < 2**53 else None


def time_of(value: object) -> float | None:
    """Seconds since 1970 of an ISO 8601 text or of a number of seconds, milli-, micro- or nanoseconds; else None."""
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value.strip())
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
        except (ValueError, OverflowError):
            pass
    number = number_of(value)
    if number is None:
        return None
    for limit, unit in ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3)):
        if number >= limit:
            return number / unit
    return number


def usage_of(value: object, *, model: object = None, cost: object = None) -> StepUsage:
    """Tokens and cost under any usual key; what is not there is None. Cached input is part of the input.

    Args:
        value: An object such as ``{"input_tokens": 5, "cache_read_input_tokens": 100, "output_tokens": 2}``.
        model: The model's name, when known.
        cost: US dollars, when the file gives them elsewhere.
    """
    raw = mapping(value)
    fed = next((found for key in _INPUT if (found := count_of(raw.get(key))) is not None), None)
    beside = [found for key in _BESIDE if (found := count_of(raw.get(key))) is not None]
    if beside:
        fed = (fed or 0) + sum(beside)
    made = next((found for key in _OUTPUT if (found := count_of(raw.get(key))) is not None), None)
    price = number_of(cost)
    if price is None:
        price = next(
            (p for key in ("cost", "total_cost", "cost_usd", "costUSD") if (p := number_of(raw.get(key))) is not None),
            None,
        )
    return StepUsage(
        input_tokens=fed, output_tokens=made, model=model if isinstance(model, str) and model else None, cost=price
    )


def add_usage(first: StepUsage, second: StepUsage) -> StepUsage:
    """The sum; what is unknown in one counts as what is known in the other."""

    def plus(a: Any, b: Any) -> Any:
        return b if a is None else a if b is None else a + b

    return StepUsage(
        input_tokens=plus(first.input_tokens, second.input_tokens),
        output_tokens=plus(first.output_tokens, second.output_tokens),
        cost=plus(first.cost, second.cost),
        model=second.model or first.model,
        llm_inference_time=plus(first.llm_inference_time, second.llm_inference_time),
        step_execution_time=plus(first.step_execution_time, second.step_execution_time),
    )


def take_usage(total: StepUsage, before: StepUsage) -> StepUsage:
    """What was spent between two running totals; where the total started over, the total itself."""

    def minus(a: Any, b: Any) -> Any:
        return a if a is None or b is None or b > a else a - b

    return StepUsage(
        input_tokens=minus(total.input_tokens, before.input_tokens),
        output_tokens=minus(total.output_tokens, before.output_tokens),
        cost=minus(total.cost, before.cost),
        model=total.model or before.model,
    )


def text_of(value: object, report: Report, depth: int = 0) -> str:
    """Any content as text: a text itself, content blocks joined by line ends, pictures as ``[image/png, 100 bytes]``.

    Args:
        value: Text, a list of blocks, one block, or any JSON value (which is then shown as JSON).
        report: Counts the pictures.
        depth: How deep in other blocks it stands.
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        if depth < 8 and all(isinstance(item, str | dict) for item in value):
            return "\n".join(part for item in value if (part := text_of(item, report, depth + 1)))
        return as_json(value)
    if isinstance(value, dict) and depth < 8:
        return _block(value, report, depth)
    return as_json(value)


def _block(block: Mapping[str, Any], report: Report, depth: int) -> str:
    kind = block.get("type")
    picture = binary_marker(block)
    if picture:
        report.images += 1
        return picture
    if kind in ("tool_use", "tool_call", "function_call", "tool_result"):
        return as_json(block)
    for key in _TEXTS:
        inner = block.get(key)
        if isinstance(inner, dict) and isinstance(inner.get("value"), str):
            # A text with its annotations.
            return str(inner["value"])
        if isinstance(inner, str) or (isinstance(inner, list | dict) and (kind is not None or len(block) == 1)):
            return text_of(inner, report, depth + 1)
    shown = {key: item for key, item in block.items() if not str(key).startswith("encrypted_")}
    return as_json(shown) if shown else ""


def binary_marker(block: Mapping[str, Any]) -> str:
    """The marker for a block that holds a picture, sound or document; empty when it holds none."""
    kind = string(block.get("type"))
    inline = mapping(block.get("inlineData") or block.get("inline_data"))
    if kind not in _BINARY and not inline and not (kind == "blob" or "base64" in block):
        return ""
    places = [inline, mapping(block.get("source")), mapping(block.get("image_url")), mapping(block.get(kind)), block]
    media = next(
        (string(p.get(k)) for p in places for k in ("media_type", "mime_type", "mimeType", "format") if p.get(k)), ""
    )
    for place in places:
        for key in ("data", "url", "base64", "image", "image_url", "file_data"):
            text = place.get(key)
            if isinstance(text, str) and text:
                return _marker(text, media or kind or "binary")
    return f"[{media or kind or 'binary'}]" if kind in ("image", "image_url", "input_image", "audio", "video") else ""


def _marker(text: str, media: str) -> str:
    if text.startswith("data:"):
        header, _, data = text.partition(",")
        media = header[5:].split(";")[0] or media
        return f"[{media}, {len(data.rstrip('=')) * 3 // 4} bytes]"
    if text.startswith(("http://", "https://", "file:", "attachment:", "/")) or len(text) < 200:
        return f"[{media}: {text[:200]}]"
    return f"[{media}, {len(text.rstrip('=')) * 3 // 4} bytes]"


def as_json(value: object, indent: int | None = None) -> str:
    """A value as JSON text that can be written anywhere; what cannot be shown is said."""
    try:
        return json.dumps(value, ensure_ascii=False, indent=indent, default=str)
    except (RecursionError, ValueError, TypeError):
        return "[unreadable value]"


def parsed(value: object) -> Any:
    """The JSON value in a text, such as the arguments of a call; the text itself when it is none."""
    if not isinstance(value, str) or not value.lstrip().startswith(("{", "[", '"')):
        return value
    try:
        return json.loads(value, strict=False, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return value
