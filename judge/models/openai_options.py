"""What both of OpenAI's APIs decide alike about a model: whether it reasons, and what goes with that."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from judge.models.base import Request

_REASONING = re.compile(r"(?:^|/)(?:o\d|gpt-(?:[5-9]|\d\d)|codex)", re.IGNORECASE)
_BLIND = re.compile(r"^(?:gpt-3\.5|gpt-4(?:-0\d{3})?(?:-32k.*)?$|o1-mini|o1-preview|o3-mini)", re.IGNORECASE)
# These answer nothing but the Responses API.
_RESPONSES = re.compile(r"^(?:o\d+-pro|gpt-\d[\d.]*-(?:pro|codex)|codex|computer-use|.*deep-research)", re.IGNORECASE)
# Thinking counts against the bound on the answer, so models that think get room for it.
_ROOM = {"": 16_384, "minimal": 4_096, "low": 8_192, "medium": 16_384, "high": 32_768}


@dataclass(frozen=True, slots=True)
class Options:
    """How requests to one model are worded.

    Attributes:
        model: Its name at the server.
        effort: How hard it thinks; empty for its default.
        official: Whether the server is OpenAI's own.
    """

    model: str
    effort: str = ""
    official: bool = False

    @property
    def reasons(self) -> bool:
        """Whether it is known to think before it answers; such models take no temperature."""
        return bool(_REASONING.search(self.model))

    @property
    def room(self) -> int:
        """Tokens for thinking on top of the answer."""
        return _ROOM[self.effort] if self.reasons or self.effort else 0

    @property
    def sees(self) -> bool:
        """Whether it takes images, as far as names tell."""
        return self.official and not _BLIND.match(self.model)

    @property
    def responses_only(self) -> bool:
        """Whether it is known to answer the Responses API alone."""
        return self.official and bool(_RESPONSES.match(self.model))

    def prefix_key(self, request: Request) -> str:
        """Names the shared part of a prompt, so that requests which share it meet the same cache; empty for none."""
        marked = [index for index, message in enumerate(request.messages) if message.cache]
        if not self.official or not marked:
            return ""
        digest = hashlib.sha256()
        for message in request.messages[: marked[-1] + 1]:
            digest.update(message.text.encode("utf-8", "surrogatepass") + b"\0")
        return digest.hexdigest()[:32]
