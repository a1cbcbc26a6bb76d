"""Evidence as fenced text: secrets masked, hidden instructions noted, every place named."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from judge.modules.ask.thin import thin
from judge.schemas import Evidence, EvidenceKind, Image

if TYPE_CHECKING:
    from judge.fence import Fence

_NUMBERED = re.compile(r"^ {0,9}(\d{1,9})\| ?(.*)$")
_HEADING = re.compile(r"^(?=[ \t]*\[(?:step \d|file[s ]|note\b|search\b|memory\b|planning\b))", re.MULTILINE)
_LABELS = {
    EvidenceKind.MAP: "",
    EvidenceKind.FILE: "file",
    EvidenceKind.ARTEFACT: "file",
    EvidenceKind.GRAPH: "note",
    EvidenceKind.NOTE: "note",
}
_LONGEST = 240


@dataclass(slots=True)
class Rendered:
    """Evidence ready for a prompt.

    Attributes:
        text: One fenced block; empty when there is nothing to show.
        masks: Whether secrets are masked.
        images: Pictures, in the order of the parts.
        injection: Places whose text addresses the judge.
        redacted: Places whose secrets were masked, with their kinds.
    """

    text: str = ""
    masks: bool = True
    images: list[Image] = field(default_factory=list)
    injection: list[str] = field(default_factory=list)
    redacted: list[str] = field(default_factory=list)


def render(items: Sequence[Evidence], fence: Fence, label: str = "evidence", *, masks: bool = True) -> Rendered:
    """Fences evidence as one block of parts, each under a heading; a fence of its own for each would cost more.

    Args:
        items: What is shown. What the graph says of a file goes on top of the file's own part; located files that
            are not shown become one list.
        fence: Wraps the block.
        label: What the block is.
        masks: Whether secrets are masked.

    Returns:
        The text with what was noticed on the way.
    """
    result = Rendered(masks=masks)
    parts = []
    shown = {item.path for item in items if item.module == "read"}
    above = {item.path: item.text for item in items if _folds(item, shown)}
    unread = [item for item in items if item.module == "locate" and not item.text and item.path not in shown]
    if unread:
        lines = "\n".join(f"{item.path}: {item.why}" for item in unread)
        parts.append(_part(result, "note: files that fit, not shown", lines, "located files"))
    for item in items:
        if (item.text or item.images) and not _folds(item, shown):
            parts.append(_item(result, item, above.get(item.path, "")))
    if parts:
        result.text = fence.wrap(label, "\n".join(parts), numbered=False)
    return result


def _folds(item: Evidence, shown: Collection[str | None]) -> bool:
    return item.kind == EvidenceKind.GRAPH and item.path is not None and item.path in shown


def _item(result: Rendered, item: Evidence, above: str) -> str:
    if item.kind == EvidenceKind.STEP and item.step is not None:
        return _part(result, f"step {item.step}", item.text, f"step {item.step}")
    numbered = item.line is not None  # else what looks like a number belongs to the text
    title = f"{_LABELS.get(item.kind, item.kind.value)} {_title(item)}".strip()
    if item.images:
        title += f", {len(item.images)} image{'' if len(item.images) == 1 else 's'} attached"
        result.images += item.images
    folded = above if item.module == "read" and above else ""
    text = f"[{folded}]\n{item.text}" if folded else item.text
    return _part(result, title, text, item.path or item.title, numbered=numbered)


def _title(item: Evidence) -> str:
    """The title, unless a note tells the same."""
    told = item.kind is EvidenceKind.NOTE and item.title.partition(": ")[0] in item.text
    return "" if told else item.title


def _part(result: Rendered, title: str, text: str, place: str, *, numbered: bool = False) -> str:
    """A part under its heading; lines in it that look like a heading are broken."""
    from judge.fence import BREAK

    plain = " ".join(_masked(result, title, f"name of {place}").split())
    heading = plain if len(plain) <= _LONGEST else plain[:_LONGEST] + "…"
    result.injection += [found for found in _addressing(place, place) if found not in result.injection]  # its name
    body = _noticed(result, text, place)
    return f"[{heading}]\n{_HEADING.sub(BREAK, thin(body) if numbered else body)}"


def _noticed(result: Rendered, text: str, place: str) -> str:
    """The text with its secrets masked; what was masked and what addresses the judge is noted."""
    result.injection += [found for found in _addressing(text, place) if found not in result.injection]
    return _masked(result, text, place)


def _masked(result: Rendered, text: str, place: str) -> str:
    from judge.redact import redact

    if not result.masks:
        return text
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
