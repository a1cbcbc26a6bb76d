"""Finding texts by what they say: BM25, fuzzy matching or embeddings, and the module that uses them."""

from typing import TYPE_CHECKING

from judge.lazy import offer

if TYPE_CHECKING:
    from judge.modules.search.base import Fit, Index, Passage, Search
    from judge.modules.search.chunks import Chunk, chunks_of
    from judge.modules.search.module import SearchModule
    from judge.modules.search.once import Once
    from judge.modules.search.open import open_search

__all__ = [
    "Chunk",
    "Fit",
    "Index",
    "Once",
    "Passage",
    "Search",
    "SearchModule",
    "chunks_of",
    "open_search",
]

__getattr__ = offer(
    __name__,
    {
        "base": "Fit Index Passage Search",
        "chunks": "Chunk chunks_of",
        "module": "SearchModule",
        "once": "Once",
        "open": "open_search",
    },
)
