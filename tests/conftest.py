"""Shared fixtures: the official data beside the checkout, and the bundled data of the project."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The official data; tests that need it are skipped where it is absent."""
    path = ROOT.parent / "shared"
    if not (path / "devai" / "instances").is_dir():
        pytest.skip("official DevAI data is not beside the checkout (../shared)")
    return path


@pytest.fixture(autouse=True)
def cache_of_its_own(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the program keeps between runs goes into a folder of the test, never into the user's."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache", numbered=True)))
