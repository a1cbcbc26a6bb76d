"""The batch API that belongs to a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from judge.errors import ConfigError
from judge.models.batch.client import BatchClient
from judge.models.client import SdkModel
from judge.schemas import Usage

if TYPE_CHECKING:
    from judge.models.base import Model


def open_client(
    model: Model, price: Callable[[Usage], float | None]
) -> tuple[BatchClient, Callable[[Usage], float | None]]:
    """The batch API of a model, with what a usage costs there.

    Raises:
        ConfigError: It has none.
    """
    from judge.models.anthropic_messages import AnthropicMessages
    from judge.models.scripted import ScriptedModel

    if isinstance(model, ScriptedModel):
        from judge.models.batch.scripted import ScriptedBatch

        return ScriptedBatch(model), price
    if isinstance(model, AnthropicMessages):
        from judge.models.batch.anthropic import AnthropicBatch

        return AnthropicBatch(model), model.price.of_batch
    if isinstance(model, SdkModel):
        from judge.models.batch.openai import OpenAIBatch

        return OpenAIBatch(model), model.price.of_batch
    raise ConfigError(f"{model.id} has no batch API", where="--batch", hint="openai: and anthropic: models have one")
