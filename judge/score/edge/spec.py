"""Sets of values: what a hint or a domain allows. Boundary values, membership and random draws all start from these."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from judge.score.values import Value

Box = Literal["list", "tuple", "set", "frozenset"]


@dataclass(frozen=True, slots=True)
class Integers:
    """Whole numbers from ``low`` to ``high``, both inside; None is without end."""

    low: int | None = None
    high: int | None = None


@dataclass(frozen=True, slots=True)
class Floats:
    """Floating-point numbers; ``open_low`` and ``open_high`` leave out the end itself."""

    low: float | None = None
    high: float | None = None
    nan: bool = True
    infinity: bool = True
    open_low: bool = False
    open_high: bool = False
    subnormal: bool = True


@dataclass(frozen=True, slots=True)
class Complexes:
    """Complex numbers, finite or not."""


@dataclass(frozen=True, slots=True)
class Booleans:
    """False and True."""


@dataclass(frozen=True, slots=True)
class Chars:
    """Single characters.

    Attributes:
        low: Smallest code point.
        high: Largest.
        categories: Unicode categories such as ``Lu`` or ``L``; None for all but surrogates.
        without: Categories that are left out.
        include: Further characters.
        exclude: Characters that are left out.
    """

    low: int = 0
    high: int = 0x10FFFF
    categories: tuple[str, ...] | None = None
    without: tuple[str, ...] = ("Cs",)
    include: str = ""
    exclude: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """Text over an alphabet: a set of characters, or some characters by themselves."""

    alphabet: Chars | str = field(default_factory=Chars)
    low: int = 0
    high: int | None = None


@dataclass(frozen=True, slots=True)
class Regex:
    """Text in which a pattern is found, or which it matches as a whole."""

    pattern: str
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Binary:
    """Bytes."""

    low: int = 0
    high: int | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some values."""

    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Many:
    """A container of any number of like elements."""

    box: Box
    element: Spec
    low: int = 0
    high: int | None = None
    unique: bool = False


@dataclass(frozen=True, slots=True)
class Dicts:
    """Dictionaries of like keys and like values."""

    key: Spec
    value: Spec
    low: int = 0
    high: int | None = None


@dataclass(frozen=True, slots=True)
class Tuples:
    """Tuples with one set of values a place."""

    parts: tuple[Spec, ...]


@dataclass(frozen=True, slots=True)
class Records:
    """Dictionaries with these keys; the optional ones may be missing."""

    required: tuple[tuple[Value, Spec], ...]
    optional: tuple[tuple[Value, Spec], ...] = ()


@dataclass(frozen=True, slots=True)
class Permuted:
    """Lists of all the values in any order."""

    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Union:
    """Any of several sets."""

    options: tuple[Spec, ...]


Spec: TypeAlias = (
    Integers
    | Floats
    | Complexes
    | Booleans
    | Chars
    | Text
    | Regex
    | Binary
    | Choice
    | Many
    | Dicts
    | Tuples
    | Records
    | Permuted
    | Union
)

MOST_BOXES = 8
"""Containers within each other for which values are made; deeper ones would be huge."""


def boxes(spec: Spec) -> int:
    """How many containers stand within each other."""
    if isinstance(spec, Many):
        return 1 + boxes(spec.element)
    if isinstance(spec, Dicts):
        return 1 + max(boxes(spec.key), boxes(spec.value))
    if isinstance(spec, Tuples):
        return 1 + max(map(boxes, spec.parts), default=0)
    if isinstance(spec, Records):
        return 1 + max((boxes(part) for _, part in (*spec.required, *spec.optional)), default=0)
    if isinstance(spec, Union):
        return max(map(boxes, spec.options), default=0)
    return 0


def least(spec: Spec) -> int:
    """How many parts the smallest value has, roughly."""
    if isinstance(spec, Many):
        return 1 + spec.low * least(spec.element)
    if isinstance(spec, Dicts):
        return 1 + spec.low * (least(spec.key) + least(spec.value))
    if isinstance(spec, Tuples):
        return 1 + sum(map(least, spec.parts))
    if isinstance(spec, Records):
        return 1 + sum(least(part) for _, part in spec.required)
    if isinstance(spec, Union):
        return min(map(least, spec.options))
    return 1 + (spec.low if isinstance(spec, Text | Binary) else 0)
