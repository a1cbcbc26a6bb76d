"""Compares each name with each group."""

import unicodedata


def letter_groups(names: list[str]) -> list[list[str]]:
    """Return the names in groups of equal letters.

    Args:
        names: Any names.
    """
    groups: list[tuple[list[str], list[str]]] = []
    for name in names:
        folded = unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())
        key = sorted("".join(folded.split()))
        for other, group in groups:
            if other == key:
                group.append(name)
                break
        else:
            groups.append((key, [name]))
    return [group for _, group in groups]
