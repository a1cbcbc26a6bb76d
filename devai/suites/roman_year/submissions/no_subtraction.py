"""Roman numerals that only add."""


def to_roman(year: int) -> str:
    """Return the year in Roman numerals."""
    if type(year) is not int:
        raise TypeError("no whole number")
    if not 0 < year < 4000:
        raise ValueError("out of range")
    text = ""
    for value, sign in ((1000, "M"), (500, "D"), (100, "C"), (50, "L"), (10, "X"), (5, "V"), (1, "I")):
        text += sign * (year // value)
        year %= value
    return text


def from_roman(text: str) -> int:
    """Return the number that a numeral stands for."""
    return sum({"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}[sign] for sign in text)
