"""Voucher pairs by looking at each pair."""


def budget_pair(prices: list[int], amount: int) -> tuple[int, int] | None:
    """Return the positions of two items that cost ``amount`` together, or None.

    Args:
        prices: The price of each item.
        amount: The value of the voucher.
    """
    for end in range(len(prices)):
        for start in range(end - 1, -1, -1):
            if prices[start] + prices[end] == amount:
                return start, end
    return None
