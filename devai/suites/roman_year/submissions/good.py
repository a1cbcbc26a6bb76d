"""Roman numerals by place."""

_PLACES = (
    ("", "M", "MM", "MMM"),
    ("", "C", "CC", "CCC", "CD", "D", "DC", "DCC", "DCCC", "CM"),
    ("", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC"),
    ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"),
)


def to_roman(year: int) -> str:
    """Return the year in Roman numerals.

    Args:
        year: From 1 to 3999.

    Raises:
        TypeError: The year is no whole number.
        ValueError: The year is out of range.
    """
    if type(year) is not int:
        raise TypeError(f"{year!r} is no whole number")
    if year < 1 or year > 3999:
        raise ValueError(f"{year} is out of range")
    return "".join(place[int(digit)] for place, digit in zip(_PLACES, f"{year:04}", strict=True))


def from_roman(text: str) -> int:
    """Return the number that a numeral stands for.

    Args:
        text: A correct numeral.
    """
    total = 0
    largest = 0
    for sign in reversed(text):
        value = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}[sign]
        total += value if value >= largest else -value
        largest = max(largest, value)
    return total
