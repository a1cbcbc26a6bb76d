"""Calls collected for a provider's batch API: half the price, an answer within a day."""

from judge.models.batch.client import BatchClient, BatchState, Item, Progress, Result
from judge.models.batch.collect import Batch, BatchModel
from judge.models.batch.open import open_client
from judge.models.batch.plan import BatchPlan

__all__ = [
    "Batch",
    "BatchClient",
    "BatchModel",
    "BatchPlan",
    "BatchState",
    "Item",
    "Progress",
    "Result",
    "open_client",
]
