"""Lines of a label; takes each single blank for a border of words."""


def label_lines(text: str, width: int) -> list[str]:
    """Return the lines of a label."""
    if width < 1:
        raise ValueError("a label needs a width")
    lines: list[str] = []
    for word in text.split(" "):
        if lines and len(lines[-1]) + len(word) < width:
            lines[-1] += " " + word
        else:
            lines.extend(word[i : i + width] for i in range(0, len(word), width))
    return lines
