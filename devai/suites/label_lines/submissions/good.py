"""Lines of a label."""


def _pieces(word: str, width: int) -> list[str]:
    """Return the parts of a word that fit on a line."""
    return [word[start : start + width] for start in range(0, len(word), width)]


def label_lines(text: str, width: int) -> list[str]:
    """Return the lines of a label.

    Args:
        text: What is printed.
        width: Most characters of a line.

    Raises:
        ValueError: The width is below 1.
    """
    if width < 1:
        raise ValueError("a label needs a width")
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + len(word) < width:
            lines[-1] = f"{lines[-1]} {word}"
        else:
            lines.extend(_pieces(word, width))
    return lines
