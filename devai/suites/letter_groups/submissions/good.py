"""Groups names by their letters."""

import unicodedata
from collections import defaultdict


def _letters(name: str) -> tuple[str, ...]:
    """Return the letters of a name in a fixed order."""
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())
    return tuple(sorted(letter for letter in folded if not letter.isspace()))


def letter_groups(names: list[str]) -> list[list[str]]:
    """Return the names in groups of equal letters.

    Args:
        names: Any names.
    """
    groups: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for name in names:
        groups[_letters(name)].append(name)
    return list(groups.values())
