"""Text on a parcel label."""


def label_lines(text: str, width: int) -> list[str]:
    """Break a text into lines.

    Args:
        text: Words with white space between them.
        width: Most characters of a line.

    Raises:
        ValueError: The width is below 1.
    """
    if width < 1:
        raise ValueError("the width is below 1")
    lines: list[str] = []
    line = ""
    for word in text.split():
        if line and len(line) + 1 + len(word) <= width:
            line += " " + word
            continue
        if line:
            lines.append(line)
        while len(word) > width:
            lines.append(word[:width])
            word = word[width:]
        line = word
    return [*lines, line] if line else lines
