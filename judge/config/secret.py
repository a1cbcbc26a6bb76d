"""A key that cannot be printed by mistake."""

from __future__ import annotations


class Secret:
    """A key that shows itself only when asked by name; it has no useful repr, hash, copy or JSON form.

    >>> print(Secret("sk-123"))
    ********
    """

    __slots__ = ("__value",)

    def __init__(self, value: str) -> None:
        self.__value = value

    def reveal(self) -> str:
        """The key itself, for the client that sends it."""
        return self.__value

    def __repr__(self) -> str:
        return "********"

    def __bool__(self) -> bool:
        return bool(self.__value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other.reveal() == self.__value

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> str:
        raise TypeError("a secret is never written anywhere")
