"""A model behind OpenAI's SDK, in whichever of its two APIs it speaks."""

from __future__ import annotations

from typing import Any

from judge.config import ModelSettings
from judge.models.base import Request
from judge.models.client import Answer, Payload
from judge.models.endpoint import Endpoint
from judge.models.learned import Learned
from judge.models.openai_chat import OpenAIChat
from judge.models.openai_options import Options
from judge.models.openai_responses import PATH, responses_answer, responses_payload


class OpenAIModel(OpenAIChat):
    """A model behind Chat Completions or the Responses API; which of them is set, known by name, or learnt."""

    def __init__(self, provider: str, name: str, endpoint: Endpoint, settings: ModelSettings) -> None:
        api = endpoint.api if endpoint.api != "auto" else settings.api
        only = Options(name, official=endpoint.official).responses_only
        learned = Learned(responses=api == "responses" or (api == "auto" and only), settled=api != "auto")
        super().__init__(provider, name, endpoint, settings, learned)

    def _payload(self, request: Request) -> Payload:
        if self._learned.responses:
            return responses_payload(request, self._options, self._learned)
        return super()._payload(request)

    def _read(self, payload: Payload, body: dict[str, Any]) -> Answer:
        return responses_answer(body, self._where) if payload.path == PATH else super()._read(payload, body)
