"""Where a model answers, and with which key."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

from judge.config import ModelSettings, Secret
from judge.errors import ConfigError

_OFFICIAL = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com"}
_VARIABLES = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}


class MissingKey(ConfigError):
    """No key is set for a server that needs one."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server that answers.

    Attributes:
        base_url: Its address.
        key: The key to send; empty when it needs none.
        official: Whether it is the provider's own.
        images: Whether its models may see images; None when unknown.
        context_tokens: Its context window, tokens; 0 when unknown.
        api: Which of OpenAI's APIs it is to be asked in; ``auto`` to go by the general setting.
    """

    base_url: str
    key: Secret
    official: bool
    images: bool | None = None
    context_tokens: int = 0
    api: str = "auto"

    @property
    def local(self) -> bool:
        """Whether the server is on this machine."""
        return is_local(self.base_url)

    @property
    def shown(self) -> str:
        """The address without user, password and query."""
        parts = urlsplit(self.base_url)
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.scheme}://{parts.hostname}{port}{parts.path}"


def provider_endpoint(provider: str, settings: ModelSettings) -> Endpoint:
    """The endpoint of ``openai`` or ``anthropic``.

    Raises:
        ConfigError: Its key is not set, and the server is not on this machine.
    """
    official = _OFFICIAL[provider]
    variable = _VARIABLES[provider]
    base_url = settings.provider_urls.get(f"{provider.upper()}_BASE_URL") or settings.base_url or official
    if urlsplit(base_url).hostname == urlsplit(official).hostname:
        # A key of another service is never sent to the provider.
        return Endpoint(base_url, _key(settings, (variable,), base_url), official=True)
    return Endpoint(base_url, _key(settings, ("JUDGE_API_KEY", variable), base_url), official=False)


def named_endpoint(name: str, settings: ModelSettings) -> Endpoint:
    """The endpoint of a server that judge.toml names; it gets only the key that is named with it.

    Raises:
        ConfigError: There is no such server, or its key is not set.
    """
    server = settings.servers.get(name)
    if server is None:
        known = ", ".join(sorted(settings.servers)) or "none"
        raise ConfigError(
            f"no server {name!r} in judge.toml", where="--model", hint=f"add [servers.{name}] base_url; known: {known}"
        )
    key = Secret("")
    if server.api_key_env:
        key = _key(settings, (server.api_key_env,), server.base_url, required=True)
    return Endpoint(
        server.base_url,
        key,
        official=False,
        images=server.images,
        context_tokens=server.context_tokens,
        api=server.api,
    )


def endpoint_of(spec: str, settings: ModelSettings) -> Endpoint | None:
    """Where the model of that name answers, or None when it asks no server.

    Raises:
        ConfigError: The server is not known, or its key is not set.
    """
    provider, _, name = spec.partition(":")
    if provider == "openai-compatible":
        return named_endpoint(name.partition("/")[0].strip(), settings)
    return provider_endpoint(provider, settings) if provider in _OFFICIAL else None


def is_local(url: str) -> bool:
    """Whether an address is on this machine."""
    host = (urlsplit(url).hostname or "").lower()
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def _key(settings: ModelSettings, variables: tuple[str, ...], base_url: str, required: bool = False) -> Secret:
    for variable in variables:
        if settings.keys.get(variable):
            return _checked(settings.keys[variable], variable)
    if is_local(base_url) and not required:
        return Secret("")
    names = " or ".join(variables)
    raise MissingKey(
        f"no API key: the environment variable {names} is not set",
        where=urlsplit(base_url).hostname or base_url,
        hint="set it",
    )


def _checked(key: Secret, variable: str) -> Secret:
    # A header cannot carry these, and the client's own error would show the key.
    if not key.reveal().isascii() or not key.reveal().isprintable() or " " in key.reveal():
        raise ConfigError("this is no API key: it holds spaces or characters that no key has", where=variable)
    return key
