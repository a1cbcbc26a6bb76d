"""The offline judge: claims parsed from a criterion, checked against evidence; no model, no network."""

from judge.rules.evidence import LiveCache
from judge.rules.judge import judge_requirement

__all__ = ["LiveCache", "judge_requirement"]
