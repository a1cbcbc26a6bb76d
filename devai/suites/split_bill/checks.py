"""What holds for all split bills."""


def adds_up(args, kwargs, output):
    """Nothing is lost, and who has no share gets nothing."""
    cents, shares = args
    return len(output) == len(shares) and sum(output) == cents and all(s or not part for s, part in zip(shares, output))
