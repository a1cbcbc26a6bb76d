"""What holds for all labels."""


def fits(args, kwargs, output):
    """No line is wider than the label, and no letter is lost."""
    text, width = args
    return all(0 < len(line) <= width for line in output) and "".join("".join(output).split()) == "".join(text.split())
