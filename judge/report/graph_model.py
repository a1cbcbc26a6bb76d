"""What the page of a workspace graph shows: plain data, made elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Box:
    """One thing in the picture.

    Attributes:
        key: Its id in the graph.
        kind: What it is: folder, module, class, function, ….
        name: What it is called.
        path: Workspace path of the file it is or lies in; empty for packages.
        parent: Number of the box it lies in, -1 at the top.
        weight: How much room it wants, such as its lines.
        line: First line, 0 when it has none.
        end_line: Last line.
        reachable: Whether an entry point gets there; None where that means nothing.
        facts: More to tell, as words and values.
    """

    key: str
    kind: str
    name: str
    path: str
    parent: int
    weight: float
    line: int = 0
    end_line: int = 0
    reachable: bool | None = None
    facts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Arrow:
    """One relation between two boxes.

    Attributes:
        source: Number of a box.
        target: Number of a box.
        kind: What it says, such as ``calls``.
        line: Line it stands in, 0 when unknown.
        name: What exactly is called or named, where the target is only a package.
    """

    source: int
    target: int
    kind: str
    line: int = 0
    name: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """A graph to be drawn.

    Attributes:
        title: Name of the workspace.
        version: Version of the program.
        boxes: Everything that is drawn; a box comes after the one it lies in.
        arrows: Everything that is drawn between them.
        left_out: How many nodes were too many.
        sections: Headings with lines of text, for reading without the picture.
    """

    title: str
    version: str
    boxes: Sequence[Box]
    arrows: Sequence[Arrow]
    left_out: int = 0
    sections: Sequence[tuple[str, Sequence[str]]] = ()
