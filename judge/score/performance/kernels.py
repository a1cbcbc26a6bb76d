"""Calibration kernels: fixed work that stands in for a reference where a suite has none."""

from __future__ import annotations

KERNELS = b'''\
"""Fixed work: an integer loop, churn of dicts and lists, work on strings; each about a third of the time."""


def _integers(steps):
    value = 12345
    for step in range(steps):
        value = (value * 1103515245 + step) & 0x7FFFFFFF
    return value


def _containers(steps):
    counts, values = {}, []
    for step in range(steps):
        key = (step * 7919) % 997
        counts[key] = counts.get(key, 0) + 1
        values.append(key)
    values.sort()
    return len(counts) + values[steps // 2]


def _strings(steps):
    words = [str(step * 31 % 1009) for step in range(steps)]
    text = " ".join(words).replace("1", "one")
    return len([word.upper() for word in text.split()])


def run(number):
    return [_integers(24000), _containers(14000), _strings(14000), number]
'''
"""Source of the kernels; it runs in a sandboxed worker like everything that is timed."""

MAIN = "kernels.py"
ENTRY = "run"
