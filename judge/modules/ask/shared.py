"""Evidence that several requirements of a task need: shown once, in the part of the prompt that all of them begin with.

A provider's cache keeps that part, so that each further requirement pays in full for its own rest alone. What goes into
it is chosen for the task as a whole from the evidence of all its requirements: the same evidence gives the same text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from judge.modules.ask.repeats import without_repeats
from judge.modules.ask.union import covered, united
from judge.schemas import Evidence, EvidenceKind
from judge.tokens import count

_T = TypeVar("_T")
_LEAST = 2
_SHARE = 6
"""Shared is what at least every sixth requirement needs: a cached token costs about a tenth of a new one."""
_GAIN = 0.85
"""What is shared must be shorter than what it replaces by more than this."""
_POINTED = 4_000
"""Tokens of what is shared up to which nobody needs to be told which parts are meant."""
_LOSSES = (
    (re.compile(r"\[… (\d+) tokens cut …\]"), 1),
    (re.compile(r"^\[… (\d+) lines of .+ …\]$", re.MULTILINE), 12),
)
"""Marks of what was left out and is shown nowhere, with the tokens that each of the number stands for."""
_IN_FILE = re.compile(r"^\[… (?:as in (.+), lines \d+-\d+|(.+) as it is now, all \d+ lines) …\]$", re.MULTILINE)
_IN_STEP = re.compile(r"^\[… \d+ lines as in step (\d+) …\]$", re.MULTILINE)
_TOUCH = re.compile(r"^(\d+) (?:was the last|touches)\b")


@dataclass(frozen=True, slots=True)
class Shared:
    """What is shown once for all requirements of a task.

    Attributes:
        items: Files, with what the graph says of them, in the order of their paths; then steps.
    """

    items: tuple[Evidence, ...] = ()
    _files: Mapping[str, Evidence] = field(default_factory=dict)
    _steps: Collection[int] = ()
    _kept: dict[tuple[object, ...], Any] = field(default_factory=dict, compare=False)

    def once(self, key: tuple[object, ...], make: Callable[[], _T]) -> _T:
        """What is made of the shared part for all requirements, made at the first one.

        Args:
            key: What it depends on, beside the shared part itself.
            make: Makes it.
        """
        if key not in self._kept:
            self._kept[key] = make()
        found: _T = self._kept[key]
        return found

    def own(self, evidence: Sequence[Evidence]) -> list[Evidence]:
        """What must still be shown for one requirement.

        Args:
            evidence: All evidence for it.
        """
        here = {item.path for item in evidence if item.module == "read" and not self._shows(item)}
        return list(self._rest(evidence, here))

    def pointer(self, evidence: Sequence[Evidence]) -> str:
        """Which of the shared parts one requirement is about, best first; empty when that is plain.

        Args:
            evidence: All evidence for it.
        """
        files = [item.path for item in evidence if item.module == "read" and item.path in self._files]
        steps = [str(item.step) for item in evidence if item.step in self._steps and item.kind == EvidenceKind.STEP]
        if sum(item.tokens for item in self.items) <= _POINTED or not (files or steps):
            return ""
        told = [f"step{'' if len(steps) == 1 else 's'} {', '.join(steps)}"] if steps else []
        return "; ".join([*([", ".join(path for path in files if path)] if files else []), *told])

    def tree(self, item: Evidence) -> Evidence:
        """The map without what it tells of the inside of files that are shown whole.

        Args:
            item: The map: lines of paths, with indented lines on what is in a file below.
        """
        whole = {path for path, shown in self._files.items() if shown.line == 1 and "lines left out" not in shown.text}
        rows: list[str] = []
        inside = False
        for row in item.text.split("\n"):
            inside = row.startswith("    ") if inside else False
            if not inside:
                rows.append(row)
                inside = row.partition("  (")[0] in whole
        return item.model_copy(update={"text": "\n".join(rows)})

    def _rest(self, evidence: Sequence[Evidence], here: Collection[str | None]) -> Iterator[Evidence]:
        for item in evidence:
            if item.kind == EvidenceKind.STEP:
                if item.step not in self._steps:
                    yield item
            elif item.path in self._files and item.path not in here and item.module in {"read", "graph", "locate"}:
                continue
            elif item.module == "retrieve" and item.kind == EvidenceKind.NOTE:
                yield from self._left_out(item)
            else:
                yield item

    def _shows(self, item: Evidence) -> bool:
        shown = self._files.get(item.path or "")
        if shown is None or len(shown.images) < len(item.images):
            return False
        return covered(item.text, shown.text) if item.line is not None else item.tokens <= shown.tokens

    def _left_out(self, note: Evidence) -> Iterator[Evidence]:
        """The note on steps that are not shown, without those that are shown to all."""
        steps = note.facts.get("steps")
        if not self._steps or not isinstance(steps, list):
            yield note
            return
        out = [number for number in steps if number not in self._steps]
        _, _, told = note.text.partition(" (")
        touches = [part for part in told.removesuffix(")").split("; ") if told and self._is_open(part)]
        if not out:
            return
        text = f"steps not shown: {ranges(out)}" + (f" ({'; '.join(touches)})" if touches else "")
        yield note.model_copy(update={"text": text, "facts": {"steps": out}, "tokens": count(text)})

    def _is_open(self, part: str) -> bool:
        match = _TOUCH.match(part)
        return match is None or int(match.group(1)) not in self._steps


def share(evidence: Sequence[Sequence[Evidence]], most: int) -> Shared:
    """Chooses what is shown once.

    Args:
        evidence: That of each requirement of a task.
        most: Tokens of all that is shared.

    Returns:
        The shared part; with nothing in it when no two requirements need the same.
    """
    least = max(_LEAST, -(-len(evidence) // _SHARE))
    left = most
    files: dict[str, Evidence] = {}
    for gain, item in sorted(_files(evidence, least), key=lambda pair: (-pair[0], pair[1].path or "")):
        if gain > 0 and item.tokens <= left:
            files[item.path or ""] = item
            left -= item.tokens
    steps: dict[int, Evidence] = {}
    for number, variants in sorted(_variants(evidence, least)):
        step = _best(variants, files, steps)
        if step is not None and step.tokens <= left:
            steps[number] = step
            left -= step.tokens
    ordered: list[Evidence] = []
    numbered = [(path, item.text) for path, item in files.items() if item.line is not None]
    for path in sorted(files):
        ordered += [*_notes(path, evidence), _short(files[path], numbered)]
    return Shared((*ordered, *(steps[number] for number in sorted(steps))), files, frozenset(steps))


def ranges(numbers: Sequence[int]) -> str:
    """Numbers as ranges.

    >>> ranges([1, 2, 3, 5])
    '1-3, 5'
    """
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ", ".join(str(part[0]) if len(part) == 1 else f"{part[0]}-{part[-1]}" for part in parts)


def _files(evidence: Sequence[Sequence[Evidence]], least: int) -> Iterator[tuple[int, Evidence]]:
    """Files that enough requirements need, each with the tokens that are saved by showing it once."""
    found: dict[str, list[Evidence]] = {}
    for items in evidence:
        for item in items:
            if item.module == "read" and item.path is not None:
                found.setdefault(item.path, []).append(item)
    for variants in found.values():
        if len(variants) < least:
            continue
        one = _one(variants)
        if one is not None:
            alone = sum(variant.tokens for variant in variants)
            yield (alone - one.tokens if one.tokens < _GAIN * alone else 0), one


def _one(variants: Sequence[Evidence]) -> Evidence | None:
    """One item that shows what all of them show."""
    longest = max(variants, key=lambda item: (len(item.images), item.tokens))
    if any(item.line is None for item in variants):
        return longest
    text = united([item.text for item in variants])
    if text is None:
        return None
    first = min(item.line for item in variants if item.line is not None)
    last = max(item.end_line or 0 for item in variants) or None
    return longest.model_copy(update={"text": text, "line": first, "end_line": last, "tokens": count(text)})


def _short(item: Evidence, others: Sequence[tuple[str, str]]) -> Evidence:
    """A text without lines of its own numbers, less what a file with them says as well."""
    return item if item.line is not None else item.model_copy(update={"text": without_repeats(item.text, others)})


def _notes(path: str, evidence: Sequence[Sequence[Evidence]]) -> Iterator[Evidence]:
    """What the graph says of a file to any requirement, each thing once."""
    notes = [item for items in evidence for item in items if item.kind == EvidenceKind.GRAPH and item.path == path]
    if not notes:
        return
    parts: dict[str, None] = {}
    lines: dict[str, None] = {}
    for note in notes:
        first, *rest = note.text.split("\n")
        parts |= dict.fromkeys(first.split("; ")) if not first.startswith("used in ") else {}
        lines |= dict.fromkeys(rest if not first.startswith("used in ") else [first, *rest])
    text = "\n".join([*(["; ".join(parts)] if parts else []), *lines])
    yield notes[0].model_copy(update={"text": text, "tokens": count(text)})


def _variants(evidence: Sequence[Sequence[Evidence]], least: int) -> Iterable[tuple[int, list[Evidence]]]:
    found: dict[int, list[Evidence]] = {}
    for items in evidence:
        for item in items:
            if item.kind == EvidenceKind.STEP and item.step is not None and item.module == "retrieve":
                found.setdefault(item.step, []).append(item)
    return ((number, variants) for number, variants in found.items() if len(variants) >= least)


def _best(variants: Sequence[Evidence], files: Collection[str], steps: Collection[int]) -> Evidence | None:
    """The wording of a step that loses least, among those that refer to nothing but what all are shown."""
    usable = [item for item in variants if _refers(item.text, files, steps)]
    return min(usable, key=lambda item: (_lost(item.text), item.tokens, item.text), default=None)


def _refers(text: str, files: Collection[str], steps: Collection[int]) -> bool:
    places = (match.group(1) or match.group(2) for match in _IN_FILE.finditer(text))
    return all(place in files for place in places) and all(int(number) in steps for number in _IN_STEP.findall(text))


def _lost(text: str) -> int:
    return sum(weight * int(number) for mark, weight in _LOSSES for number in mark.findall(text))
