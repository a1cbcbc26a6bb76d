"""Joins judged folders with labels and measures the judges."""

from judge.engine.alignment.align import Request, align
from judge.engine.alignment.names import Spec, parse_spec

__all__ = ["Request", "Spec", "align", "parse_spec"]
