"""Whole processes and a small set of tasks, shared with the end-to-end tests, and a model server on the loopback."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.conftest import lab, start
from tests.models.conftest import Answer, Server, openai_body

__all__ = ["lab", "server", "start"]


@pytest.fixture
def server() -> Iterator[Server]:
    """A server that answers every question alike."""
    found = Server()
    found.will(Answer(openai_body()))
    yield found
    found.close()
