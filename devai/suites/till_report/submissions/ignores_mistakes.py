"""Adds up tills; skips what it does not understand."""

import sys


def main() -> None:
    """Read, add and print."""
    totals: dict[str, int] = {}
    for line in sys.stdin:
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        try:
            totals[words[0]] = totals.get(words[0], 0) + int(words[1])
        except (ValueError, IndexError):
            continue
    for name in sorted(totals):
        if totals[name] or "--nonzero" not in sys.argv:
            print(name, totals[name])
    print("sum", sum(totals.values()))


main()
