"""Two items for one voucher."""


def budget_pair(prices: list[int], amount: int) -> tuple[int, int] | None:
    """Find two items whose prices add up to the amount.

    Args:
        prices: One price per item.
        amount: What the two must cost together.

    Returns:
        Their positions, or None when there is no pair.
    """
    last_seen: dict[int, int] = {}
    for end, price in enumerate(prices):
        start = last_seen.get(amount - price)
        if start is not None:
            return start, end
        last_seen[price] = end
    return None
