"""Groups names by lower case letters as they stand."""


def letter_groups(names: list[str]) -> list[list[str]]:
    """Return the names in groups of equal letters."""
    groups: dict[str, list[str]] = {}
    for name in names:
        key = "".join(sorted(name.lower().replace(" ", "")))
        groups.setdefault(key, []).append(name)
    return list(groups.values())
