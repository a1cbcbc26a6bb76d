"""What ranks texts, opened from the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from judge.config import Settings
    from judge.models import Ledger
    from judge.modules.search import Search


def search_of(settings: Settings, ledger: Ledger | None = None) -> Search:
    """What ranks texts. Embeddings are kept in the program's cache folder, by hash and without the texts.

    Args:
        settings: What the user decided.
        ledger: Where calls of a server that makes embeddings are booked, and their limits kept.

    Raises:
        ConfigError: What makes embeddings is not named, or cannot be opened.
    """
    from judge.cli.choose import strategies_of
    from judge.modules.search import open_search

    strategies = strategies_of(settings)
    kept = settings.cache_home / "embeddings" if settings.cache_home is not None else None
    return open_search(strategies, settings.models, kept=kept, ledger=ledger)
