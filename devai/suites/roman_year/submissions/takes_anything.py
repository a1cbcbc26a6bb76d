"""Roman numerals without a look at the input."""


def to_roman(year: int) -> str:
    """Return the year in Roman numerals."""
    text = ""
    for value, sign in ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"),
                        (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):
        while year >= value:
            text += sign
            year -= value
    return text


def from_roman(text: str) -> int:
    """Return the number that a numeral stands for."""
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
    digits = [values[sign] for sign in text] + [0]
    return sum(-a if a < b else a for a, b in zip(digits, digits[1:]))
