"""Models that are looked at and never asked: for prices, context windows and what their servers do. Needs no key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from judge.config import ModelSettings, Secret
from judge.errors import ConfigError

if TYPE_CHECKING:
    from judge.models import OpenModel

_KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY")


def models_to_price(specs: Sequence[str], settings: ModelSettings, *, batch: bool = False) -> tuple[OpenModel, ...]:
    """Models that are never asked: for their prices and context windows.

    Args:
        specs: The models.
        settings: For the servers.
        batch: Whether calls would be batched, which costs less.

    Raises:
        ConfigError: There is no such provider or server, or it takes no batches.
    """
    from judge.models import open_panel
    from judge.models.batch import BatchPlan

    unlimited = replace(settings, max_cost=None, max_tokens=None, cache_dir=None)
    plan = BatchPlan(Path("batches")) if batch else None  # nothing is put into it, so nothing is written
    try:
        return open_panel(specs, unlimited, batch=plan)
    except ConfigError:
        return open_panel(specs, _with_keys(unlimited), batch=plan)


def keeps_prompts(spec: str, settings: ModelSettings) -> bool:
    """Whether a model's server is known to keep the beginnings of prompts: those of OpenAI and Anthropic do.

    Args:
        spec: The model; empty for none.
        settings: For the servers.
    """
    from judge.models import endpoint_of

    if not spec:
        return False
    try:
        endpoint = endpoint_of(spec, _with_keys(settings))
    except ConfigError:
        return False
    return endpoint is not None and endpoint.official


def _with_keys(settings: ModelSettings) -> ModelSettings:
    return replace(settings, keys={**dict.fromkeys(_KEYS, Secret("none")), **settings.keys})
