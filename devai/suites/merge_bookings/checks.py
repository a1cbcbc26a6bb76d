"""What holds for all busy times."""


def in_order_and_apart(args, kwargs, output):
    """Each busy time begins after the one before has ended."""
    return all(before[1] < after[0] for before, after in zip(output, output[1:]))


def an_hour_later(args, kwargs):
    """The same bookings, 60 minutes later."""
    return [[[start + 60, end + 60] for start, end in args[0]]]


def moved_by_an_hour(output, changed, args, changed_args):
    """The busy times move along."""
    return [[start + 60, end + 60] for start, end in output] == [list(times) for times in changed]
