"""Joins bookings."""


def merge_bookings(bookings: list[list[int]]) -> list[list[int]]:
    """Return the busy times of a room, in order.

    Args:
        bookings: Start and end of each booking.

    Raises:
        ValueError: A booking ends before it starts.
    """
    for start, end in bookings:
        if start > end:
            raise ValueError(f"{start} is after {end}")
    merged: list[list[int]] = []
    for booking in sorted(bookings, key=lambda item: item[0]):
        if merged and merged[-1][1] >= booking[0]:
            merged[-1][1] = max(merged[-1][1], booking[1])
        else:
            merged.append(list(booking))
    return merged
