"""Run folders to report on."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest


def _load() -> Any:
    """The helper beside this file; tests are no package, so it is loaded by its path."""
    spec = importlib.util.spec_from_file_location("judge_tests_folder", Path(__file__).with_name("folder.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def folders() -> Any:
    """The module that writes run folders."""
    return _load()


@pytest.fixture
def small(folders: Any, tmp_path: Path) -> Path:
    """A small run."""
    path: Path = folders.small_run(tmp_path / "small")
    return path


@pytest.fixture
def hostile(folders: Any, tmp_path: Path) -> Path:
    """A run in which every text is hostile."""
    path: Path = folders.hostile_run(tmp_path / "hostile")
    return path
