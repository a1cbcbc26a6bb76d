"""What is in the tills."""

import re
import sys
from collections import Counter


def report(lines: list[str], nonzero: bool) -> tuple[list[str], int]:
    """Add up the tills.

    Args:
        lines: One booking each.
        nonzero: Whether tills with nothing in them are left out.

    Returns:
        What to print, and the exit code.
    """
    totals: Counter[str] = Counter()
    for number, line in enumerate(lines, 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if len(words) != 2 or not re.fullmatch(r"[-+]?[0-9]+", words[1]):
            return [f"error: line {number}"], 2
        totals[words[0]] += int(words[1])
    shown = [f"{name} {total}" for name, total in sorted(totals.items()) if total or not nonzero]
    return [*shown, f"sum {sum(totals.values())}"], 0


if __name__ == "__main__":
    text = sys.stdin.buffer.read().decode("utf-8")
    output, code = report(text.split("\n"), "--nonzero" in sys.argv[1:])
    sys.stdout.buffer.write(("\n".join(output) + "\n").encode("utf-8"))
    sys.exit(code)
