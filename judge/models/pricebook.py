"""Prices of one's own, from a TOML file: for servers nobody publishes prices of, or contracts that differ.

Each table names models by a pattern and gives US dollars per million tokens::

    ["openai:gpt-5*"]
    input = 1.25
    cached = 0.125        # read from the provider's prompt cache; the price of input when absent
    cache_write = 1.25    # written to it; the price of input when absent
    output = 10.0
    batch = 0.5           # what a batch costs of that; 0.5 when absent
"""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from judge.bounded import read_whole
from judge.errors import ConfigError
from judge.schemas import Usage

_KEYS = ("input", "cached", "cache_write", "output", "batch")
_NEEDED = ("input", "output")
_BATCH = 0.5
_MILLION = 1_000_000
_LARGEST = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Rates:
    """Prices of one model, US dollars per million tokens; ``batch`` is the share of them that a batch costs."""

    input: float
    cached: float
    cache_write: float
    output: float
    batch: float = _BATCH

    def of(self, usage: Usage) -> float:
        """US dollars for a usage."""
        total = usage.input_tokens * self.input + usage.cache_read_tokens * self.cached
        total += usage.cache_write_tokens * self.cache_write + usage.output_tokens * self.output
        return total / _MILLION


def load_rates(path: Path, spec: str) -> Rates | None:
    """The prices that a file gives for a model; None when no pattern fits.

    Args:
        path: The file; every table of it is checked.
        spec: ``provider:name``. The first pattern that fits it, or the name alone, counts.

    Raises:
        ConfigError: The file cannot be read or is no file of prices.
    """
    where = str(path)
    try:
        tables = tomllib.loads(read_whole(path, _LARGEST).decode("utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"the prices cannot be read: {error.strerror}", where=where) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"is not valid TOML: {error}", where=where) from error
    found = None
    for pattern, table in tables.items():
        rates = _rates(table, f"{where}: {pattern}")
        if found is None and (fnmatchcase(spec, pattern) or fnmatchcase(spec.partition(":")[2], pattern)):
            found = rates
    return found


def _rates(table: Any, where: str) -> Rates:
    if not isinstance(table, dict):
        raise ConfigError("expects a table for each model", where=where, hint='["openai:NAME"] with input and output')
    for key, value in table.items():
        if key not in _KEYS:
            raise ConfigError(f"unknown key {key!r}", where=where, hint="known keys: " + ", ".join(_KEYS))
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number or not math.isfinite(value) or value < 0:
            raise ConfigError(f"{key} expects a number of at least 0", where=where)
    numbers = {key: float(value) for key, value in table.items()}
    for key in _NEEDED:
        if key not in table:
            raise ConfigError(f"has no price of {key}", where=where, hint="US dollars per million tokens")
    return Rates(
        input=numbers["input"],
        cached=numbers.get("cached", numbers["input"]),
        cache_write=numbers.get("cache_write", numbers["input"]),
        output=numbers["output"],
        batch=numbers.get("batch", _BATCH),
    )
