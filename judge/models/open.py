"""Opens a model by its name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from judge.config import ModelSettings
from judge.errors import ConfigError
from judge.models.endpoint import Endpoint, named_endpoint, provider_endpoint
from judge.models.ledger import Ledger, LedgerModel
from judge.models.limits import LimitedModel, Limiter
from judge.models.retries import RetryingModel, RetryPolicy
from judge.schemas import Usage

if TYPE_CHECKING:
    from judge.models.base import Model

_Opened = tuple["Model", Callable[[Usage], float | None]]


def open_model(
    spec: str,
    settings: ModelSettings,
    *,
    ledger: Ledger | None = None,
    limiter: Limiter | None = None,
    note: Callable[[str], None] | None = None,
) -> LedgerModel:
    """Opens a model with retries, a bound on calls in flight, a ledger and a budget.

    Args:
        spec: ``openai:NAME``, ``anthropic:NAME``, ``openai-compatible:SERVER/NAME`` or ``scripted:FILE``.
        settings: Keys, servers and limits.
        ledger: Where calls are booked; a new one with the limits of the settings by default.
        limiter: Places for calls in flight; new ones by default. Share it between models that share a server.
        note: Is told, now and then, that calls failed and are tried again.

    Raises:
        ConfigError: The provider is unknown, a key is missing, or a cost limit cannot be kept for want of a price.
    """
    provider, _, name = spec.partition(":")
    if provider not in PROVIDERS:
        known = ", ".join(f"{item}:" for item in PROVIDERS)
        if ":" in spec:
            raise ConfigError(f"unknown provider in {spec!r}", where="--model", hint=f"providers: {known}")
        likely = "anthropic" if spec.lower().startswith("claude") else "openai"
        hint = f"such as {likely}:{spec}; providers: {known}"
        raise ConfigError(f"{spec!r} names no provider", where="--model", hint=hint)
    if not name.strip():
        raise ConfigError(f"{spec!r} names no model", where="--model", hint=PROVIDERS[provider][1])
    model, price = PROVIDERS[provider][0](name.strip(), settings)
    if settings.max_cost is not None and price(Usage(calls=1, input_tokens=1_000, output_tokens=1_000)) is None:
        raise ConfigError(
            f"the price of {model.id} is unknown, so --max-cost cannot be kept", hint="use --max-tokens instead"
        )
    policy = RetryPolicy(retries=settings.max_retries, timeout=settings.timeout, deadline=settings.deadline)
    limited = LimitedModel(RetryingModel(model, policy, note=note), limiter or Limiter(settings.concurrency))
    return LedgerModel(limited, ledger or Ledger(settings.max_cost, settings.max_tokens), price)


def _openai(name: str, settings: ModelSettings) -> _Opened:
    return _chat("openai", name, provider_endpoint("openai", settings), settings)


def _compatible(name: str, settings: ModelSettings) -> _Opened:
    server, _, model = name.partition("/")
    if not model:
        raise ConfigError(
            f"'openai-compatible:{name}' names no model", where="--model", hint=PROVIDERS["openai-compatible"][1]
        )
    return _chat(f"openai-compatible:{server}", model, named_endpoint(server, settings), settings)


def _chat(provider: str, name: str, endpoint: Endpoint, settings: ModelSettings) -> _Opened:
    from judge.models.openai_chat import OpenAIChat

    model = OpenAIChat(provider, name, endpoint, settings)
    return model, model.price.of


def _anthropic(name: str, settings: ModelSettings) -> _Opened:
    from judge.models.anthropic_messages import AnthropicMessages

    model = AnthropicMessages("anthropic", name, provider_endpoint("anthropic", settings), settings)
    return model, model.price.of


def _scripted(name: str, settings: ModelSettings) -> _Opened:
    from judge.models.scripted import ScriptedModel

    return ScriptedModel(Path(name)), lambda usage: usage.cost


# Name -> how to open, and what a full name looks like. A plain table: a provider is one line and one file.
PROVIDERS: dict[str, tuple[Callable[[str, ModelSettings], _Opened], str]] = {
    "openai": (_openai, "openai:MODEL, such as openai:gpt-5-mini"),
    "anthropic": (_anthropic, "anthropic:MODEL, such as anthropic:claude-sonnet-4-5"),
    "openai-compatible": (_compatible, "openai-compatible:SERVER/MODEL, with [servers.SERVER] in judge.toml"),
    "scripted": (_scripted, "scripted:FILE, a JSON file of replies"),
}
