"""Checks the fields of one JSON object, collecting every problem instead of stopping at the first."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from judge.jsontext import Problem, child, show


@dataclass(slots=True)
class Findings:
    """Problems and warnings of one value, in the order they were found."""

    problems: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)

    def bad(self, path: str, what: str, expected: str = "") -> None:
        """Records a problem."""
        self.problems.append(Problem(path, what, expected))

    def warn(self, path: str, what: str, expected: str = "") -> None:
        """Records a warning."""
        self.warnings.append(Problem(path, what, expected))


@dataclass(slots=True)
class Fields:
    """Typed access to the members of one object; a wrong member is recorded and read as its default."""

    data: dict[str, Any]
    path: str
    found: Findings

    def text(self, key: str, *, expected: str = "text") -> str:
        """A required, non-blank string."""
        value, path = self.data.get(key), child(self.path, key)
        if key not in self.data:
            self.found.bad(path, "is missing", expected)
        elif not isinstance(value, str):
            self.found.bad(path, f"is {show(value)}", expected)
        elif not value.strip():
            self.found.bad(path, "is empty", expected)
        else:
            return value
        return ""

    def optional_text(self, key: str) -> str | None:
        """A string, null or nothing."""
        value = self.data.get(key)
        if value is None or isinstance(value, str):
            return value
        self.found.bad(child(self.path, key), f"is {show(value)}", "text or null")
        return None

    def flag(self, key: str) -> bool:
        """A boolean; missing and null are false."""
        value = self.data.get(key)
        if value is None or isinstance(value, bool):
            return bool(value)
        self.found.bad(child(self.path, key), f"is {show(value)}", "true or false")
        return False

    def id(self, key: str) -> int | None:
        """A required whole number that is not negative; None when it is not."""
        value, path = self.data.get(key), child(self.path, key)
        if key not in self.data:
            self.found.bad(path, "is missing", "a whole number, 0 or more")
        elif isinstance(value, int) and is_id(value):
            return value
        else:
            self.found.bad(path, f"is {show(value)}", "a whole number, 0 or more")
        return None

    def items(self, key: str, *, required: bool = False, of: str = "values") -> list[tuple[str, Any]]:
        """The elements of a list with their JSON paths; null and (unless required) missing are an empty list."""
        value, path = self.data.get(key), child(self.path, key)
        if key not in self.data:
            if required:
                self.found.bad(path, "is missing", f"a list of {of}")
        elif isinstance(value, list):
            return [(child(path, i), item) for i, item in enumerate(value)]
        elif value is not None or required:
            self.found.bad(path, f"is {show(value)}", f"a list of {of}")
        return []

    def rest(self, *known: str) -> dict[str, Any]:
        """The members that are not among the known ones."""
        return {key: value for key, value in self.data.items() if key not in known}


def is_id(value: object) -> bool:
    """Whether a JSON value is a usable id."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53
