"""Sums of windows with one table of sums."""


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
    height, width = len(grid), len(grid[0]) if grid else 0
    table = [[0] * (width + 1)]
    for row in grid:
        line = [0]
        for column, value in enumerate(row):
            line.append(line[-1] + value + table[-1][column + 1] - table[-1][column])
        table.append(line)
    return [
        [
            table[min(height, y + radius + 1)][min(width, x + radius + 1)]
            - table[max(0, y - radius)][min(width, x + radius + 1)]
            - table[min(height, y + radius + 1)][max(0, x - radius)]
            + table[max(0, y - radius)][max(0, x - radius)]
            for x in range(width)
        ]
        for y in range(height)
    ]
