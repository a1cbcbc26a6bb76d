"""Joins bookings; asserts what it should raise."""


def merge_bookings(bookings: list[list[int]]) -> list[list[int]]:
    """Return the busy times of a room, in order."""
    merged: list[list[int]] = []
    for start, end in sorted(bookings):
        assert start <= end
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return merged
