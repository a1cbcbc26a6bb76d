"""Splits by floor division, which rounds refunds away from zero."""


def split_bill(cents: int, shares: list[int]) -> list[int]:
    """Return the part of each in cents."""
    total = sum(shares)
    if total == 0 or min(shares) < 0:
        raise ValueError("no proportion")
    parts = [cents * share // total for share in shares]
    order = sorted(range(len(shares)), key=lambda index: -(cents * shares[index] % total))
    for index in order[: cents - sum(parts)]:
        parts[index] += 1
    return parts
