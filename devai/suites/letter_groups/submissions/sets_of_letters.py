"""Groups names by which letters they have, not how often; loses repeated names."""

import unicodedata


def letter_groups(names: list[str]) -> list[list[str]]:
    """Return the names in groups of equal letters."""
    groups: dict[frozenset[str], dict[str, None]] = {}
    for name in names:
        folded = unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())
        groups.setdefault(frozenset("".join(folded.split())), {})[name] = None
    return [list(group) for group in groups.values()]
