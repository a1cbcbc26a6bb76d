"""Opens a model by its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from judge.config import ModelSettings
from judge.errors import ConfigError
from judge.models.endpoint import Endpoint, named_endpoint, provider_endpoint
from judge.models.ledger import Ledger, LedgerModel
from judge.models.limits import Limiter
from judge.models.opened import OpenModel
from judge.models.retries import RetryingModel, RetryPolicy
from judge.schemas import Usage

if TYPE_CHECKING:
    from judge.models.base import Model
    from judge.models.batch import BatchPlan

_Opened = tuple["Model", Callable[[Usage], float | None]]


def open_model(
    spec: str,
    settings: ModelSettings,
    *,
    ledger: Ledger | None = None,
    limiter: Limiter | None = None,
    note: Callable[[str], None] | None = None,
    batch: BatchPlan | None = None,
) -> OpenModel:
    """Opens a model with a cache of replies, a ledger and a budget, retries, and limits on the calls in flight.

    Args:
        spec: ``openai:NAME``, ``anthropic:NAME``, ``openai-compatible:SERVER/NAME``, ``scripted:FILE``, or ``NAME:…``
            of a plugin.
        settings: Keys, servers and limits.
        ledger: Where calls are booked; a new one with the limits of the settings by default.
        limiter: Places for calls in flight; new ones by default. Share it between models that share a server.
        note: Is told, now and then, that calls failed and are tried again, and what else a user should know.
        batch: Collects the calls for the provider's batch API instead of sending them.

    Raises:
        ConfigError: The provider is unknown, a key is missing, a file of prices is broken, a cost limit cannot be kept
            for want of a price, or the provider has no batch API.
    """
    model, price = _provider(spec, settings)
    if settings.max_cost is not None and price(Usage(calls=1, input_tokens=1_000, output_tokens=1_000)) is None:
        raise ConfigError(
            f"the price of {model.id} is unknown, so --max-cost cannot be kept",
            hint="use --max-tokens instead, or give --prices",
        )
    limiter = limiter or new_limiter(settings)
    watch = getattr(model, "watch", None)
    if callable(watch):
        watch(limiter.observe)
    ledger = ledger or Ledger(settings.max_cost, settings.max_tokens, seconds=settings.run_deadline)
    policy = RetryPolicy(retries=settings.max_retries, timeout=settings.timeout, deadline=settings.deadline)
    direct: Model = RetryingModel(model, policy, note=note, limiter=limiter, ready=getattr(model, "ready", None))
    batched = None
    if batch is not None:
        from judge.models.batch import Batch, BatchModel, open_client

        client, price = open_client(model, price)
        batched = Batch(client, direct, batch, note=note)
        direct = BatchModel(direct, batched)
    booked: Model = LedgerModel(direct, ledger, price, patient=batch is None)
    asked = _cached(booked, model, settings, ledger, note)
    return OpenModel(asked, ledger, price, batched, getattr(model, "load", None))


def open_panel(
    specs: Sequence[str],
    settings: ModelSettings,
    *,
    ledger: Ledger | None = None,
    note: Callable[[str], None] | None = None,
    batch: BatchPlan | None = None,
) -> tuple[OpenModel, ...]:
    """Opens the models of a panel: one ledger for all, one limiter for each server.

    Raises:
        ConfigError: As ``open_model`` does.
    """
    from judge.models.endpoint import endpoint_of

    ledger = ledger or Ledger(settings.max_cost, settings.max_tokens, seconds=settings.run_deadline)
    limiters: dict[str, Limiter] = {}
    models = []
    for spec in specs:
        endpoint = endpoint_of(spec, settings)
        server = endpoint.base_url if endpoint is not None else spec
        limiter = limiters.setdefault(server, new_limiter(settings))
        models.append(open_model(spec, settings, ledger=ledger, limiter=limiter, note=note, batch=batch))
    return tuple(models)


def new_limiter(settings: ModelSettings) -> Limiter:
    """Places for calls in flight at one server, as the settings say."""
    return Limiter(
        settings.concurrency,
        requests_per_minute=settings.requests_per_minute,
        tokens_per_minute=settings.tokens_per_minute,
        longest_hold=min(RetryPolicy().longest_asked, settings.deadline),
    )


def _provider(spec: str, settings: ModelSettings) -> _Opened:
    provider, _, name = spec.partition(":")
    if provider in PROVIDERS:
        if not name.strip():
            raise ConfigError(f"{spec!r} names no model", where="--model", hint=PROVIDERS[provider][1])
        return PROVIDERS[provider][0](name.strip(), settings)
    known = ", ".join(f"{item}:" for item in PROVIDERS)
    if ":" not in spec:
        likely = "anthropic" if spec.lower().startswith("claude") else "openai"
        hint = f"such as {likely}:{spec}; providers: {known}"
        raise ConfigError(f"{spec!r} names no provider", where="--model", hint=hint)
    from judge.models.plugins import list_plugins, open_plugin

    opened = open_plugin(provider, name.strip(), settings) if provider else None
    if opened is None:
        known = ", ".join([known, *(f"{item.name}:" for item in list_plugins())])
        raise ConfigError(f"unknown provider in {spec!r}", where="--model", hint=f"providers: {known}")
    return opened


def _cached(
    inner: Model, model: Model, settings: ModelSettings, ledger: Ledger, note: Callable[[str], None] | None
) -> Model:
    from judge.models.scripted import ScriptedModel

    # A script is no server: its replies come in turn, and asking it again is free.
    if settings.cache_dir is None or isinstance(model, ScriptedModel):
        return inner
    from judge.models.cache import CachedModel, ReplyStore

    server, manner = (str(getattr(model, name, "")) for name in ("server", "manner"))
    return CachedModel(
        inner,
        ReplyStore(settings.cache_dir),
        server=server,
        manner=manner,
        book=lambda purpose, name, usage: ledger.add(purpose, name, usage, 0.0),
        warn=note,
    )


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
    from judge.models.openai_model import OpenAIModel

    model = OpenAIModel(provider, name, endpoint, settings)
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
