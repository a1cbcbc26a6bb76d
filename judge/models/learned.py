"""What a model on a server can do, learnt from its first refusals."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from judge.models.faults import ContextOverflow, Fault

_REFUSING = {400, 404, 405, 415, 422, 500, 501}
_SCHEMA = re.compile(
    r"response_?format|json_?schema|json_?object|json mode|structured.?output|output_config|output_format|"
    r"guided|grammar|schema|tool_choice|tools?\b.{0,40}(not |un)support",
    re.IGNORECASE,
)
# An internal error may name a schema by chance, so it must name the feature.
_BROKEN_SCHEMA = re.compile(r"response_?format|json_?schema|json_?object|output_config|guided|grammar", re.IGNORECASE)
_RESPONSES_ONLY = re.compile(
    r"v1/responses|responses (api|endpoint)|not a chat model|not supported in the v1/chat/completions", re.IGNORECASE
)
_IMAGES = re.compile(r"image|vision|multi-?modal|mmproj", re.IGNORECASE)
_UNSUPPORTED = re.compile(
    r"unsupported|not supported|does not support|doesn't support|unknown|unrecogni[sz]ed|unexpected|not permitted|"
    r"not allowed|extra (inputs|fields)|invalid|deprecated|cannot be used|must be|only the default|no longer",
    re.IGNORECASE,
)
# A request names these with the value it could not have meant otherwise.
_SWAPS = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}


class Format(IntEnum):
    """How a structured answer is asked for, from the strictest way down."""

    SCHEMA = 0
    """The server enforces the JSON schema."""
    JSON = 1
    """The server enforces JSON (OpenAI), or a forced tool call carries the schema (Anthropic)."""
    TEXT = 2
    """Nothing is enforced; the schema is told in the prompt."""


@dataclass(slots=True)
class Learned:
    """What has been learnt about one model on one server.

    Attributes:
        format: The strictest way that was not refused.
        dropped: Optional parameters that were refused.
        images: Whether images may be sent.
        limit_name: Name of the parameter that bounds the answer (Chat Completions).
        responses: Whether OpenAI's Responses API is spoken instead of Chat Completions.
        settled: Whether the user decided which of the two is spoken.
    """

    format: Format = Format.SCHEMA
    dropped: set[str] = field(default_factory=set)
    images: bool = True
    limit_name: str = "max_tokens"
    responses: bool = False
    settled: bool = False

    def snapshot(self) -> tuple[object, ...]:
        """Its state, to see whether another call has learnt something meanwhile."""
        return (self.format, frozenset(self.dropped), self.images, self.limit_name, self.responses)

    def remembered(self) -> dict[str, Any]:
        """Its state as JSON, to be learnt from again in a later run."""
        return {
            "format": int(self.format),
            "dropped": sorted(self.dropped),
            "images": self.images,
            "limit_name": self.limit_name,
            "responses": self.responses,
        }

    def recall(self, known: Mapping[str, Any]) -> None:
        """Takes over what an earlier run learnt; whatever does not fit is left out."""
        form, dropped = known.get("format"), known.get("dropped")
        if isinstance(form, int) and not isinstance(form, bool) and form in set(Format):
            self.format = Format(form)
        if isinstance(dropped, list):
            self.dropped |= {name for name in dropped if isinstance(name, str)}
        if known.get("images") is False:
            self.images = False
        if known.get("limit_name") in _SWAPS:
            self.limit_name = known["limit_name"]
        if known.get("responses") is True and not self.settled:
            self.responses = True

    def learn(self, fault: Fault, sent: frozenset[str], used: Format | None) -> bool:
        """Draws the lesson from a refusal.

        Args:
            fault: What the server said.
            sent: Names of the optional parameters in the refused request, ``images`` among them.
            used: The format in the refused request; None when it asked for free text.

        Returns:
            Whether the same request, built anew, will differ from the refused one for a reason the server gave.
        """
        if fault.status not in _REFUSING or isinstance(fault, ContextOverflow):
            return False
        words = fault.detail
        if "responses" in sent and not self.responses and not self.settled and _RESPONSES_ONLY.search(words):
            self.responses = True
            return True
        for name in sorted(sent, key=len, reverse=True):
            if (
                name not in {"images", "responses"}
                and re.search(rf"(?<![a-z_]){name}(?![a-z_])", words)
                and _UNSUPPORTED.search(words)
            ):
                return self._drop(name)
        named = _BROKEN_SCHEMA if fault.status == 500 else _SCHEMA
        if used is not None and used < Format.TEXT and named.search(words):
            self.format = max(self.format, Format(used + 1))
            return True
        if "effort" in sent and _UNSUPPORTED.search(words) and "output_config" in words:
            # Servers that know nothing of the object do not get as far as naming what is in it.
            return self._drop("effort")
        if "images" in sent and _IMAGES.search(words):
            self.images = False
            return True
        return False

    def _drop(self, name: str) -> bool:
        if name not in _SWAPS:
            self.dropped.add(name)
            return True
        if f"not {name}" in self.dropped:
            return False
        self.dropped.add(f"not {name}")
        self.limit_name = _SWAPS[name]
        return f"not {self.limit_name}" not in self.dropped
