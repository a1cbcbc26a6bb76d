"""Replies kept on disk, so that the same question is paid for once."""

from judge.models.cache.key import Canonical, canonical
from judge.models.cache.model import CachedModel
from judge.models.cache.store import DEFAULT_BYTES, CacheStats, ModelStats, ReplyStore, StoreError

__all__ = [
    "DEFAULT_BYTES",
    "CacheStats",
    "CachedModel",
    "Canonical",
    "ModelStats",
    "ReplyStore",
    "StoreError",
    "canonical",
]
