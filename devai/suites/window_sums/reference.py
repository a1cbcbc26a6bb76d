"""Rain in the neighbourhood."""

from itertools import accumulate


def window_sums(grid: list[list[int]], radius: int) -> list[list[int]]:
    """Add up the cells around each cell.

    Args:
        grid: Rows of one length.
        radius: Rows and columns to each side.

    Raises:
        ValueError: The radius is negative, or rows differ in length.
    """
    if radius < 0:
        raise ValueError("the radius is negative")
    if len({len(row) for row in grid}) > 1:
        raise ValueError("rows differ in length")
    by_row = [_sums(row, radius) for row in grid]
    by_column = [_sums(list(column), radius) for column in zip(*by_row, strict=True)]
    return [list(row) for row in zip(*by_column, strict=True)] if by_column else [[] for _ in grid]


def _sums(line: list[int], radius: int) -> list[int]:
    total = [0, *accumulate(line)]
    last = len(line)
    return [total[min(last, at + radius + 1)] - total[max(0, at - radius)] for at in range(last)]
