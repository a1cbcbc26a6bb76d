"""Holds what a program printed against what is expected."""

from __future__ import annotations

from itertools import zip_longest

from judge.score.compare.scalars import same_scalar
from judge.score.compare.show import show
from judge.score.compare.verdict import RIGHT, Verdict
from judge.score.suite.model import Compare

_SHOWN = 80


def stdout_equal(output: bytes | str, expected: bytes | str, rules: Compare) -> Verdict:
    r"""Whether ``output`` is what was ``expected`` under ``rules.stdout``.

    ``exact`` wants each byte; ``rstrip_lines`` ignores blanks at the end of lines, blank lines at the end of the text
    and the difference between ``\n`` and ``\r\n``; ``tokens`` compares words; ``floats`` compares words, and those that
    are numbers on both sides by value under ``rel_tol`` and ``abs_tol``.
    """
    text, expected = _text(output), _text(expected)
    if rules.stdout == "exact":
        return RIGHT if text == expected else _first_line(text.splitlines(True), expected.splitlines(True))
    if rules.stdout == "rstrip_lines":
        return _first_line(_lines(text), _lines(expected))
    return _tokens(text.split(), expected.split(), rules)


def _text(output: bytes | str) -> str:
    """Bytes that are no UTF-8 stay what they are, as lone surrogates."""
    return output if isinstance(output, str) else output.decode("utf-8", "surrogateescape")


def _lines(text: str) -> list[str]:
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _first_line(output: list[str], expected: list[str]) -> Verdict:
    for number, (left, right) in enumerate(zip_longest(output, expected), 1):
        if left == right:
            continue
        if left is None:
            return Verdict(False, f"line {number} is missing: {show(right, _SHOWN)}")
        if right is None:
            return Verdict(False, f"line {number} is too much: {show(left, _SHOWN)}")
        return Verdict(False, f"line {number}: {show(left, _SHOWN)} is not {show(right, _SHOWN)}")
    return RIGHT


def _tokens(output: list[str], expected: list[str], rules: Compare) -> Verdict:
    for number, (left, right) in enumerate(zip_longest(output, expected), 1):
        if left is None:
            return Verdict(False, f"word {number} is missing: {show(right, _SHOWN)}")
        if right is None:
            return Verdict(False, f"word {number} is too much: {show(left, _SHOWN)}")
        if left != right and not (rules.stdout == "floats" and _same_number(left, right, rules)):
            return Verdict(False, f"word {number}: {show(left, _SHOWN)} is not {show(right, _SHOWN)}")
    return RIGHT


def _same_number(output: str, expected: str, rules: Compare) -> bool:
    left, right = _number(output), _number(expected)
    if left is None or right is None:
        return False
    return same_scalar(left, right, rules.model_copy(update={"int_float": "equal"}))


def _number(token: str) -> int | float | None:
    """Integers stay exact, whatever their size."""
    if len(token) > 4000 or "_" in token or not token.isascii():
        return None
    try:
        return int(token)
    except ValueError:
        pass
    try:
        return float(token)
    except ValueError:
        return None
