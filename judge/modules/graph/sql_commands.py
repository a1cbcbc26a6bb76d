"""Commands in SQL files that name files: those of the database shells, and statements no grammar knows."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from judge.modules.graph.raw import RawUse

MAX_COMMANDS = 2_000
_PATH = r"""(?:'([^'\n]{1,300})'|"([^"\n]{1,300})"|([^\s;'"()]{1,300}))"""
_SHELL = re.compile(
    rf"^[ \t]*(\\i|\\ir|\\include|\\o|\\out|\\g|\.\w+|@@?|source)[ \t]+(?:--\w+[ \t]+)*{_PATH}", re.M | re.I
)
_INTO = re.compile(
    rf"\b(INTO\s+(?:OUT|DUMP)FILE|INFILE|BULK\s+INSERT\s+\S+\s+FROM|ATTACH(?:\s+DATABASE)?)\s+{_PATH}", re.I
)
_COPY = re.compile(r"\bCOPY\b[^;]{0,400}?\b(TO|FROM)\s+(?:'([^'\n]{1,300})'|\"([^\"\n]{1,300})\")()", re.I)


def shell_commands(source: str) -> Iterator[RawUse]:
    """Such commands as calls; the callee is the command in lower case, the argument the path."""
    found = 0
    ends = [match.start() for match in re.finditer("\n", source)]
    for pattern, prefix in ((_SHELL, ""), (_INTO, ""), (_COPY, "copy ")):
        for match in pattern.finditer(source):
            path = match.group(2) or match.group(3) or match.group(4)
            line = bisect_left(ends, match.start()) + 1
            name = prefix + re.sub(r"\s+", " ", match.group(1).lower())
            if name.startswith("bulk insert"):
                name = "bulk insert"
            yield RawUse(name, line, match.start(), line, args=(f"'{path}'",))
            found += 1
            if found > MAX_COMMANDS:
                return
