"""Whole processes, as a user starts them."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CLEAN = ("JUDGE_", "OPENAI_", "ANTHROPIC_")


def _load_lab() -> Any:
    """The helper of the command tests; tests are no package, so it is loaded by its path."""
    path = Path(__file__).resolve().parents[1] / "cli" / "lab.py"
    spec = importlib.util.spec_from_file_location("judge_tests_lab", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Lab


@pytest.fixture
def lab(tmp_path: Path) -> Any:
    """Tasks, workspaces and a scripted model."""
    return _load_lab()(tmp_path / "lab")


@pytest.fixture
def start(tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    """Starts ``judge`` in an empty folder, without settings from outside."""
    work = tmp_path / "cwd"
    work.mkdir()
    env = {name: value for name, value in os.environ.items() if not name.startswith(CLEAN)}

    def run(*arguments: object) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "judge", *map(str, arguments)]
        return subprocess.Popen(
            command,
            cwd=work,
            env=env,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    return run
