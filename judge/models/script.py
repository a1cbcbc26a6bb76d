"""The file format of scripted models: replies in order, or by what the prompt holds."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judge.bounded import read_whole
from judge.errors import ConfigError

_TOP = frozenset({"replies", "rules", "default", "latency", "log", "images", "context_tokens", "repeat"})
_REPLY = frozenset(
    {
        "text",
        "json",
        "verdict",
        "reason",
        "citations",
        "confidence",
        "finish",
        "usage",
        "latency",
        "times",
        "structured",
    }
    | {"status", "message", "retry_after", "error", "retryable"}
)


@dataclass(frozen=True, slots=True)
class Rule:
    """Replies for prompts that hold all of some texts; none for any prompt.

    Attributes:
        when: Texts that must all be in the prompt, case-exact.
        replies: Given in turn; the last one is repeated.
        purpose: Only for calls of this purpose; empty for all.
    """

    when: tuple[str, ...]
    replies: tuple[Mapping[str, Any], ...]
    purpose: str = ""

    def matches(self, prompt: str, purpose: str) -> bool:
        """Whether it answers this prompt."""
        return (not self.purpose or self.purpose == purpose) and all(text in prompt for text in self.when)


@dataclass(frozen=True, slots=True)
class Script:
    """A parsed script.

    Attributes:
        rules: Tried in order; the first that matches answers.
        replies: For prompts that no rule answers, in order of the calls; each used once.
        default: For prompts after that; None to fail.
        latency: Seconds before each reply.
        log: File to which each call is appended as one JSON line; None for none.
        images: Whether the model claims to see images.
        context_tokens: Context window, tokens.
    """

    rules: tuple[Rule, ...] = ()
    replies: tuple[Mapping[str, Any], ...] = ()
    default: Mapping[str, Any] | None = None
    latency: float = 0.0
    log: Path | None = None
    images: bool = False
    context_tokens: int = 128_000


def load_script(path: Path) -> Script:
    """Reads a script.

    The file is JSON or JSON lines: a list of replies in order; or an object from text in the prompt to reply; or an
    object with ``rules`` (each ``{"when": TEXT or [TEXT...], "purpose": NAME, "reply": REPLY or [REPLY...]}``),
    ``replies``, ``default``, ``latency``, ``log``, ``images`` and ``context_tokens``.
    A reply is a text, or an object with one of ``text``, ``json``, ``verdict`` (with ``reason``, ``citations``,
    ``confidence``), ``status`` (with ``message``, ``retry_after``) or ``error`` (``timeout``, ``connection``), and
    optionally ``finish``, ``usage``, ``latency``, ``structured``, ``times`` (how often it is given in turn).

    Raises:
        ConfigError: The file cannot be read or is no script.
    """
    try:
        text = read_whole(path).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read the script of the model: {error}", where=str(path)) from error
    try:
        return _script(_values(text), path)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise ConfigError(f"is no script of a model: {error}", where=str(path)) from error


def _values(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2:
            raise
        return [json.loads(line) for line in lines]


def _script(value: Any, path: Path) -> Script:
    if isinstance(value, list):
        rules = tuple(_rule(item) for item in value if isinstance(item, dict) and "when" in item)
        rest = [item for item in value if not (isinstance(item, dict) and "when" in item)]
        return Script(rules, _replies(rest))
    if not isinstance(value, dict):
        raise ValueError("it must be a list or an object")
    if not set(value) & (_TOP - {"default", "latency", "log"}):
        mapping = {key: item for key, item in value.items() if key not in _TOP}
        rules = tuple(Rule((key,), _replies(item)) for key, item in mapping.items())
    elif unknown := set(value) - _TOP:
        raise ValueError(f"unknown keys {sorted(unknown)}")
    else:
        rules = tuple(_rule(item) for item in value.get("rules", ()))
    log = value.get("log")
    return Script(
        rules=rules,
        replies=_replies(value.get("replies", [])),
        default=_replies(value["default"])[0] if value.get("default") is not None else None,
        latency=float(value.get("latency", 0.0)),
        log=path.parent / log if log else None,
        images=bool(value.get("images", False)),
        context_tokens=int(value.get("context_tokens", 128_000)),
    )


def _rule(item: Any) -> Rule:
    if not isinstance(item, dict):
        raise ValueError("a rule must be an object")
    when = item.get("when", ())
    body = item["reply"] if "reply" in item else {k: v for k, v in item.items() if k not in {"when", "purpose"}}
    return Rule((when,) if isinstance(when, str) else tuple(when), _replies(body), str(item.get("purpose", "")))


def _replies(value: Any) -> tuple[Mapping[str, Any], ...]:
    items: Sequence[Any] = value if isinstance(value, list) else [value]
    replies: list[Mapping[str, Any]] = []
    for item in items:
        reply = {"text": item} if isinstance(item, str) else item
        if not isinstance(reply, dict) or not reply:
            raise ValueError("a reply must be a text or an object")
        if unknown := set(reply) - _REPLY:
            raise ValueError(f"unknown keys in a reply: {sorted(unknown)}")
        replies += [reply] * int(reply.get("times", 1))
    return tuple(replies)
