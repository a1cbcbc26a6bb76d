"""Years in Roman numerals."""

_SIGNS = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
    (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)


def to_roman(year: int) -> str:
    """Write a year in Roman numerals.

    Args:
        year: From 1 to 3999.

    Raises:
        TypeError: It is no whole number.
        ValueError: It is out of range.
    """
    if isinstance(year, bool) or not isinstance(year, int):
        raise TypeError("a year is a whole number")
    if not 0 < year < 4000:
        raise ValueError("a year goes from 1 to 3999")
    text = ""
    for value, sign in _SIGNS:
        count, year = divmod(year, value)
        text += sign * count
    return text


def from_roman(text: str) -> int:
    """Read a Roman numeral.

    Args:
        text: Correctly written.
    """
    values = {sign: value for value, sign in _SIGNS if len(sign) == 1}
    digits = [values[sign] for sign in text]
    return sum(-now if now < after else now for now, after in zip(digits, [*digits[1:], 0], strict=True))
