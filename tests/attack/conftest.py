"""Whole processes and a small set of tasks, shared with the end-to-end tests."""

from __future__ import annotations

from tests.e2e.conftest import lab, start

__all__ = ["lab", "start"]
