"""Code cells of a Jupyter notebook as one Python source."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from judge.modules.graph.notebook_run import outputs_of, was_run

_MAGIC = re.compile(r"^(\s*)([%!?].*|[\w.]+\?{1,2})$")
_ASSIGNED = re.compile(r"^(\s*[\w, ]+=\s*)[%!](.*)$")
MAX_CELLS = 5_000


@dataclass(frozen=True, slots=True)
class Cell:
    """One code cell.

    Attributes:
        number: Its number among all cells, 1-based.
        line: Its first line in the joined source.
        end_line: Its last line.
        executed: Whether the notebook says that it was run.
        outputs: Kinds of what it put out, in order; see ``notebook_run``.
    """

    number: int
    line: int
    end_line: int
    executed: bool = False
    outputs: tuple[str, ...] = ()


@dataclass(slots=True)
class NotebookCode:
    """The joined source, where its cells are, shell commands it runs, and what was wrong."""

    source: str = ""
    cells: list[Cell] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    error: str = ""
    language: str = "python"


def notebook_code(text: str) -> NotebookCode:
    """Join the code cells of a notebook; never raises for its content."""
    result = NotebookCode()
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        result.error = f"not a notebook: {type(error).__name__}"
        return result
    cells = _cells(data)
    if cells is None:
        result.error = "not a notebook: no cells"
        return result
    result.language = _language(data)
    lines: list[str] = []
    for number, cell in enumerate(cells[:MAX_CELLS], 1):
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        source = cell.get("source", cell.get("input", ""))
        body = "".join(map(str, source)) if isinstance(source, list) else str(source)
        lines.append(f"# %% cell {number}")
        first = len(lines) + 1
        lines.extend(_plain_lines(body, result.commands))
        result.cells.append(Cell(number, first, max(first, len(lines)), was_run(cell), outputs_of(cell)))
    result.source = "\n".join(lines) + ("\n" if lines else "")
    return result


def _cells(data: object) -> list[object] | None:
    if not isinstance(data, dict):
        return None
    cells = data.get("cells")
    if isinstance(cells, list):
        return cells
    sheets = data.get("worksheets")
    if isinstance(sheets, list):
        return [cell for sheet in sheets if isinstance(sheet, dict) for cell in sheet.get("cells") or ()]
    return None


def _language(data: dict[str, object]) -> str:
    metadata = data.get("metadata")
    spec = metadata.get("kernelspec") if isinstance(metadata, dict) else None
    language = spec.get("language") if isinstance(spec, dict) else None
    return str(language).lower() if language else "python"


def _plain_lines(body: str, commands: list[str]) -> list[str]:
    """The lines of a cell with magics replaced; a cell magic turns the whole cell into comments."""
    lines = body.split("\n")
    first = next((line.strip() for line in lines if line.strip()), "")
    if first.startswith("%%") and not first.startswith(("%%time", "%%capture", "%%prun")):
        if first.startswith(("%%bash", "%%sh", "%%script")):
            commands.extend(lines[1:])
        return [f"# {line}" for line in lines]
    result = []
    for line in lines:
        assigned = _ASSIGNED.match(line)
        magic = _MAGIC.match(line)
        if assigned:
            commands.append(assigned.group(2))
            result.append(f"{assigned.group(1)}None")
        elif magic:
            commands.append(magic.group(2).lstrip("%!"))
            result.append(f"{magic.group(1)}pass")
        else:
            result.append(line)
    return result
