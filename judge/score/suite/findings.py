"""What a check of a suite finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from judge.score.suite.nodes import Node, Unreadable, compose
from judge.score.suite.places import locate
from judge.score.suite.problems import show_path

Severity = Literal["error", "warning"]


class LintFinding(NamedTuple):
    """One thing that is wrong or doubtful.

    Attributes:
        line: 1-based line of the suite file.
        path: Where in the document; empty for the whole file.
        message: What it is.
        hint: What to do; empty when nothing helps.
        severity: ``error`` when scores would be wrong, ``warning`` when they may say less than they seem to.
        column: 1-based column of that line.
    """

    line: int
    path: str
    message: str
    hint: str = ""
    severity: Severity = "error"
    column: int = 1

    def __str__(self) -> str:
        where = f"{self.path}: " if self.path else ""
        return f"{self.line}:{self.column}: {self.severity}: {where}{self.message}" + (
            f" ({self.hint})" if self.hint else ""
        )

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return self._asdict()


class LintReport(NamedTuple):
    """The check of a suite.

    Attributes:
        findings: By line.
        asked: How many questions the reference was asked.
    """

    findings: tuple[LintFinding, ...]
    asked: int

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong; warnings do not count."""
        return all(finding.severity != "error" for finding in self.findings)


@dataclass
class Findings:
    """Gathers findings for paths of a document.

    Attributes:
        root: The document, to tell lines.
        found: So far.
    """

    root: Node | None
    found: list[LintFinding] = field(default_factory=list)

    def add(self, path: Sequence[str | int], message: str, hint: str = "", severity: Severity = "error") -> None:
        """Adds one at the line of ``path``."""
        node = locate(self.root, path) if self.root else None
        line, column = (node.line, node.column) if node else (1, 1)
        self.found.append(LintFinding(line, show_path(path), message, hint, severity, column))

    def warn(self, path: Sequence[str | int], message: str, hint: str = "") -> None:
        """Adds a warning."""
        self.add(path, message, hint, "warning")


def open_findings(text: str) -> Findings:
    """For the text of a suite; without lines when it cannot be read any more."""
    try:
        return Findings(compose(text))
    except Unreadable:
        return Findings(None)
