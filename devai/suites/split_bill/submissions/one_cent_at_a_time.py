"""Hands out the cents left over by searching the largest remainder again for each."""


def split_bill(cents: int, shares: list[int]) -> list[int]:
    """Return the part of each in cents.

    Args:
        cents: What is to be split.
        shares: In which proportion.

    Raises:
        ValueError: The shares are no proportion.
    """
    total = sum(shares)
    if total == 0 or min(shares) < 0:
        raise ValueError("no proportion")
    sign = 1 if cents >= 0 else -1
    parts = [abs(cents) * share // total for share in shares]
    rests = [abs(cents) * share % total for share in shares]
    while sum(parts) < abs(cents):
        index = rests.index(max(rests))
        parts[index] += 1
        rests[index] = -1
    return [sign * part for part in parts]
