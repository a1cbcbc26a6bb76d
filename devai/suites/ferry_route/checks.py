"""Several ways can be the cheapest."""


def cheapest(args, kwargs, output, expected):
    """The output is a way from start to goal that costs what the expected one costs."""
    fares, start, goal = args
    if expected is None or output is None:
        return output is None and expected is None
    steps = list(zip(output, output[1:]))
    if not output or output[0] != start or output[-1] != goal:
        return False
    if any(b not in fares.get(a, {}) for a, b in steps):
        return False
    if start == goal:
        return len(output) == 1
    return sum(fares[a][b] for a, b in steps) == sum(fares[a][b] for a, b in zip(expected, expected[1:]))
