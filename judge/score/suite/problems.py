"""What is wrong with a suite: every mistake with its line, all in one error."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from judge.errors import InputError

_MOST = 200
"""Problems that are kept; a file with more is no suite."""
_PRINTED = 30


class SuiteProblem(NamedTuple):
    """One mistake.

    Attributes:
        line: 1-based line of the suite file.
        column: 1-based column.
        path: Where in the document, such as ``cases[3].expected``; empty for the whole file.
        message: What is wrong and what is expected.
        hint: What to write instead; empty when nothing helps.
    """

    line: int
    column: int
    path: str
    message: str
    hint: str = ""

    def __str__(self) -> str:
        where = f"line {self.line}: {self.path}: " if self.path else f"line {self.line}: "
        return where + self.message + (f" ({self.hint})" if self.hint else "")


class SuiteError(InputError):
    """A suite that cannot be used.

    Attributes:
        problems: All mistakes, by line.
    """

    def __init__(self, problems: Iterable[SuiteProblem], *, where: str) -> None:
        found = sorted(set(problems), key=lambda problem: (problem.line, problem.column, problem.path))
        self.problems: tuple[SuiteProblem, ...] = tuple(found[:_MOST])
        listed = "; ".join(str(problem) for problem in found[:_PRINTED])
        more = f"; and {len(found) - _PRINTED} more" if len(found) > _PRINTED else ""
        count = "1 mistake" if len(found) == 1 else f"{len(found)} mistakes"
        super().__init__(f"{count}: {listed}{more}", where=where)


def show_path(path: Sequence[str | int]) -> str:
    """``("cases", 3, "args")`` as ``cases[3].args``."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".")
