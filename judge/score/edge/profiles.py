"""Where the values of one input come from, and how a strategy is chosen among several."""

from __future__ import annotations

import copy
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypothesis.strategies import SearchStrategy

    Drawn = SearchStrategy[Any]

_SMALL_BOX = 6
_PLAIN_BOX = 20


class Profile(StrEnum):
    """Where the values of one input come from."""

    SMALL = "small"
    """A few neighbouring numbers and letters, short containers, many repetitions."""
    PLAIN = "plain"
    """Anything the set allows."""
    EDGY = "edgy"
    """Boundary values among small ones."""
    FOLDED = "folded"
    """Small, with letters that are one letter to some ways of comparing text and not to others."""
    LARGE = "large"
    """Long containers and text."""


def weighted(options: Sequence[Drawn]) -> Drawn:
    """One of several strategies; one that is there twice is drawn twice as often."""
    from hypothesis import strategies as st

    return st.integers(0, len(options) - 1).flatmap(options.__getitem__)


def among(values: Sequence[Any]) -> Drawn:
    """One of several values, a copy where it can be changed."""
    from hypothesis import strategies as st

    plain = all(value is None or isinstance(value, int | float | complex | str | bytes) for value in values)
    chosen = st.sampled_from(list(values))
    return chosen if plain else chosen.map(copy.deepcopy)


def bounds(low: int, high: int | None, profile: Profile, *, text: bool = False) -> tuple[int, int]:
    """Sizes of a profile within those of the set."""
    if profile is Profile.LARGE:
        first, last = (200, 300) if text else (50, 120)
        top = last if high is None else min(high, max(last, low))
        return max(low, min(first, top)), max(top, low)
    most = low + (_PLAIN_BOX if profile is Profile.PLAIN else _SMALL_BOX)
    return low, most if high is None else min(high, most)
