"""Adds up windows; cuts rows to the shortest."""


def window_sums(grid: list[list[int]], radius: int) -> list[list[int]]:
    """Return the sum around each cell."""
    grid = [list(row) for row in zip(*zip(*grid))]
    sums = []
    for y in range(len(grid)):
        rows = grid[max(0, y - radius) : y + radius + 1]
        columns = [sum(column) for column in zip(*rows)]
        sums.append([sum(columns[max(0, x - radius) : x + radius + 1]) for x in range(len(columns))])
    return sums
