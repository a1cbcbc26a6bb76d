"""One parser per setting; each raises ValueError with what it expects."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

MODULES = ("graph", "locate", "read", "search", "retrieve", "memory", "planning", "ask")
"""The modules that gather evidence, in the order they work."""
DEFAULT_MODULES = ("graph", "locate", "read", "retrieve", "ask")
"""Those in use when nothing is said; the others lowered alignment in the published ablation."""
SEARCH_METHODS = ("bm25", "embeddings", "fuzzy")
"""How texts are ranked against a criterion."""
PARTS = ("beginning", "middle", "end")
"""What of a whole can be given up first."""
APIS = ("auto", "chat", "responses")
"""Which of OpenAI's two APIs is spoken."""
EFFORTS = ("minimal", "low", "medium", "high")
"""How hard a reasoning model thinks."""
TIES = ("error", "unsatisfied")
"""What a panel that splits in halves decides; never that a requirement is met."""
STRICTNESS = ("literal", "intent")
"""How a criterion is read: to the letter, or by what its author plainly meant."""
_NEXT_MODEL = re.compile(r"[,\s]+(?=[a-z][a-z0-9_-]*:)")
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*\Z")


def parse_url(value: Any) -> str:
    """An HTTP address without its trailing slash."""
    wrong = "an http:// or https:// address"
    if not isinstance(value, str):
        raise ValueError(wrong)
    try:
        parts = urlsplit(value.strip())
        parts.port  # noqa: B018 - reading it checks it
    except ValueError as error:
        raise ValueError(wrong) from error
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError(wrong)
    return value.strip().rstrip("/")


def _parse_text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("text")
    return value.strip()


def _parse_variable(value: Any) -> str:
    # The value may be a key pasted by mistake, so it is not repeated in the message.
    if not isinstance(value, str) or not _VARIABLE.match(value):
        raise ValueError("the name of an environment variable in capitals, not a key")
    return value


def _parse_bool(value: Any) -> bool:
    words = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    if isinstance(value, str) and value.strip().lower() in words:
        return words[value.strip().lower()]
    if isinstance(value, bool):
        return value
    raise ValueError("true or false")


def _parse_list(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        value = [part.strip() for part in value.split(",") if part.strip()]
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
        raise ValueError("a list of texts")
    return tuple(value)


def _parse_path(value: Any) -> Path:
    if isinstance(value, Path) or (isinstance(value, str) and value.strip() and "\0" not in value):
        return Path(value).expanduser()
    raise ValueError("a path")


def _number(least: float, whole: bool, above: bool = False) -> Callable[[Any], Any]:
    kind = "a whole number" if whole else "a number"
    wrong = f"{kind} {'above' if above else 'of at least'} {least:g}"

    def parse(value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, (int, float, str)):
            raise ValueError(wrong)
        try:
            number = int(value) if whole and not isinstance(value, float) else float(value)
        except (ValueError, OverflowError) as error:
            raise ValueError(wrong) from error
        if not math.isfinite(number) or number < least or (above and number == least) or (whole and number % 1):
            raise ValueError(wrong)
        return int(number) if whole else number

    return parse


def _choice(*names: str) -> Callable[[Any], str]:
    def parse(value: Any) -> str:
        if value not in names:
            raise ValueError("one of " + ", ".join(filter(None, names)))
        return str(value)

    return parse


def _parse_judge(value: Any) -> str:
    if value == "majority":
        raise ValueError("agent, llm or rules; a majority is made of finished runs: judge majority RUN RUN RUN")
    return _choice("agent", "llm", "rules")(value)


def _parse_models(value: Any) -> tuple[str, ...]:
    """One model or a panel; in one text several are separated by commas before the next provider's name."""
    items = _NEXT_MODEL.split(value) if isinstance(value, str) else value
    if not isinstance(items, (list, tuple)) or not all(isinstance(item, str) for item in items):
        raise ValueError("the name of a model, or a list of names")
    names = tuple(item.strip() for item in items if item.strip())
    if len(set(names)) < len(names):
        raise ValueError("each model once; --votes asks the same model several times")
    return names


def _parse_votes(value: Any) -> int:
    wrong = "an odd number of at least 1, so that votes cannot tie"
    try:
        number = int(_number(1, whole=True)(value))
    except ValueError as error:
        raise ValueError(wrong) from error
    if number % 2 == 0:
        raise ValueError(wrong)
    return number


def _parse_modules(value: Any) -> tuple[str, ...]:
    names = _parse_list(value)
    for name in names:
        if name not in MODULES:
            raise ValueError("names among " + ", ".join(MODULES) + f"; {name!r} is none")
    return names


PARSERS: dict[str, Callable[[Any], Any]] = {
    "model": _parse_models,
    "judge": _parse_judge,
    "setting": _choice("black-box", "gray-box"),
    "modules": _parse_modules,
    "search": _choice(*SEARCH_METHODS),
    "embeddings": _parse_text,
    "drop_steps": _choice(*PARTS),
    "cut_steps": _choice(*PARTS),
    "redact": _parse_bool,
    "base_url": parse_url,
    "concurrency": _number(1, whole=True),
    "max_retries": _number(0, whole=True),
    "timeout": _number(0, whole=False, above=True),
    "deadline": _number(0, whole=False, above=True),
    "run_deadline": _number(0, whole=False, above=True),
    "requests_per_minute": _number(1, whole=True),
    "tokens_per_minute": _number(1, whole=True),
    "api": _choice(*APIS),
    "effort": _choice("", *EFFORTS),
    "votes": _parse_votes,
    "tie": _choice(*TIES),
    "strictness": _choice(*STRICTNESS),
    "cache": _parse_bool,
    "cache_dir": _parse_path,
    "batch": _parse_bool,
    "prices": _parse_path,
    "max_cost": _number(0, whole=False),
    "max_tokens": _number(0, whole=True),
    "max_output_tokens": _number(1, whole=True),
    "context_tokens": _number(0, whole=True),
    "gate": _parse_bool,
    "ignore": _parse_list,
    "out": _parse_path,
}
SERVER_PARSERS: dict[str, Callable[[Any], Any]] = {
    "base_url": parse_url,
    "api_key_env": _parse_variable,
    "images": _parse_bool,
    "api": _choice(*APIS),
    "context_tokens": _number(0, whole=True),
}
