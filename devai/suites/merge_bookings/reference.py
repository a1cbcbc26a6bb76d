"""Busy hours of a meeting room."""


def merge_bookings(bookings: list[list[int]]) -> list[list[int]]:
    """Join bookings that overlap or touch.

    Args:
        bookings: ``[start, end]`` of each, in any order.

    Returns:
        The busy times in order.

    Raises:
        ValueError: A booking ends before it starts.
    """
    if any(end < start for start, end in bookings):
        raise ValueError("a booking ends before it starts")
    busy: list[list[int]] = []
    for start, end in sorted(bookings):
        if busy and start <= busy[-1][1]:
            busy[-1][1] = max(busy[-1][1], end)
        else:
            busy.append([start, end])
    return busy
