"""Integrity: signs that a submission plays against the judge instead of solving the problem."""

from judge.score.integrity.determinism import Difference, determinism
from judge.score.integrity.flags import judge_flags
from judge.score.integrity.hardcode import Probe, hardcode_probe
from judge.score.integrity.scan import scan
from judge.score.integrity.signal import Attack, Signal, Strength

__all__ = [
    "Attack",
    "Difference",
    "Probe",
    "Signal",
    "Strength",
    "determinism",
    "hardcode_probe",
    "judge_flags",
    "scan",
]
