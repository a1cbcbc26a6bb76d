"""Rounds each part by itself, so that cents come and go."""


def split_bill(cents: int, shares: list[int]) -> list[int]:
    """Return the part of each in cents."""
    total = sum(shares)
    if total == 0 or min(shares) < 0:
        raise ValueError("no proportion")
    return [round(cents * share / total) for share in shares]
