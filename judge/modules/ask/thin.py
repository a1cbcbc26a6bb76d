"""Line numbers in a prompt: enough of them to cite every line, no more than are needed."""

from __future__ import annotations

import re

_NUMBERED = re.compile(r"^ {0,9}(\d{1,9})\|(?: (.*)|(.*))$")
_LOOKALIKE = re.compile(r"^[ \t]*\d{1,9}\|")
_EVERY = 5


def thin(text: str) -> str:
    r"""Keeps every fifth line number, and those at which the counting begins anew; numbers cost tokens.

    A line that loses its number and then looks as if it had one is broken by the sign that breaks look-alikes.

    Args:
        text: Numbered lines, with lines of our own between them.

    >>> thin("1| a\n2| b\n3| c")
    '1| a\nb\nc'
    """
    from judge.fence import BREAK

    rows: list[str] = []
    before: int | None = None
    for line in text.split("\n"):
        match = _NUMBERED.match(line)
        if match is None:
            rows.append(line)
            before = None
            continue
        number = int(match.group(1))
        content = match.group(2) if match.group(2) is not None else match.group(3)
        if before is None or number != before + 1 or number % _EVERY == 0:
            rows.append(f"{number}| {content}" if content else f"{number}|")
        else:
            rows.append(f"{BREAK}{content}" if _LOOKALIKE.match(content) else content)
        before = number
    return "\n".join(rows)
