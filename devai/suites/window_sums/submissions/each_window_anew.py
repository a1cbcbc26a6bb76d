"""Adds up each window from its cells."""


def window_sums(grid: list[list[int]], radius: int) -> list[list[int]]:
    """Return the sum around each cell.

    Args:
        grid: Rows of numbers, all of one length.
        radius: How far a window reaches.

    Raises:
        ValueError: The radius is negative or the grid is no rectangle.
    """
    if radius < 0 or any(len(row) != len(grid[0]) for row in grid):
        raise ValueError("a rectangle and a radius of 0 or more are needed")
    result = []
    for y in range(len(grid)):
        rows = grid[max(0, y - radius) : y + radius + 1]
        result.append([sum(sum(row[max(0, x - radius) : x + radius + 1]) for row in rows) for x in range(len(grid[0]))])
    return result
