"""What a row of numbers is like: range, mean, gaps, one repeated value, drawn at random. A sample needs no numpy."""

from __future__ import annotations

import array
import itertools
import math
import struct
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

SAMPLE = 200_000
"""Values that are measured at most."""
_FEW = 20
_CODES = {
    "b1": "b", "i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q", "f4": "f",
    "f8": "d", "c8": "f", "c16": "d",
}  # fmt: skip
_DRAWS = 4_000
_LEAST_DRAWS = 200


def values_of(data: bytes, kind: str, order: str = "<") -> Sequence[float] | None:
    """The numbers in raw bytes.

    Args:
        data: The bytes; an unfinished value at their end is left out.
        kind: A kind and a size in bytes as numpy writes them, such as ``f4`` or ``i8``; ``bf2`` for bfloat16. Complex
            numbers (``c8``) give their parts.
        order: ``>`` for values with the highest byte first.

    Returns:
        The numbers; None for a kind that is not known.
    """
    if kind == "f2":
        usable = len(data) // 2 * 2
        return [value for (value,) in struct.iter_unpack(f"{'>' if order == '>' else '<'}e", data[:usable])]
    if kind == "bf2":
        halves = values_of(data, "u2", order)
        wide = array.array("I", [int(half) << 16 for half in halves or ()])
        out = array.array("f")
        out.frombytes(wide.tobytes())
        return out
    code = _CODES.get(kind)
    if code is None:
        return None
    numbers = array.array(code)
    numbers.frombytes(data[: len(data) // numbers.itemsize * numbers.itemsize])
    if numbers.itemsize > 1 and (order == ">") != (sys.byteorder == "big"):
        numbers.byteswap()
    return numbers


def measure(values: Sequence[float]) -> dict[str, Any]:
    """Facts on numbers.

    Returns:
        ``sampled`` (how many), ``finite_share``, ``nan``, ``inf``, ``min``, ``max``, ``mean``, ``std``, ``zeros``
        (their share), ``all_zero``, ``all_constant``, ``value_counts`` where they are a few whole numbers, ``like``
        (what they look drawn from at random); each where it can be told.
    """
    if not len(values):
        return {}
    count = len(values)
    finite = [value for value in values if math.isfinite(value)]
    facts: dict[str, Any] = {"sampled": count, "finite_share": round(len(finite) / count, 6)}
    if len(finite) < count:
        nan = sum(1 for value in values if value != value)
        facts.update({name: number for name, number in (("nan", nan), ("inf", count - len(finite) - nan)) if number})
    if not finite:
        return facts
    low, high = min(finite), max(finite)
    scale = max(abs(low), abs(high)) or 1.0
    mean = math.fsum(value / scale for value in finite) / len(finite) * scale
    spread = math.sqrt(math.fsum(((value - mean) / scale) ** 2 for value in finite) / len(finite)) * scale
    zeros = sum(1 for value in finite if value == 0)
    facts.update(
        min=low,
        max=high,
        mean=mean,
        std=spread,
        zeros=round(zeros / count, 6),
        all_zero=zeros == count,
        all_constant=count > 1 and len(finite) == count and low == high,
    )
    counts = _few(finite) if high - low <= 1000 and len(finite) == count else {}
    if counts:
        facts["value_counts"] = counts
    elif like := _drawn_from(finite[:_DRAWS], low, high):
        facts["like"] = like
    return facts


def remarks(facts: dict[str, Any], what: str = "") -> list[str]:
    """What is odd about measured numbers, one clause each, for problems of a document."""
    said = []
    if facts.get("all_zero") and facts.get("sampled", 0) > 1:
        said.append(f"{what}all values that were looked at are zero")
    elif facts.get("all_constant"):
        said.append(f"{what}all values that were looked at are the same")
    if facts.get("finite_share", 1.0) == 0:
        said.append(f"{what}no value that was looked at is finite")
    elif facts.get("finite_share", 1.0) < 1.0:
        said.append(f"{what}values that are not finite")
    return said


def _few(values: Sequence[float]) -> dict[str, int]:
    """How often each value comes, when they are a few whole numbers, as classes are."""
    counts: Counter[float] = Counter(values[:1000])
    if len(counts) > _FEW or any(value != int(value) for value in counts):
        return {}
    counts = Counter(values)
    if len(counts) > _FEW or len(values) < 3 * len(counts) or any(value != int(value) for value in counts):
        return {}
    return {str(int(value)): counts[value] for value in sorted(counts)}


def _drawn_from(values: Sequence[float], low: float, high: float) -> str:
    """The textbook distribution that values in this order look drawn from one by one, or an empty string.

    Weights after training and real measurements have other shapes, or neighbours that resemble each other.
    """
    count = len(values)
    if count < _LEAST_DRAWS or low == high:
        return ""
    mean = math.fsum(values) / count
    variance = math.fsum((value - mean) ** 2 for value in values)
    if variance == 0 or not math.isfinite(variance):
        return ""
    lag = math.fsum((a - mean) * (b - mean) for a, b in itertools.pairwise(values)) / variance
    if abs(lag) > 3 / math.sqrt(count):
        return ""
    ordered = sorted(values)
    bound = 1.36 / math.sqrt(count)  # the Kolmogorov-Smirnov statistic exceeds it in one of twenty true cases
    if _distance(ordered, [0.5 * (1 + math.erf(value / math.sqrt(2))) for value in ordered]) < bound:
        return "independent draws from the standard normal distribution"
    if low >= 0 and high <= 1 and _distance(ordered, ordered) < bound:
        return "independent draws from the uniform distribution on 0 to 1"
    return ""


def _distance(ordered: Sequence[float], expected: Sequence[float]) -> float:
    count = len(ordered)
    return max(max((i + 1) / count - share, share - i / count) for i, share in enumerate(expected))
