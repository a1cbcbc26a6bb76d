"""The module ``read``: the content of the located files, within a token budget."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from judge.modules.base import Case
from judge.modules.excerpt import excerpt, numbered
from judge.modules.measured import facts_line
from judge.modules.syntax import with_known_syntax
from judge.schemas import Evidence, EvidenceKind
from judge.text import split_lines
from judge.tokens import count, cut_middle

if TYPE_CHECKING:
    from judge.readers import Document

_LEAST = 120
_SURE = 0.7
_LIKELY = 0.5
_DATA_TOKENS = 700
_ROW_TOKENS = 300
_ROWS = 4
_WHOLE_ROWS = 12
_DATA_FAMILIES = frozenset({"table", "data", "database", "array", "model", "binary", "archive"})
_TEXT_FAMILIES = frozenset({"code", "text", "markup", "notebook"})
_ROW_FORMATS = frozenset({"csv", "tsv", "jsonl"})


class Read:
    """Reads located files, best first, until the budget is used."""

    name = "read"

    async def gather(self, case: Case, found: Sequence[Evidence]) -> Sequence[Evidence]:
        """One item a file: its text with line numbers, or the facts and the text of an artefact.

        Args:
            case: The requirement.
            found: What ``locate`` found.

        Returns:
            Evidence of kind ``file`` or ``artefact``; pictures attached where the model sees.
        """
        return await asyncio.to_thread(lambda: list(_read(case, found)))


def _read(case: Case, found: Sequence[Evidence]) -> Iterator[Evidence]:
    left = case.bounds.read_tokens
    located = [item for item in found if item.module == "locate" and item.path is not None and not item.text]
    for item in located:
        if left < _LEAST:
            break
        # A model that does not see gets what is written on a picture; one that sees reads that itself.
        blind = case.model is not None and not case.model.sees_images
        document = case.documents.get(item.path or "", ocr=blind and _score(item) >= _LIKELY)
        document = with_known_syntax(document, case.graph.files.get(document.path))
        evidence = _one(case, item, document, min(left, _budget(case, item, document)))
        left -= evidence.tokens
        yield evidence


def _budget(case: Case, item: Evidence, document: Document) -> int:
    """Tokens for one file: less for what is only perhaps meant, and for rows of data, of which a few tell all."""
    score = _score(item)
    tokens = case.bounds.file_tokens
    tokens = tokens if score >= _SURE else tokens // 3 if score >= _LIKELY else tokens // 6
    return min(tokens, _DATA_TOKENS) if str(document.family) in _DATA_FAMILIES else tokens


def _score(item: Evidence) -> float:
    """How sure ``locate`` is of a file; quite, where it does not say."""
    score = item.facts.get("score")
    return float(score) if isinstance(score, (int, float)) else 1.0


def _one(case: Case, item: Evidence, document: Document, tokens: int) -> Evidence:
    family = str(document.family)
    header = facts_line(document)
    text, line, end = _content(case, document, tokens)
    full = f"{header}\n{text}" if text and header else text or header
    full = cut_middle(full, tokens)  # the header and the marks of gaps come on top of what was chosen
    sees = case.model is not None and case.model.sees_images
    return Evidence(
        module="read",
        kind=EvidenceKind.FILE if family in _TEXT_FAMILIES else EvidenceKind.ARTEFACT,
        title=document.path,
        text=full,
        path=document.path,
        line=line,
        end_line=end,
        why=item.why,
        facts={"format": document.format, "family": family, "state": str(document.state), **_plain(document.facts)},
        images=document.images if sees else (),
        problems=document.problems,
        tokens=count(full),
    )


def _content(case: Case, document: Document, tokens: int) -> tuple[str, int | None, int | None]:
    """The text that is shown, with its first and last line when lines are numbered."""
    if document.format in _ROW_FORMATS and document.lines_match:
        return _rows(document.text, min(tokens, _ROW_TOKENS))
    if document.lines_match:
        return excerpt(document.text, tokens, case.requirement.criteria, case.graph.files.get(document.path))
    if str(document.family) == "notebook":  # its lines are those of its cells as they are shown here
        return excerpt(document.text, tokens, case.requirement.criteria, None)
    if str(document.family) == "image":  # the facts say it all, but for what is written on it
        return cut_middle("\n".join(_writing(document)), tokens), None, None
    return (cut_middle(document.text, tokens) if document.text else ""), None, None


def _writing(document: Document) -> Iterator[str]:
    lines = document.facts.get("writing") or ()
    if lines:
        yield "Written on it:"
        yield from (str(line) for line in lines)


def _rows(text: str, tokens: int) -> tuple[str, int | None, int | None]:
    """A short table whole; of a long one the first rows and the last, which show what the facts cannot."""
    lines = split_lines(text)
    if not lines:
        return "", 1, 1
    whole = numbered(enumerate(lines[:_WHOLE_ROWS], start=1))
    if len(lines) <= _WHOLE_ROWS and count(whole) <= tokens:
        return whole, 1, len(lines)
    first = list(enumerate(lines[: _ROWS + 1], start=1))
    if len(lines) <= len(first) + 1:
        return cut_middle(numbered(first + list(enumerate(lines, start=1))[len(first) :]), tokens), 1, len(lines)
    gap = f"… {len(lines) - len(first) - 1} lines left out …"
    shown = f"{numbered(first)}\n{gap}\n{numbered([(len(lines), lines[-1])])}"
    return cut_middle(shown, tokens), 1, len(lines)


def _plain(facts: Any) -> dict[str, Any]:
    return {key: value for key, value in facts.items() if value not in (None, "", [], {})}


__all__ = ["Read", "facts_line", "numbered"]
