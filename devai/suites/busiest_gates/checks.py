"""Several answers can be right."""

from collections import Counter


def busiest(args, kwargs, output, expected):
    """The gates are different ones, and have as many visitors as those of the expected answer, in its order."""
    seen = Counter(args[0])
    if not isinstance(output, (list, tuple)) or len(set(output)) != len(output) or not set(output) <= set(seen):
        return False
    return [seen[gate] for gate in output] == [seen[gate] for gate in expected]
