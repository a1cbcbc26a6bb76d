"""Adds up tills in floats."""

import sys


def main() -> int:
    """Read, add and print."""
    totals: dict[str, float] = {}
    for number, line in enumerate(sys.stdin, 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        try:
            name, amount = words
            totals[name] = totals.get(name, 0.0) + float(amount)
        except ValueError:
            print(f"error: line {number}")
            return 2
    for name in sorted(totals):
        if totals[name] or "--nonzero" not in sys.argv:
            print(name, int(totals[name]))
    print("sum", int(sum(totals.values())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
