"""What (I), (D), (D+) and (T) say of verdicts, when some of these are unknown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def conjunction(values: Iterable[bool | None]) -> bool | None:
    """Whether all hold; what is known to fail decides, else one unknown leaves it open.

    >>> conjunction([True, None]), conjunction([None, False]), conjunction([])
    (None, False, True)
    """
    found = list(values)
    if False in found:
        return False
    return None if None in found else True


def transitive(direct: Mapping[int, Iterable[int]], requirement: int) -> set[int]:
    """Prerequisites of a requirement and, in turn, of these; ends on cycles too.

    Args:
        direct: Prerequisites by requirement id.
        requirement: Where to start.

    Returns:
        Ids; the requirement itself only when it lies on a cycle.
    """
    seen: set[int] = set()
    queue = list(direct.get(requirement, ()))
    while queue:
        number = queue.pop()
        if number not in seen:
            seen.add(number)
            queue += direct.get(number, ())
    return seen
