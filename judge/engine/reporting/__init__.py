"""Reads runs and folders of judgments into the data that reports are made of."""

from judge.engine.reporting.load import LabelSource, load_report

__all__ = ["LabelSource", "load_report"]
