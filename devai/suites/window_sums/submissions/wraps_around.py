"""Adds up windows that come in again on the other side."""


def window_sums(grid: list[list[int]], radius: int) -> list[list[int]]:
    """Return the sum around each cell."""
    if radius < 0 or any(len(row) != len(grid[0]) for row in grid):
        raise ValueError("a rectangle and a radius of 0 or more are needed")
    radius = min(radius, 1)
    around = range(-radius, radius + 1)
    height, width = len(grid), len(grid[0]) if grid else 0
    return [
        [sum(grid[(y + a) % height][(x + b) % width] for a in around for b in around) for x in range(width)]
        for y in range(height)
    ]
