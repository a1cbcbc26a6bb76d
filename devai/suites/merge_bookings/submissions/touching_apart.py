"""Joins bookings, but not those that touch."""


def merge_bookings(bookings: list[list[int]]) -> list[list[int]]:
    """Return the busy times of a room, in order."""
    merged: list[list[int]] = []
    for start, end in sorted(bookings):
        if start > end:
            raise ValueError("wrong way round")
        if merged and start < merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return merged
