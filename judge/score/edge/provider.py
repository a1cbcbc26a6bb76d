"""Draws of Hypothesis that depend on the seed alone.

The usual provider mixes in constants found in the modules that happen to be loaded, keeps them in a cache of the
process, and writes them to disk; then one seed gives other inputs in another process.
"""

from __future__ import annotations

from typing import Any

from hypothesis.internal.conjecture.providers import HypothesisProvider


class SeededProvider(HypothesisProvider):
    """Without constants from anywhere."""

    def _maybe_draw_constant(self, *args: Any, **kwargs: Any) -> None:
        return None
