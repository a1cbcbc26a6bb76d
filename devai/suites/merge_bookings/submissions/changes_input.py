"""Joins bookings in place."""


def merge_bookings(bookings: list[list[int]]) -> list[list[int]]:
    """Return the busy times of a room, in order."""
    bookings.sort()
    merged: list[list[int]] = []
    for booking in bookings:
        if booking[0] > booking[1]:
            raise ValueError("wrong way round")
        if merged and merged[-1][1] >= booking[0]:
            merged[-1][1] = max(merged[-1][1], booking[1])
        else:
            merged.append(booking)
    return merged
