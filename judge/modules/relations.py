"""The module ``graph`` in the pipeline: what the workspace graph says of the located files."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from judge.modules.base import Case
from judge.modules.graph.facts import Body, CodeFile
from judge.schemas import Evidence, EvidenceKind
from judge.text import split_lines

if TYPE_CHECKING:
    from judge.modules.graph.deferred import Lead
    from judge.modules.graph.facts import FileAccess

_NAMES = 8
_ACCESSES = 4
_CALLS = 3
_LINE = 160
_NAMED = 0.7
_LISTED = 5_000
_NAME = re.compile(r"^[^:*?]+\.\w{1,10}$")


class Relations:
    """Tells which code is reached, what is a stub, and which code writes or reads a located artefact."""

    name = "graph"

    async def gather(self, case: Case, found: Sequence[Evidence]) -> Sequence[Evidence]:
        """One item a located file with anything to say, and one for artefacts that are missing.

        Args:
            case: The requirement.
            found: What ``locate`` found.

        Returns:
            Evidence of kind ``graph``, a line or a few each; those with a path belong to what is read of that file.
        """
        return await asyncio.to_thread(lambda: list(_items(case, found)))


def _items(case: Case, found: Sequence[Evidence]) -> Iterator[Evidence]:
    located = {item.path for item in found if item.module == "locate" and item.kind is EvidenceKind.FILE}
    for item in found:
        missing = item.facts.get("missing")
        if isinstance(missing, str):
            lines = list(_accesses(case, missing)) or [f"no code in the workspace writes `{missing}`"]
            yield _evidence(f"code that writes {missing}", "; ".join(lines), None)
        elif item.module == "locate" and item.path is not None:
            code = case.graph.files.get(item.path)
            notes = list(_accesses(case, item.path)) if code is None else list(_about(case, code, sure=_sure(item)))
            lines = ["; ".join(notes)] if notes else []
            if code is not None and not code.entry and _sure(item):
                lines += _used(case, code, located)
            if lines:
                yield _evidence(item.path, "\n".join(lines), item.path)


def _sure(item: Evidence) -> bool:
    score = item.facts.get("score")
    return isinstance(score, (int, float)) and score >= _NAMED


def _accesses(case: Case, path: str) -> Iterator[str]:
    """Who writes and who reads a file: ``open`` and the writes that follow are one."""
    for pairs in (case.graph.writers(path), case.graph.readers(path)):
        seen: set[tuple[str, str, str]] = set()
        for source, access in pairs:
            key = (source, access.pattern, access.scope)
            if key not in seen and len(seen) < _ACCESSES:
                seen.add(key)
                yield _access(case, source, access, path)


def _access(case: Case, source: str, access: FileAccess, path: str) -> str:
    did = {"writes": "written by", "reads": "read by"}.get(access.access.value, access.access.value)
    scope = f" in {access.scope}" if access.scope else ""
    pattern = f" as `{access.pattern}`" if access.pattern and access.pattern != path else ""
    dead = "" if access.reachable else ", which no entry point gets to"
    return f"{did} {_place(case, source, access.line)}{scope}{pattern} ({access.call.rpartition('.')[2]}){dead}"


def _place(case: Case, source: str, line: int) -> str:
    """Path and line; in a notebook the cell, because its lines here are not those of the file."""
    for cell in case.graph.cells.get(source, ()):
        if cell.line <= line <= cell.end_line:
            return f"{source} cell {cell.number}"
    return f"{source}:{line}"


def _about(case: Case, code: CodeFile, *, sure: bool) -> Iterator[str]:
    if code.error:
        yield f"does not parse: {code.error}"
    if code.imported_by:
        yield "imported by " + ", ".join(code.imported_by[:_NAMES])
    elif not code.entry:
        yield "nothing imports it and it does not run by itself"
    stubs = [item.qualname for item in code.definitions if item.body is Body.STUB]
    if stubs:
        yield f"stub: {_some(stubs)}"
    dead = [item.qualname for item in code.definitions if not item.reachable]
    if dead:
        yield f"not reached from any entry point: {_some(dead)}"

    absent = list(dict.fromkeys(_absent(case, code))) if sure else []
    if absent:
        yield f"reads what is not in the workspace: {_some(absent)}"


def _absent(case: Case, code: CodeFile) -> Iterator[str]:
    """Files that code reads by a wholly known path and that nothing in the workspace can be."""
    from judge.modules.graph.facts import Access
    from judge.modules.graph.matching import HOLE, match

    for access in code.accesses:
        pattern = access.pattern
        if access.access is not Access.READ or access.folder or HOLE in pattern or not _NAME.search(pattern):
            continue
        paths = (*(entry.path for entry in case.graph.listing[:_LISTED]), *case.graph.folders[:_LISTED])
        if not any(match(pattern, path, code.path, anchored=access.anchored) for path in paths):
            yield pattern


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
    return ", ".join(names[:_NAMES]) + more


def _used(case: Case, code: CodeFile, shown: Iterable[str | None]) -> Iterator[str]:
    """Lines elsewhere that call what the file defines, when their file is not shown itself."""
    known = set(shown)
    left = _CALLS
    for path in code.imported_by:
        other = case.graph.files.get(path)
        if other is None or path in known:
            continue
        for call in _calls(case, path, code.path):
            if left <= 0:
                return
            left -= 1
            yield f"used in {_place(case, path, call.line)}: {_line(other, call.line)}"


def _calls(case: Case, other: str, path: str) -> Iterator[Lead]:
    """Calls in another file that lead to a file, one for each definition: reached ones first."""
    seen: set[str | int] = set()
    for call in sorted(case.graph.leads(other), key=lambda call: (not call.reachable, call.line)):
        if call.resolved.partition("::")[0] == path and not {call.resolved, call.line} & seen:
            seen |= {call.resolved, call.line}
            yield call


def _line(code: CodeFile, number: int) -> str:
    lines = split_lines(code.source)
    return lines[number - 1].strip()[:_LINE] if 0 < number <= len(lines) else ""


def _evidence(title: str, text: str, path: str | None) -> Evidence:
    from judge.tokens import count

    return Evidence(module="graph", kind=EvidenceKind.GRAPH, title=title, text=text, path=path, tokens=count(text))
