"""Evidence as fenced text: secrets masked, hidden instructions noted, every place named."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

from judge.schemas import Evidence, EvidenceKind, Image

if TYPE_CHECKING:
    from judge.fence import Fence

_NUMBERED = re.compile(r"^ {0,9}(\d{1,9})\| ?(.*)$")
_HEADING = re.compile(r"^(?=[ \t]*\[step \d)", re.MULTILINE)
_LABELS = {
    EvidenceKind.MAP: "files of the workspace",
    EvidenceKind.FILE: "file",
    EvidenceKind.ARTEFACT: "file",
    EvidenceKind.GRAPH: "note",
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
        items: What is shown. What the graph says of a file goes on top of the file's own block; located files that
            are not shown become one list.
        fence: Wraps every block.

    Returns:
        The text with what was noticed on the way.
    """
    result = Rendered()
    blocks = []
    shown = {item.path for item in items if item.module == "read"}
    above = {item.path: item.text for item in items if _folds(item, shown)}
    unread = [item for item in items if item.module == "locate" and not item.text and item.path not in shown]
    if unread:
        lines = "\n".join(f"{item.path}: {item.why}" for item in unread)
        blocks.append(_block(result, "note", "files that fit, not shown", lines, fence, "located files"))
    for is_step, group in groupby(items, key=lambda item: item.kind == EvidenceKind.STEP):
        if is_step:
            blocks.append(_steps(result, list(group), fence))
            continue
        for item in group:
            if (item.text or item.images) and not _folds(item, shown):
                blocks.append(_item(result, item, above.get(item.path, ""), fence))
    result.text = "\n\n".join(blocks)
    return result


def _steps(result: Rendered, items: Sequence[Evidence], fence: Fence) -> str:
    """Steps in one block, each under its number; lines in them that look like such a heading are broken."""
    from judge.fence import BREAK

    parts = []
    for item in items:
        text = _HEADING.sub(BREAK, item.text)
        parts.append(f"[step {item.step}]\n{_noticed(result, text, f'step {item.step}')}")
    return fence.wrap("trajectory", "\n".join(parts), numbered=False)


def _folds(item: Evidence, shown: Collection[str | None]) -> bool:
    return item.kind == EvidenceKind.GRAPH and item.path is not None and item.path in shown


def _item(result: Rendered, item: Evidence, above: str, fence: Fence) -> str:
    place = item.path or item.title
    label = _LABELS.get(item.kind, item.kind.value)
    title = item.title if item.kind != EvidenceKind.MAP else ""
    if item.images:
        title += f", {len(item.images)} image{'' if len(item.images) == 1 else 's'} attached"
        result.images += item.images
    folded = above if item.module == "read" and above else ""
    text = f"[{folded}]\n{item.text}" if folded else item.text
    return _block(result, label, title, text, fence, place)


def _block(result: Rendered, kind: str, title: str, text: str, fence: Fence, place: str) -> str:
    return fence.wrap(f"{kind} {title}".strip(), _noticed(result, text, place), numbered=False)


def _noticed(result: Rendered, text: str, place: str) -> str:
    """The text with its secrets masked; what was masked and what addresses the judge is noted."""
    from judge.redact import redact

    result.injection += [found for found in _addressing(text, place) if found not in result.injection]
    masked = redact(text)
    if masked.kinds:
        result.redacted.append(f"{place}: {', '.join(masked.kinds)}")
    return masked.text


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
