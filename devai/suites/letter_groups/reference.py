"""Names made of the same letters."""

from unicodedata import normalize


def letter_groups(names: list[str]) -> list[list[str]]:
    """Put names of the same letters together.

    Args:
        names: In the order in which they stay within a group.
    """
    groups: dict[str, list[str]] = {}
    for name in names:
        letters = normalize("NFC", normalize("NFD", name).casefold())
        groups.setdefault("".join(sorted("".join(letters.split()))), []).append(name)
    return list(groups.values())
