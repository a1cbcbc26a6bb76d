"""Evidence as fenced text: secrets masked, hidden instructions noted, every place named."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from judge.schemas import Evidence, EvidenceKind, Image

if TYPE_CHECKING:
    from judge.fence import Fence

_NUMBERED = re.compile(r"^ {0,9}(\d{1,9})\| ?(.*)$")
_LABELS = {
    EvidenceKind.MAP: "files of the workspace",
    EvidenceKind.FILE: "file",
    EvidenceKind.ARTEFACT: "file",
    EvidenceKind.GRAPH: "code relations of",
    EvidenceKind.STEP: "trajectory",
    EvidenceKind.NOTE: "note",
}


@dataclass(slots=True)
class Rendered:
    """Evidence ready for a prompt.

    Attributes:
        text: Fenced blocks, one after the other.
        images: Pictures, in the order of the blocks.
        injection: Places whose text addresses the judge.
        redacted: Places whose secrets were masked, with their kinds.
    """

    text: str = ""
    images: list[Image] = field(default_factory=list)
    injection: list[str] = field(default_factory=list)
    redacted: list[str] = field(default_factory=list)


def render(items: Sequence[Evidence], fence: Fence) -> Rendered:
    """Fences evidence.

    Args:
        items: What is shown; located files without content become one list.
        fence: Wraps every block.

    Returns:
        The text with what was noticed on the way.
    """
    result = Rendered()
    blocks = []
    located = [item for item in items if item.module == "locate" and not item.text]
    if located:
        lines = "\n".join(f"{item.path}: {item.why}" for item in located)
        blocks.append(_block(result, "note", "located files, best first", lines, fence, "located files"))
    for item in items:
        if item.text or item.images:
            blocks.append(_item(result, item, fence))
    result.text = "\n\n".join(blocks)
    return result


def _item(result: Rendered, item: Evidence, fence: Fence) -> str:
    place = f"step {item.step}" if item.step is not None else item.path or item.title
    title = item.title if item.kind != EvidenceKind.MAP else ""
    if item.kind == EvidenceKind.FILE and item.line is not None:
        title += f", lines {item.line}-{item.end_line}"
    if item.images:
        title += f", {len(item.images)} images attached"
        result.images += item.images
    return _block(result, _LABELS.get(item.kind, item.kind.value), title, item.text, fence, place)


def _block(result: Rendered, kind: str, title: str, text: str, fence: Fence, place: str) -> str:
    from judge.redact import redact

    result.injection += [found for found in _addressing(text, place) if found not in result.injection]
    masked = redact(text)
    if masked.kinds:
        result.redacted.append(f"{place}: {', '.join(masked.kinds)}")
    return fence.wrap(f"{kind} {title}".strip(), masked.text, numbered=False)


def _addressing(text: str, place: str) -> list[str]:
    """``place:line`` of lines that address the judge; a step or a note has no line numbers."""
    from judge.fence import find_injections

    numbers: list[int | None] = []
    plain = []
    for line in text.split("\n"):
        match = _NUMBERED.match(line)
        numbers.append(int(match.group(1)) if match else None)
        plain.append(match.group(2) if match else line)
    found = []
    for injection in find_injections("\n".join(plain)):
        number = numbers[injection.line - 1] if injection.line <= len(numbers) else None
        found.append(f"{place}:{number}" if number is not None else place)
    return list(dict.fromkeys(found))
