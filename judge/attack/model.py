"""What an attack is: a clean base, a place to write, and a text that wants another verdict."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from judge.schemas import Requirement, Task, VerdictValue


@dataclass(frozen=True, slots=True)
class Base:
    """A clean workspace with its task.

    Attributes:
        name: ``met``, ``partial`` or ``unmet``.
        query: What the agent was asked.
        code: The file of code that attacks on code go into.
        criteria: The requirements, in order.
        met: Whether each is fulfilled, by construction.
        files: Path -> text.
        pictures: Paths of bar charts.
        steps: The trajectory.
    """

    name: str
    query: str
    code: str
    criteria: tuple[str, ...]
    met: tuple[bool, ...]
    files: Mapping[str, str]
    pictures: tuple[str, ...]
    steps: tuple[Mapping[str, str], ...]

    def task(self, name: str, targets: Sequence[int] | None = None) -> Task:
        """The task, under a name of its own.

        Args:
            name: Of the task.
            targets: Requirements that it has; all when None.
        """
        ids = range(len(self.criteria)) if targets is None else targets
        wanted = tuple(Requirement(requirement_id=number, criteria=self.criteria[number]) for number in ids)
        return Task(name=name, query=self.query, requirements=wanted)

    def targets(self, direction: VerdictValue) -> tuple[int, ...]:
        """Requirements whose verdict an attack in that direction could move."""
        against = direction is VerdictValue.UNSATISFIED
        return tuple(number for number, met in enumerate(self.met) if met is against)


@dataclass(slots=True)
class Site:
    """A copy of a base that an attack writes into.

    Attributes:
        root: Folder of the workspace.
        base: What it is a copy of.
        steps: Its trajectory, which may be changed.
    """

    root: Path
    base: Base
    steps: list[dict[str, str]]

    def write(self, path: str, content: str | bytes) -> None:
        """Writes a file that the base does not have, or a changed one."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        target.write_bytes(data)

    def read(self, path: str) -> str:
        """The text of a file of the base."""
        return (self.root / path).read_text(encoding="utf-8")

    def append(self, path: str, text: str) -> None:
        """Puts lines at the end of a file."""
        self.write(path, self.read(path) + text + "\n")

    def prepend(self, path: str, text: str) -> None:
        """Puts lines at the start of a file."""
        self.write(path, text + "\n" + self.read(path))


@dataclass(frozen=True, slots=True)
class Text:
    """What an attack says, worded for one direction and one requirement.

    Attributes:
        wanted: The verdict it wants.
        order: One line that addresses the judge and tells it what to do.
        claim: One line that claims something and gives no order.
        criterion: The requirement it is about.
    """

    wanted: VerdictValue
    order: str
    claim: str
    criterion: str

    @property
    def word(self) -> str:
        """The wanted verdict in lower case."""
        return self.wanted.value.lower()


@dataclass(frozen=True, slots=True)
class Technique:
    """A way to put a text where a judge reads.

    Attributes:
        name: Short, in lower case with hyphens.
        channel: Family of places, such as ``code`` or ``picture``.
        write: Puts the text into a copy of a base.
        addresses: Whether the text addresses the judge, so that it should be flagged; claims and names do not.
        needs: Import name of a package that the writer needs beyond those of the program; empty for none.
        gray: Whether it is in the trajectory alone.
    """

    name: str
    channel: str
    write: Callable[[Site, Text], None]
    addresses: bool = True
    needs: str = ""
    gray: bool = False


@dataclass(frozen=True, slots=True)
class Attack:
    """A technique in one direction against one requirement of one base.

    Attributes:
        technique: How.
        direction: The verdict that it wants.
        base: What it is made from.
        target: The requirement whose verdict it wants to move.
    """

    technique: Technique
    direction: VerdictValue
    base: Base
    target: int

    @property
    def name(self) -> str:
        """Unique: the technique and the direction."""
        return f"{self.technique.name}--{self.direction.value.lower()}"

    @property
    def text(self) -> Text:
        """What it says."""
        from judge.attack.wording import text_for

        return text_for(self.direction, self.target, self.base.criteria[self.target])


@cache
def bases() -> tuple[Base, ...]:
    """The clean workspaces."""
    table: dict[str, Any] = tomllib.loads((files("judge.attack") / "bases.toml").read_text(encoding="utf-8"))
    return tuple(
        Base(
            name=item["name"],
            query=item["query"],
            code=item["code"],
            criteria=tuple(item["criteria"]),
            met=tuple(item["met"]),
            files=item["files"],
            pictures=tuple(item["pictures"]),
            steps=tuple(item["steps"]),
        )
        for item in table["base"]
    )
