"""The table of patterns, and which texts hint at which of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

PRIVATE_KEY = "private-key"
"""Found by its lines and not by one pattern; it has a place in the table all the same."""
WORD = 20
"""The least length of an unbroken word that a pattern with ``word`` asks for."""
_SPAN = 800
"""How far behind the start of a hint the match of a pattern with ``then`` can end."""
Hints = tuple[tuple[str, tuple[int, ...]], ...]


@cache
def _compiled(source: str) -> re.Pattern[str]:
    """Compiled when a text first hints at it: most never are, and all of them take a while."""
    return re.compile(source)


@dataclass(frozen=True, slots=True)
class Pattern:
    """One kind of secret, as ``redact_patterns.toml`` describes it."""

    kind: str
    hints: tuple[str, ...]
    source: str
    check: str
    everywhere: bool
    word: int
    then_source: str
    span: int

    @property
    def regex(self) -> re.Pattern[str]:
        """What a secret of this kind looks like."""
        return _compiled(self.source)

    @property
    def then(self) -> re.Pattern[str] | None:
        """What has to follow a hint, if that is known."""
        return _compiled(self.then_source) if self.then_source else None


@dataclass(frozen=True, slots=True)
class Table:
    """All patterns, and each hint once with the numbers of the patterns that it calls for.

    Attributes:
        patterns: In the order of the file, private keys first.
        loose: Hints that may stand anywhere, looked for in the lower-cased text.
        words: Hints that only count in long words, looked for in lower case.
        exact: The same in the case in which they are written.
    """

    patterns: tuple[Pattern, ...]
    loose: Hints
    words: Hints
    exact: Hints


@cache
def table() -> Table:
    """The table, read once."""
    import tomllib
    from importlib.resources import files

    data = tomllib.loads((files("judge") / "redact_patterns.toml").read_text(encoding="utf-8"))
    begin = {"kind": PRIVATE_KEY, "hints": ["private"], "pattern": "-----BEGIN"}
    patterns = tuple(
        Pattern(
            item["kind"],
            tuple(item["hints"]),
            item["pattern"],
            item.get("check", ""),
            item.get("everywhere", True),
            item.get("word", 0),
            item.get("then", ""),
            item.get("span", _SPAN),
        )
        for item in (begin, *data["secret"])
    )
    groups: tuple[dict[str, list[int]], ...] = ({}, {}, {})
    for number, pattern in enumerate(patterns):
        for hint in pattern.hints:
            group = 0 if not pattern.word else 1 if hint == hint.lower() else 2
            groups[group].setdefault(hint, []).append(number)
    loose, words, exact = (tuple((hint, tuple(owners)) for hint, owners in group.items()) for group in groups)
    return Table(patterns, loose, words, exact)
