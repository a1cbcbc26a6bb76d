"""Numbers and text under the rules of a suite."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from judge.score.suite.model import Compare


def same_scalar(output: Any, expected: Any, rules: Compare) -> bool:
    """Whether two values that hold no others are equal; both of exactly a plain type."""
    if rules.bool_as_int:
        output = int(output) if type(output) is bool else output
        expected = int(expected) if type(expected) is bool else expected
    kinds = {type(output), type(expected)}
    if kinds == {int, float}:
        return rules.int_float == "equal" and _same_float(output, expected, rules)
    if len(kinds) != 1:
        return False
    if float in kinds:
        return _same_float(output, expected, rules)
    if complex in kinds:
        return _same_complex(output, expected, rules)
    return bool(output == expected)


def _same_float(output: float, expected: float, rules: Compare) -> bool:
    """One of them is a float, the other may be an int of any size."""
    if output != output or expected != expected:
        return rules.nan_equal and output != output and expected != expected
    if rules.signed_zero == "strict" and output == 0 == expected:
        return _negative(output) == _negative(expected)
    if output == expected:
        return True
    return _within(output, expected, rules)


def _negative(zero: float) -> bool:
    return math.copysign(1.0, zero) < 0


def _within(output: float, expected: float, rules: Compare) -> bool:
    """As :func:`math.isclose`, exact for integers that no float can hold."""
    if not (rules.rel_tol or rules.abs_tol):
        return False
    try:
        return math.isclose(output, expected, rel_tol=rules.rel_tol, abs_tol=rules.abs_tol)
    except OverflowError:
        pass
    if math.inf in (output, expected) or -math.inf in (output, expected):
        return False
    left, right = Fraction(output), Fraction(expected)
    allowed = Fraction(rules.rel_tol) * max(abs(left), abs(right))
    return abs(left - right) <= allowed or (
        math.isfinite(rules.abs_tol) and abs(left - right) <= Fraction(rules.abs_tol)
    )


def _same_complex(output: complex, expected: complex, rules: Compare) -> bool:
    """Each part by itself where NaN, infinities or zeros decide, else by distance."""
    parts = ((output.real, expected.real), (output.imag, expected.imag))
    exact = rules.model_copy(update={"rel_tol": 0.0, "abs_tol": 0.0})
    if all(_same_float(left, right, exact) for left, right in parts):
        return True
    if not all(math.isfinite(part) for pair in parts for part in pair):
        return all(_same_float(left, right, rules) for left, right in parts)
    if rules.signed_zero == "strict" and any(a == 0 == b and _negative(a) != _negative(b) for a, b in parts):
        return False
    size = max(_length(output), _length(expected))
    gap = _length(output - expected)
    return gap <= max(rules.rel_tol * size, rules.abs_tol) and bool(rules.rel_tol or rules.abs_tol)


def _length(number: complex) -> float:
    return math.hypot(number.real, number.imag)
