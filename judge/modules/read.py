"""The module ``read``: the content of the located files, within a token budget."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from judge.modules.base import Case
from judge.modules.excerpt import excerpt, numbered
from judge.schemas import Evidence, EvidenceKind
from judge.tokens import count, cut_middle

if TYPE_CHECKING:
    from judge.readers import Document

_LEAST = 120
_SURE = 0.7
_LIKELY = 0.35
_DATA_TOKENS = 700
_DATA_FAMILIES = frozenset({"table", "data", "database", "array", "model", "binary", "archive"})
_FACT_CHARS = 400
_TEXT_FAMILIES = frozenset({"code", "text", "markup", "notebook"})


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
        document = case.documents.get(item.path or "")
        evidence = _one(case, item, document, min(left, _budget(case, item, document)))
        left -= evidence.tokens
        yield evidence


def _budget(case: Case, item: Evidence, document: Document) -> int:
    """Tokens for one file: less for what is only perhaps meant, and for rows of data, of which a few tell all."""
    score = item.facts.get("score")
    tokens = case.bounds.file_tokens
    if isinstance(score, (int, float)):
        tokens = tokens if score >= _SURE else tokens // 2 if score >= _LIKELY else tokens // 5
    return min(tokens, _DATA_TOKENS) if str(document.family) in _DATA_FAMILIES else tokens


def _one(case: Case, item: Evidence, document: Document, tokens: int) -> Evidence:
    family = str(document.family)
    code = case.graph.files.get(document.path)
    if document.lines_match:
        words = case.requirement.criteria
        text, line, end = excerpt(document.text, tokens, words, code)
    else:
        text, line, end = (cut_middle(document.text, tokens) if document.text else ""), None, None
    header = facts_line(document)
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


def facts_line(document: Document) -> str:
    """What was measured of a file, on one line; empty for sound text."""
    plain = _plain(document.facts)
    state = str(document.state)
    parts = [document.format]
    if state != "sound":
        parts.append(state)
    parts += [f"{key} {_value(value)}" for key, value in plain.items()]
    parts += list(document.problems)
    if str(document.family) in _TEXT_FAMILIES and state == "sound" and not document.problems:
        return ""
    return ("[" + "; ".join(parts))[:_FACT_CHARS] + "]"


def _plain(facts: Any) -> dict[str, Any]:
    return {key: value for key, value in facts.items() if value not in (None, "", [], {})}


def _value(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, (list, tuple)):
        shown = ", ".join(str(item) for item in value[:8])
        return f"{shown}, … {len(value)} in all" if len(value) > 8 else shown
    return str(value)


__all__ = ["Read", "facts_line", "numbered"]
