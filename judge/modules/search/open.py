"""Opens a way to rank texts by its name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from judge.errors import ConfigError
from judge.modules.search.base import Search
from judge.modules.search.bm25 import Bm25
from judge.modules.search.embeddings import Embeddings, Encoder
from judge.modules.search.fuzzy import Fuzzy

if TYPE_CHECKING:
    from judge.config import ModelSettings
    from judge.models import Ledger
    from judge.modules.base import Strategies

NAMES = ("bm25", "embeddings", "fuzzy")
_SPECS = "folder:PATH, openai:MODEL or openai-compatible:SERVER/MODEL"


def open_search(
    strategies: Strategies,
    settings: ModelSettings | None = None,
    *,
    kept: Path | None = None,
    ledger: Ledger | None = None,
) -> Search:
    """Opens what ranks texts.

    Args:
        strategies: Says which, what makes embeddings, and whether secrets are masked before text is sent.
        settings: Keys and servers, for embeddings from a server; None when there are none to ask.
        kept: A folder where embeddings are kept by content hash, for other runs; None to keep none.
        ledger: Where calls of a server are booked and their limits kept.

    Raises:
        ConfigError: The name is unknown, or what makes embeddings cannot be opened: no folder, no usable model in it,
            a package that is not installed, no such server, no key.
    """
    if strategies.search == "bm25":
        return Bm25()
    if strategies.search == "fuzzy":
        return Fuzzy()
    if strategies.search != "embeddings":
        hint = "choose among " + ", ".join(NAMES)
        raise ConfigError(f"unknown search {strategies.search!r}", where="--search", hint=hint)
    encoder = _encoder(strategies, settings, ledger)
    if kept is not None:
        from judge.modules.search.vectors import KeptEncoder

        encoder = KeptEncoder(encoder, kept)
    return Embeddings(encoder)


def _encoder(strategies: Strategies, settings: ModelSettings | None, ledger: Ledger | None) -> Encoder:
    spec = strategies.embeddings
    kind, _, name = spec.partition(":")
    name = name.strip()
    if kind not in {"folder", "openai", "openai-compatible"} or not name:
        raise ConfigError(f"{spec!r} names nothing that makes embeddings", where="--embeddings", hint=f"give {_SPECS}")
    if kind == "folder":
        from judge.modules.search.folder import FolderEncoder

        return FolderEncoder(Path(name).expanduser())
    if settings is None:
        raise ConfigError(f"no servers are known for {spec!r}", where="--embeddings", hint="give folder:PATH")
    from judge.models.endpoint import named_endpoint, provider_endpoint
    from judge.modules.search.endpoint import EndpointEncoder

    if kind == "openai":
        endpoint = provider_endpoint("openai", settings)
        return EndpointEncoder(kind, name, endpoint, settings, redact=strategies.redact, ledger=ledger)
    server, _, model = name.partition("/")
    if not model:
        raise ConfigError(f"{spec!r} names no model", where="--embeddings", hint=f"give {_SPECS}")
    endpoint = named_endpoint(server, settings)
    return EndpointEncoder(f"{kind}:{server}", model, endpoint, settings, redact=strategies.redact, ledger=ledger)
