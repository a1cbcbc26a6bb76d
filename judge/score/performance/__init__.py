"""Performance: speed against the reference in fresh interleaved pairs, growth with size, stored baselines."""

from judge.score.performance.baseline import Baseline, baseline_path, load_baseline, staleness, write_baseline
from judge.score.performance.measure import measure
from judge.score.performance.points import points_share
from judge.score.performance.record import record_baseline

__all__ = [
    "Baseline",
    "baseline_path",
    "load_baseline",
    "measure",
    "points_share",
    "record_baseline",
    "staleness",
    "write_baseline",
]
