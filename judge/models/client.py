"""What the clients of both SDKs share: one client per event loop, learning from refusals, errors as faults."""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from judge.config import ModelSettings
from judge.models.base import Finish, Reply, Request
from judge.models.body import counted_usage, parse_body
from judge.models.bounded import BodyTooLong, bound_body
from judge.models.endpoint import Endpoint
from judge.models.faults import Fault, Unreachable, from_status, masked, nobody_there, scrub
from judge.models.learned import Format, Learned
from judge.models.prices import Price
from judge.models.shape import image_count, prompt_text
from judge.models.words import one_line
from judge.schemas import Usage

# Refusals that one call may learn from: format twice, the limit's name, temperature, images, and one to spare.
_LESSONS = 6


@dataclass(frozen=True, slots=True)
class Payload:
    """A request as the server gets it.

    Attributes:
        arguments: Keyword arguments of the SDK's ``create``.
        optional: Names of the parameters that may be dropped when the server refuses them.
        form: How a structured answer is asked for; None for free text.
    """

    arguments: dict[str, Any]
    optional: frozenset[str]
    form: Format | None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a body says: the text, why it ended, and the usage it reports."""

    text: str
    finish: Finish
    usage: Usage | None
    model: str


class SdkModel(ABC):
    """A model behind an official SDK; subclasses know one wire format."""

    def __init__(self, provider: str, name: str, endpoint: Endpoint, settings: ModelSettings, learned: Learned) -> None:
        self._provider = provider
        self._name = name
        self._endpoint = endpoint
        self._settings = settings
        self._learned = learned
        self._price = Price(name, endpoint.base_url)
        self._client: Any = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def id(self) -> str:
        """``provider:name``."""
        return f"{self._provider}:{self._name}"

    @property
    def sees_images(self) -> bool:
        """Whether images may be sent, as far as is known."""
        return self._learned.images

    @property
    def context_tokens(self) -> int:
        """Size of the context window, tokens."""
        return self._settings.context_tokens or self._endpoint.context_tokens or self._price.context_tokens()

    @property
    def price(self) -> Price:
        """What the model costs on this server."""
        return self._price

    async def complete(self, request: Request) -> Reply:
        """Asks once; a refused parameter or format is dropped, remembered, and the call made again at once.

        Raises:
            Fault: The server did not answer usably.
        """
        started = time.monotonic()
        for _ in range(_LESSONS):
            before = self._learned.snapshot()
            payload = self._payload(request)
            try:
                answer = self._read(await self._send(payload))
            except Fault as fault:
                learnt = self._learned.learn(fault, payload.optional, payload.form)
                # Another call may have learnt the same lesson while this one was on its way.
                if learnt or (fault.status == 400 and self._learned.snapshot() != before):
                    continue
                raise
            return self._reply(request, payload, answer, time.monotonic() - started)
        raise Fault("the server refuses every form of the request", where=self._where)

    async def close(self) -> None:
        """Closes connections."""
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            await client.close()

    @abstractmethod
    def _payload(self, request: Request) -> Payload: ...

    @abstractmethod
    def _new_client(self) -> Any: ...

    @abstractmethod
    async def _call(self, client: Any, arguments: dict[str, Any]) -> Any: ...

    @abstractmethod
    def _read(self, body: dict[str, Any]) -> Answer: ...

    @property
    def _where(self) -> str:
        return self.id if self._endpoint.official else f"{self.id} at {self._endpoint.shown}"

    @property
    def _key(self) -> str:
        return self._endpoint.key.reveal()

    def _transport(self) -> dict[str, Any]:
        """Arguments of the HTTP client."""
        return {
            "timeout": self._settings.timeout,
            # A redirect would carry prompt and key elsewhere.
            "follow_redirects": False,
            # A proxy has no business between this machine and itself.
            "trust_env": not self._endpoint.local,
            "event_hooks": {"response": [bound_body]},
            # Reading the certificates takes 0.2 s; plain http has none to check.
            "verify": not self._endpoint.base_url.startswith("http://"),
        }

    async def _send(self, payload: Payload) -> dict[str, Any]:
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            # Connections belong to the loop they were opened in.
            self._client, self._loop = self._new_client(), loop
        try:
            response = await self._call(self._client, payload.arguments)
            http = response.http_response
            text, headers = http.text, http.headers
        except asyncio.CancelledError:
            raise
        except Exception as error:  # noqa: BLE001 - a task boundary: whatever an SDK raises becomes a typed fault
            raise self._fault(error) from None
        return parse_body(text, headers.get("content-type", ""), self._where, self._key)

    def _fault(self, error: Exception) -> Fault:
        status = getattr(error, "status_code", None)
        response = getattr(error, "response", None)
        if isinstance(status, int) and response is not None:
            headers: Mapping[str, str] = {name.lower(): value for name, value in response.headers.items()}
            return from_status(status, _text_of(response), headers, self._where, self._key)
        kind = type(error).__name__
        if "Timeout" in kind:
            return Fault("no answer in time", where=self._where, retryable=True)
        nobody = nobody_there(error)
        if nobody:
            question = "is this machine online?" if self._endpoint.official else "is the server running?"
            what = f"cannot connect to {self._endpoint.shown}: {question}"
            return Unreachable(what, where=self.id, hint=nobody, retryable=True)
        cause = error.__cause__ or error
        if isinstance(cause, BodyTooLong):
            return Fault(str(cause), where=self._where)
        words = one_line(scrub(f"{type(cause).__name__}: {cause}", self._key), 160)
        # Connections fail for a while; a mistake in our own call does not mend itself.
        retryable = not isinstance(cause, (TypeError, ValueError, AttributeError, KeyError)) or "Decod" in words
        return Fault(f"connection failed: {words}", where=self._where, retryable=retryable)

    def _reply(self, request: Request, payload: Payload, answer: Answer, seconds: float) -> Reply:
        usage = answer.usage
        if usage is None:
            usage = counted_usage(prompt_text(request), answer.text, self._name, image_count(request))
        else:
            usage = usage.model_copy(update={"cost": self._price.of(usage)})
        return Reply(
            # A server that repeats the key it was sent must not bring it into verdicts and run folders.
            text=masked(answer.text, self._key),
            finish=answer.finish,
            usage=usage.model_copy(update={"seconds": seconds}),
            model=masked(answer.model, self._key) or self._name,
            structured=payload.form is Format.SCHEMA,
        )


def _text_of(response: Any) -> str:
    try:
        return str(response.text)
    except Exception:  # noqa: BLE001 - the body of an error may be cut or of a wrong encoding; the status is enough
        return ""
