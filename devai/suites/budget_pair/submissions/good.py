"""Voucher pairs."""


def budget_pair(prices: list[int], amount: int) -> tuple[int, int] | None:
    """Return the positions of two items that cost ``amount`` together, or None.

    Args:
        prices: The price of each item.
        amount: The value of the voucher.
    """
    positions: dict[int, int] = {}
    for index, price in enumerate(prices):
        if (amount - price) in positions:
            return positions[amount - price], index
        positions[price] = index
    return None
