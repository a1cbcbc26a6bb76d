"""Adds up tills from standard input."""

import sys


def whole(text: str) -> int:
    """Return the amount, or raise ValueError.

    Args:
        text: Digits with an optional sign.
    """
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError(text)
    return int(text)


def main() -> int:
    """Read, add and print."""
    totals: dict[str, int] = {}
    for number, line in enumerate(sys.stdin, 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        try:
            name, amount = words
            totals[name] = totals.get(name, 0) + whole(amount)
        except ValueError:
            print(f"error: line {number}")
            return 2
    for name in sorted(totals):
        if totals[name] or "--nonzero" not in sys.argv:
            print(name, totals[name])
    print("sum", sum(totals.values()))
    return 0


if __name__ == "__main__":
    sys.stdin.reconfigure(encoding="utf-8")
    sys.stdout.reconfigure(encoding="utf-8")
    raise SystemExit(main())
