"""A bill split to the cent."""


def split_bill(cents: int, shares: list[int]) -> list[int]:
    """Split an amount in proportion.

    Args:
        cents: The amount; below 0 for a refund.
        shares: How much of it each takes, 0 or more.

    Returns:
        Cents of each, which add up to the amount.

    Raises:
        ValueError: A share is negative, or none is above 0.
    """
    whole = sum(shares)
    if any(share < 0 for share in shares) or whole == 0:
        raise ValueError("shares are 0 or more, and one is above 0")
    sign = -1 if cents < 0 else 1
    parts = [divmod(abs(cents) * share, whole) for share in shares]
    amounts = [amount for amount, _ in parts]
    by_rest = sorted(range(len(parts)), key=lambda who: -parts[who][1])
    for who in by_rest[: abs(cents) - sum(amounts)]:
        amounts[who] += 1
    return [sign * amount for amount in amounts]
