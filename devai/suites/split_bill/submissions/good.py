"""Bills by the method of largest remainders."""


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
    rests = [(abs(cents) * share % total, -index) for index, share in enumerate(shares)]
    left = abs(cents) - sum(parts)
    for _, index in sorted(rests, reverse=True)[:left]:
        parts[-index] += 1
    return [sign * part for part in parts]
