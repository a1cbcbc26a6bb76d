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
