"""Voucher pairs; takes one item for both."""


def budget_pair(prices: list[int], amount: int) -> tuple[int, int] | None:
    """Return the positions of two items that cost ``amount`` together, or None."""
    positions: dict[int, int] = {}
    for index, price in enumerate(prices):
        positions[price] = index
        if amount - price in positions:
            return positions[amount - price], index
    return None
