"""Inside a worker, what ``judge.score.values`` is outside: the two stand-ins, without anything that is slow to load."""

from __future__ import annotations


class Opaque:
    """An object that is no plain data: its type and its text."""

    __slots__ = ("text", "type_name")

    def __init__(self, type_name: str, text: str) -> None:
        self.type_name = type_name
        self.text = text

    def __repr__(self) -> str:
        return self.text


class Subclassed:
    """The plain content of an instance of a subclass of a plain type."""

    __slots__ = ("type_name", "value")

    def __init__(self, type_name: str, value: object) -> None:
        self.type_name = type_name
        self.value = value

    def __repr__(self) -> str:
        return f"{self.type_name}({self.value!r})"
