"""What the clients of both SDKs share: one client per event loop, learning from refusals, errors as faults."""

from __future__ import annotations

import asyncio
import json
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

from judge.config import ModelSettings
from judge.models.base import Finish, Reply, Request
from judge.models.body import counted_usage, parse_body
from judge.models.bounded import BodyTooLong, bound_body
from judge.models.endpoint import Endpoint
from judge.models.faults import Fault, TimedOut, Unreachable, from_status, masked, nobody_there, scrub
from judge.models.learned import Format, Learned
from judge.models.memory import Memory
from judge.models.pricebook import load_rates
from judge.models.prices import Price
from judge.models.sdk_import import import_sdk
from judge.models.shape import image_count, prompt_text
from judge.models.words import one_line
from judge.schemas import Usage

# Refusals that one call may learn from: format twice, the limit's name, temperature, images, effort, API, and two more.
_LESSONS = 9


@dataclass(frozen=True, slots=True)
class Payload:
    """A request as the server gets it.

    Attributes:
        arguments: Keyword arguments of the SDK's ``create``.
        optional: Names of the parameters that may be dropped when the server refuses them.
        form: How a structured answer is asked for; None for free text.
        path: Where it goes, such as ``/v1/messages``.
    """

    arguments: dict[str, Any]
    optional: frozenset[str]
    form: Format | None
    path: str = ""

    def split(self, *named: str) -> dict[str, Any]:
        """The arguments as extra parts of the body, which the SDK sends as they are, and in front of its own.

        Walking through messages and a JSON schema to find nothing to change takes it longer than all else in a call.

        Args:
            named: What the SDK's method insists on; of a list it is shown that there is one.
        """
        body = self.body()
        shown = {name: [] if isinstance(body[name], list) else body.pop(name) for name in named}
        return {**shown, "extra_body": body}

    def body(self) -> dict[str, Any]:
        """The JSON object that the SDK sends for it."""
        body = {name: value for name, value in self.arguments.items() if name != "extra_body"}
        body.update(self.arguments.get("extra_body", {}))
        return body


@dataclass(frozen=True, slots=True)
class Answer:
    """What a body says: the text, why it ended, and the usage it reports."""

    text: str
    finish: Finish
    usage: Usage | None
    model: str


class SdkModel(ABC):
    """A model behind an official SDK; subclasses know one wire format."""

    _package: ClassVar[str]
    """The provider's SDK."""

    def __init__(self, provider: str, name: str, endpoint: Endpoint, settings: ModelSettings, learned: Learned) -> None:
        self._provider = provider
        self._name = name
        self._endpoint = endpoint
        self._settings = settings
        self._learned = learned
        self._memory = Memory(settings.memory)
        learned.recall(self._memory.recall(self.id, endpoint.shown))
        rates = load_rates(settings.prices, self.id) if settings.prices is not None else None
        self._price = Price(name, endpoint.base_url, rates)
        self._observe: Callable[[Mapping[str, str]], None] | None = None
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

    @property
    def server(self) -> str:
        """Where it answers, without user, password and query."""
        return self._endpoint.shown

    @property
    def manner(self) -> str:
        """What else decides its answers: the API that is spoken, and how hard it thinks."""
        api = f"responses={self._learned.responses}" if self._learned.settled else ""
        return f"{api} effort={self._settings.effort}"

    def watch(self, observe: Callable[[Mapping[str, str]], None]) -> None:
        """Has the headers of every answer shown to somebody, names in lower case."""
        self._observe = observe

    def load(self) -> None:
        """Imports the SDK, which takes half a second or more; may be called from any thread, before the first call."""
        import_sdk(self._package)

    def ready(self) -> None:
        """Loads the SDK and makes a client for the running loop, which takes a second or two the first time."""
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            # Connections belong to the loop they were opened in.
            self._client, self._loop = self._new_client(), loop

    async def complete(self, request: Request) -> Reply:
        """Asks once; a refused parameter or format is dropped, remembered, and the call made again at once.

        Raises:
            Fault: The server did not answer usably.
        """
        started, lessons = time.monotonic(), 0
        for _ in range(_LESSONS):
            before = self._learned.snapshot()
            payload = self._payload(request)
            try:
                answer = self._read(payload, await self._send(payload))
            except Fault as fault:
                # Another call may have learnt the same lesson while this one was on its way.
                if self.learn(fault, payload) or (fault.status == 400 and self._learned.snapshot() != before):
                    lessons += 1
                    continue
                raise
            if lessons:
                # Only a lesson that led to an answer is worth remembering.
                self._memory.keep(self.id, self.server, self._learned.remembered())
            return self._reply(request, payload, answer, time.monotonic() - started)
        raise Fault("the server refuses every form of the request", where=self._where)

    def prepare(self, request: Request) -> Payload:
        """The request as it would be sent now, for a batch."""
        return self._payload(request)

    def learn(self, fault: Fault, payload: Payload) -> bool:
        """Draws the lesson from a refusal; whether the request, prepared anew, will differ."""
        return self._learned.learn(fault, payload.optional, payload.form)

    def take(self, request: Request, payload: Payload, body: Mapping[str, Any]) -> Reply:
        """The reply that a body out of a batch is, at the price of batches.

        Raises:
            Fault: It is no usable answer.
        """
        reply = self._reply(request, payload, self._read(payload, dict(body)), 0.0)
        if reply.usage.cost is None:
            return reply
        return replace(reply, usage=reply.usage.model_copy(update={"cost": self._price.of_batch(reply.usage)}))

    def refusal(self, status: int, body: Any) -> Fault:
        """The fault that an error out of a batch is."""
        text = json.dumps(body, ensure_ascii=False) if not isinstance(body, str) else body
        return from_status(status, text, {}, self._where, self._key)

    def fault(self, error: Exception) -> Fault:
        """The fault that an error of the SDK is."""
        return self._fault(error)

    def new_client(self, longest: int) -> Any:
        """A client of the official SDK that reads bodies up to so many bytes, for files of batches."""
        return self._new_client(partial(bound_body, longest=longest))

    async def close(self) -> None:
        """Closes connections."""
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            await client.close()

    @abstractmethod
    def _payload(self, request: Request) -> Payload: ...

    @abstractmethod
    def _new_client(self, bound: Callable[[Any], Awaitable[None]] = bound_body) -> Any: ...

    @abstractmethod
    async def _post(self, client: Any, payload: Payload) -> Any:
        """The HTTP response to a request, its body read."""

    @abstractmethod
    def _read(self, payload: Payload, body: dict[str, Any]) -> Answer: ...

    @property
    def _where(self) -> str:
        return self.id if self._endpoint.official else f"{self.id} at {self._endpoint.shown}"

    @property
    def _key(self) -> str:
        return self._endpoint.key.reveal()

    def _transport(self, bound: Callable[[Any], Awaitable[None]]) -> dict[str, Any]:
        """Arguments of the HTTP client."""
        return {
            "timeout": self._settings.timeout,
            # A redirect would carry prompt and key elsewhere.
            "follow_redirects": False,
            # A proxy has no business between this machine and itself.
            "trust_env": not self._endpoint.local,
            "event_hooks": {"response": [bound]},
            # Reading the certificates takes 0.2 s; plain http has none to check.
            "verify": not self._endpoint.base_url.startswith("http://"),
        }

    async def _send(self, payload: Payload) -> dict[str, Any]:
        self.ready()
        try:
            http = await self._post(self._client, payload)
            text, headers = http.text, self._seen(http.headers)
        except asyncio.CancelledError:
            raise
        except Exception as error:  # noqa: BLE001 - a task boundary: whatever an SDK raises becomes a typed fault
            raise self._fault(error) from None
        return parse_body(text, headers.get("content-type", ""), self._where, self._key)

    def _seen(self, headers: Mapping[str, str]) -> Mapping[str, str]:
        lower = {name.lower(): value for name, value in headers.items()}
        if self._observe is not None:
            self._observe(lower)
        return lower

    def _fault(self, error: Exception) -> Fault:
        status = getattr(error, "status_code", None)
        response = getattr(error, "response", None)
        if isinstance(status, int) and response is not None:
            return from_status(status, _text_of(response), self._seen(response.headers), self._where, self._key)
        kind = type(error).__name__
        if "Timeout" in kind:
            return TimedOut("no answer in time", where=self._where, retryable=True)
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
