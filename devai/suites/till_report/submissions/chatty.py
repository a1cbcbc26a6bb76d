"""Adds up tills and talks about it."""

import sys

print("Reading bookings...")
totals = {}
for line in sys.stdin:
    words = line.split()
    if words and not words[0].startswith("#"):
        totals[words[0]] = totals.get(words[0], 0) + int(words[1])
for name in sorted(totals):
    if totals[name] or "--nonzero" not in sys.argv:
        print(name, totals[name])
print("sum", sum(totals.values()))
