"""How calls are collected into batches."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class BatchPlan:
    """Where batches are noted, and when they are sent.

    Attributes:
        folder: Where a small file for each model says which batches are under way, so that another process can go on.
        poll: Seconds between two questions whether a batch is done.
        quiet: Seconds without a new call after which a batch is sent even though something may still ask.
        max_requests: Requests in one batch; both providers take more.
        max_bytes: Size of one batch; both providers take more.
        attempts: Batches that a request may fail in before it is sent as a normal call.
        direct: Whether what fails in a batch is sent as a normal call at once.
    """

    folder: Path
    poll: float = 30.0
    quiet: float = 20.0
    max_requests: int = 20_000
    max_bytes: int = 100 * 1024 * 1024
    attempts: int = 2
    direct: bool = False
