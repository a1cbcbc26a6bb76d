"""The calls a model may make: each looks at the workspace through its door alone, and answers whatever is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from judge.modules.excerpt import numbered
from judge.modules.graph.outline import outline
from judge.modules.measured import facts_line
from judge.modules.overview import size
from judge.modules.planning.calls import TOOLS, Call
from judge.modules.search.module import SearchModule, chunk_evidence
from judge.modules.syntax import with_known_syntax
from judge.schemas import Evidence, EvidenceKind
from judge.text import split_lines
from judge.tokens import count, cut_end

if TYPE_CHECKING:
    from judge.modules.base import Case
    from judge.modules.retrieve import Retrieve
    from judge.workspace import Entry

_LISTED = 200
_FOUND = 4
_STEPS = 3
_ONE = 350
_LINES = 400
_GREPPED_FILES = 2_000
_GREPPED_BYTES = 1_000_000
_GREPPED_LINES = 30
_LINE_CHARS = 200


class Tools:
    """What can be called for one requirement."""

    def __init__(self, case: Case, finder: SearchModule, steps: Retrieve, tokens: int) -> None:
        """Takes what the calls use.

        Args:
            case: The requirement.
            finder: Searches the workspace.
            steps: Searches the trajectory.
            tokens: Of one result at most.
        """
        self._case = case
        self._finder = finder
        self._steps = steps
        self._tokens = tokens

    async def answer(self, call: Call) -> list[Evidence]:
        """What a call yields: at least one item, and never an exception for what was asked.

        Args:
            call: As the model made it; neither its name nor its path need be right.

        Raises:
            ProviderError: A server that makes embeddings did not answer.
            BudgetExceeded: The run's limit is reached.
        """
        if call.name == "search":
            return await self._search(call)
        if call.name == "retrieve":
            return await self._retrieve(call)
        return await asyncio.to_thread(self._answer, call)

    def _answer(self, call: Call) -> list[Evidence]:
        if call.name == "list":
            return [self._list(call)]
        if call.name == "grep":
            return [self._grep(call)]
        if call.name not in {"outline", "read"}:
            return [said(call, f"there is no such call; there are: {', '.join(TOOLS)}")]
        entry = self._case.workspace.find(call.path) if call.path else None
        if entry is None:
            folder = bool(call.path) and self._case.workspace.is_folder(call.path.rstrip("/"))
            return [said(call, "this is a folder" if folder else "there is no such file in the workspace")]
        return [self._outline(call, entry) if call.name == "outline" else self._read(call, entry)]

    def _list(self, call: Call) -> Evidence:
        folder = call.path.strip("/")
        folder = "" if folder in {"", ".", "workspace"} else folder.removeprefix("./")
        if folder and not self._case.workspace.is_folder(folder):
            return said(call, "there is no such folder in the workspace")
        entries: Iterable[Entry] = self._case.workspace.children(folder) if folder else self._case.workspace.files
        below = f"{folder}/" if folder else ""
        lines: dict[str, str] = {}
        for entry in entries:
            name, _, rest = entry.path.removeprefix(below).partition("/")
            lines.setdefault(f"{below}{name}/" if rest else entry.path, "" if rest else f" ({size(entry.size)})")
        rows = [f"{path}{told}" for path, told in list(lines.items())[:_LISTED]]
        if len(lines) > _LISTED:
            rows.append(f"… and {len(lines) - _LISTED} more")
        return self._note(call, "\n".join(rows) or "(no files)")

    def _outline(self, call: Call, entry: Entry) -> Evidence:
        code = self._case.graph.files.get(entry.path)
        text = outline(code) if code is not None else ""
        return self._note(call, text or "no definitions are known of this file; read it", path=entry.path)

    def _read(self, call: Call, entry: Entry) -> Evidence:
        document = with_known_syntax(self._case.documents.get(entry.path), self._case.graph.files.get(entry.path))
        lines = split_lines(document.text)
        header = facts_line(document)
        counted = document.lines_match or str(document.family) == "notebook"
        start = min(call.line, max(1, len(lines)))
        shown = list(enumerate(lines, start=1))[start - 1 : start - 1 + _LINES]
        body = numbered(shown) if counted else "\n".join(line for _, line in shown)
        rest = len(lines) - (start - 1 + len(shown))
        text = "\n".join(part for part in (header, body, f"… {rest} more lines" if rest > 0 else "") if part)
        text = cut_end(text or "[no text in it]", self._tokens)
        return Evidence(
            module="planning",
            kind=EvidenceKind.FILE,
            title=call.told,
            text=text,
            path=entry.path,
            line=start if counted else None,
            why=_why(call),
            problems=document.problems,
            tokens=count(text),
        )

    def _grep(self, call: Call) -> Evidence:
        if not call.query:
            return said(call, "there is nothing to look for")
        entries = self._within(call.path)
        if entries is None:
            return said(call, "there is no such file or folder in the workspace")
        rows: list[str] = []
        for row in self._matches(entries, call.query.casefold()):
            if len(rows) >= _GREPPED_LINES:
                rows.append("… and more")
                break
            rows.append(row)
        return self._note(call, "\n".join(rows) or "no line contains it", kind=EvidenceKind.SEARCH)

    def _within(self, path: str) -> Sequence[Entry] | None:
        if not path or path in {".", "/"}:
            return self._case.workspace.files
        entry = self._case.workspace.find(path)
        if entry is not None:
            return (entry,)
        folder = path.rstrip("/")
        return self._case.workspace.children(folder) if self._case.workspace.is_folder(folder) else None

    def _matches(self, entries: Sequence[Entry], wanted: str) -> Iterator[str]:
        for entry in entries[:_GREPPED_FILES]:
            text = self._case.workspace.read_text(entry, _GREPPED_BYTES)
            if wanted not in text.text.casefold():
                continue
            for number, line in enumerate(split_lines(text.text), start=1):
                if wanted in line.casefold():
                    yield f"{entry.path}:{number}: {line.strip()[:_LINE_CHARS]}"

    async def _search(self, call: Call) -> list[Evidence]:
        if not call.query:
            return [said(call, "there is nothing to look for")]
        rows = await self._finder.find(self._case, call.query)
        found = [(chunk, fit) for chunk, fit in rows if chunk.text][:_FOUND]
        items = [chunk_evidence(chunk, fit, "search", at, _ONE) for at, (chunk, fit) in enumerate(found, start=1)]
        return [_planned(item, call) for item in items] or [said(call, "nothing fits")]

    async def _retrieve(self, call: Call) -> list[Evidence]:
        if self._case.trajectory is None:
            return [said(call, "there is no trajectory")]
        items = await self._steps.find(self._case, call.query, _STEPS) if call.query else []
        return [_planned(item, call) for item in items] or [said(call, "no step fits")]

    def _note(
        self, call: Call, text: str, *, path: str | None = None, kind: EvidenceKind = EvidenceKind.NOTE
    ) -> Evidence:
        text = cut_end(text, self._tokens)
        return Evidence(
            module="planning", kind=kind, title=call.told, text=text, path=path, why=_why(call), tokens=count(text)
        )


def _planned(item: Evidence, call: Call) -> Evidence:
    return item.model_copy(update={"module": "planning", "why": _why(call)})


def said(call: Call, text: str) -> Evidence:
    """A call that could not be answered, with the reason."""
    return Evidence(
        module="planning",
        kind=EvidenceKind.NOTE,
        title=call.told,
        text=text,
        why=_why(call),
        facts={"answered": False},
        tokens=count(text),
    )


def _why(call: Call) -> str:
    return f"asked for by the model: {call.why}" if call.why else "asked for by the model"
