"""What holds for all groups."""


def keeps_all(args, kwargs, output):
    """No name is lost or added, no group is empty."""
    return all(output) and sorted(name for group in output for name in group) == sorted(args[0])
