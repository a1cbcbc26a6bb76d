"""The rules judge on the bundled tasks against their labels: a floor, so that a change that makes it worse is seen."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def bench(root: Path) -> ModuleType:
    """The measuring script."""
    spec = importlib.util.spec_from_file_location("bench_rules", root / "scripts" / "bench" / "rules.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["bench_rules"] = module
    spec.loader.exec_module(module)
    return module


def accuracy(rows: list[tuple[bool, bool, float]]) -> float:
    return sum(label == verdict for label, verdict, _ in rows) / len(rows)


def test_both_settings_stay_above_the_floor_and_the_trajectory_helps(bench: ModuleType, root: Path) -> None:
    black = bench.measure(root / "devai", None)
    gray = bench.measure(root / "devai", root / "trajectories")
    assert len(black) == len(gray) == 68
    assert accuracy(black) >= 0.72
    assert accuracy(gray) >= accuracy(black)
    corrected = [b[1] for b, g in zip(black, gray, strict=True) if b[1] != g[1] and g[1] == g[0]]
    assert corrected, "no verdict was corrected by a trajectory"


def test_confidence_orders_the_verdicts(bench: ModuleType, root: Path) -> None:
    rows = bench.measure(root / "devai", root / "trajectories")
    sure = [row for row in rows if row[2] >= 0.8]
    unsure = [row for row in rows if row[2] < 0.8]
    assert accuracy(sure) > accuracy(unsure)
