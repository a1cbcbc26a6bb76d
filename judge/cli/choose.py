"""Which judge and model a command uses, from flags, environment and judge.toml."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from judge.errors import ConfigError

if TYPE_CHECKING:
    from judge.config import Settings
    from judge.engine import Judge, RunOptions
    from judge.models import OpenModel
    from judge.modules.base import Strategies

RULES_LINE = "no model is configured: judging with the offline rules (set --model or JUDGE_MODEL to ask a model)"


def resolve(flags: Mapping[str, Any], config: Path | None) -> Settings:
    """Settings from all sources.

    Raises:
        ConfigError: A value that does not fit, with the place it comes from.
    """
    from judge.config import load_settings

    settings = load_settings(flags, config=config)
    if not settings.base_url or _has_model(settings) or settings.judge == "rules":
        return settings
    source = origin(settings, "base_url")
    if source == "--base-url":
        raise ConfigError("needs a model", where=source, hint="add --model openai:MODEL, MODEL as the server calls it")
    line = f"base_url is set by {source}, but no model is: that server is not asked (set --model or JUDGE_MODEL)"
    return replace(settings, warnings=(*settings.warnings, line))


def origin(settings: Settings, name: str) -> str:
    """Who decided a setting: an option, a variable or a file."""
    source = settings.sources.get(name, "default")
    return f"--{name.replace('_', '-')}" if source == "flag" else source


def model_line(settings: Settings) -> str:
    """Which models are asked, at which servers when these are not the provider's own, and who decided that.

    Raises:
        ConfigError: A server is not known, or its key is not set.
    """
    specs = panel(settings)
    servers = [_server(spec, settings) for spec in specs]
    if len(specs) == 1:
        votes = f", up to {settings.votes} votes" if settings.votes > 1 else ""
        return f"model {specs[0]} (from {origin(settings, 'model')}){servers[0]}{votes}"
    shown = ", ".join(f"{spec}{server}" for spec, server in zip(specs, servers, strict=True))
    votes = f", up to {settings.votes} votes each" if settings.votes > 1 else ""
    return f"models {shown} (from {origin(settings, 'model')}){votes}"


def panel(settings: Settings) -> tuple[str, ...]:
    """The models that are asked, as they were named."""
    return settings.panel or (settings.model,)


def _server(spec: str, settings: Settings) -> str:
    from judge.models import endpoint_of

    endpoint = endpoint_of(spec, settings.models)
    if endpoint is None or endpoint.official:
        return ""
    return f" at {endpoint.shown} (from {_server_origin(spec, settings)})"


def _server_origin(spec: str, settings: Settings) -> str:
    provider = spec.partition(":")[0]
    if provider == "openai-compatible":
        return str(settings.config_path)
    variable = f"{provider.upper()}_BASE_URL"
    return variable if variable in settings.models.provider_urls else origin(settings, "base_url")


def _has_model(settings: Settings) -> bool:
    return bool(settings.model) and settings.model != "rules"


def judge_kind(settings: Settings) -> str:
    """``agent``, ``llm`` or ``rules``.

    Raises:
        ConfigError: A judge that needs a model and has none.
    """
    has_model = _has_model(settings)
    kind = settings.judge or ("agent" if has_model else "rules")
    if kind != "rules" and not has_model:
        raise ConfigError(
            f"the judge {kind!r} needs a model", where="--judge", hint="give --model, or use --judge rules"
        )
    return kind


def strategies_of(settings: Settings) -> Strategies:
    """How evidence is chosen and cut.

    Raises:
        ConfigError: Embeddings are to rank texts, and nothing that makes them is named.
    """
    from judge.modules.base import Strategies

    if settings.search == "embeddings" and not settings.embeddings:
        hint = "give --embeddings folder:PATH, openai:MODEL or openai-compatible:SERVER/MODEL"
        raise ConfigError("embeddings need something that makes them", where=origin(settings, "search"), hint=hint)
    return Strategies(settings.search, settings.embeddings, settings.drop_steps, settings.cut_steps, settings.redact)


def writings_of(settings: Settings) -> Path | None:
    """The folder where what OCR reads is kept from run to run; None with ``--no-cache``, or when there is no home."""
    return settings.cache_home / "writing" if settings.cache and settings.cache_home is not None else None


def open_models(kind: str, settings: Settings, batches: Path | None = None) -> tuple[OpenModel, ...]:
    """The models that a judge asks; none for the rules.

    Args:
        kind: The judge.
        settings: What the user decided.
        batches: Folder where batches are noted, when calls are sent in batches.

    Raises:
        ConfigError: A model cannot be opened: unknown, no key, no batches, …
    """
    if kind == "rules":
        return ()
    from judge.cli.console import say
    from judge.models import open_panel
    from judge.models.batch import BatchPlan
    from judge.models.endpoint import MissingKey

    plan = BatchPlan(batches) if batches is not None else None
    try:
        return open_panel(panel(settings), settings.models, note=lambda text: say(f"judge: {text}"), batch=plan)
    except MissingKey as error:
        hint = "set it, or use --judge rules, which needs no key"
        raise ConfigError(error.what, where=error.where, hint=hint) from error


def make_judge(kind: str, models: Sequence[OpenModel], options: RunOptions, settings: Settings) -> Judge:
    """The judge that asks these models.

    Raises:
        ConfigError: What ranks texts cannot be opened.
    """
    from judge.cli.searching import search_of
    from judge.engine import AgentJudge, LlmJudge, RulesJudge

    if kind == "rules":
        return RulesJudge()
    ledger = models[0].ledger
    if kind == "llm":
        return LlmJudge(models, options, ledger)
    return AgentJudge(models, options, ledger, search=search_of(settings, ledger))


def open_configured(settings: Settings) -> OpenModel:
    """The configured model.

    Raises:
        ConfigError: There is none, or it cannot be opened.
    """
    if not _has_model(settings):
        raise ConfigError("no model is configured", where="--model", hint="give --model SPEC or set JUDGE_MODEL")
    from judge.cli.console import say
    from judge.models import open_model

    return open_model(settings.model, settings.models, note=lambda text: say(f"judge: {text}"))
