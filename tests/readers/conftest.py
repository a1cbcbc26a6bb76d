"""Reads bytes under a name, the way the judge does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from judge.readers import Document, Limits, read_document
from judge.readers.isolate import Isolation
from judge.workspace import Workspace

Read = Callable[..., Document]


@pytest.fixture(scope="session")
def isolation() -> Iterator[Isolation]:
    process = Isolation()
    yield process
    process.close()


@pytest.fixture
def read(tmp_path: Path, isolation: Isolation) -> Read:
    """A function from a name and bytes (or text) to the document."""

    def run(name: str, data: bytes | str, **bounds: object) -> Document:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        workspace = Workspace.open(tmp_path)
        return read_document(workspace, name, Limits(**bounds), isolation)  # type: ignore[arg-type]

    return run
