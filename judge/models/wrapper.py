"""What the decorators around a model have in common: they pass on what they do not change."""

from __future__ import annotations

from judge.models.base import Model


class ModelWrapper:
    """Shows the wrapped model's properties as its own; ``complete`` is left to the decorator."""

    def __init__(self, inner: Model) -> None:
        self._inner = inner

    @property
    def id(self) -> str:
        """``provider:name``."""
        return self._inner.id

    @property
    def sees_images(self) -> bool:
        """Whether images may be sent."""
        return self._inner.sees_images

    @property
    def context_tokens(self) -> int:
        """Size of the context window, tokens."""
        return self._inner.context_tokens

    async def close(self) -> None:
        """Closes connections."""
        await self._inner.close()
