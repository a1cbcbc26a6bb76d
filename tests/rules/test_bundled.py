"""The rules judge on the bundled tasks against their labels: a floor, so that a change that makes it worse is seen."""

from __future__ import annotations

import importlib.util
import sys
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest

TOLERANCE = 0.1
"""By how much a bin of surer verdicts may be right less often than the one below it."""


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


@pytest.fixture(scope="module")
def measured(bench: ModuleType, root: Path) -> dict[str, list[tuple[bool, bool, float]]]:
    """Label, verdict and confidence of every bundled requirement, without and with the trajectories."""
    return {
        "black-box": bench.measure(root / "devai", None),
        "gray-box": bench.measure(root / "devai", root / "trajectories"),
    }


def test_both_settings_stay_above_the_floor_and_the_trajectory_helps(
    measured: dict[str, list[tuple[bool, bool, float]]],
) -> None:
    black, gray = measured["black-box"], measured["gray-box"]
    assert len(black) == len(gray) == 68
    assert accuracy(black) >= 0.8
    assert accuracy(gray) >= accuracy(black) + 0.1


def test_confidence_orders_the_verdicts(measured: dict[str, list[tuple[bool, bool, float]]]) -> None:
    rows = measured["gray-box"]
    sure = [row for row in rows if row[2] >= 0.8]
    unsure = [row for row in rows if row[2] < 0.8]
    assert accuracy(sure) > accuracy(unsure)


def test_confidence_is_calibrated(
    bench: ModuleType, measured: dict[str, list[tuple[bool, bool, float]]], calibration_tables: dict[str, list[str]]
) -> None:
    """The table goes into the summary of the test run; surer verdicts must not be right less often."""
    for setting, rows in measured.items():
        table = bench.calibration(rows)
        calibration_tables[setting] = [
            f"confidence {low:.1f}-{low + 0.1:.1f}: {share:4.0%} right of {count}" for low, share, count in table
        ]
        solid = [(low, share) for low, share, count in table if count >= 5]
        for (_, lower), (_, higher) in pairwise(solid):
            assert higher >= lower - TOLERANCE, (setting, table)
        error = sum(count * abs(share - min(low + 0.05, 0.95)) for low, share, count in table) / len(rows)
        assert error <= 0.2, (setting, error)
