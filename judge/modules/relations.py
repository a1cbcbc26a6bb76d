"""The module ``graph`` in the pipeline: what the workspace graph says of the located files."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from judge.modules.base import Case
from judge.modules.graph.facts import Body, CodeFile, Definition
from judge.schemas import Evidence, EvidenceKind

if TYPE_CHECKING:
    from judge.modules.graph.facts import FileAccess

_DEFINITIONS = 25
_ACCESSES = 12


class Relations:
    """Tells which code is reachable, what is a stub, and which code writes or reads a located artefact."""

    name = "graph"

    async def gather(self, case: Case, found: Sequence[Evidence]) -> Sequence[Evidence]:
        """One item a located file with anything to say, and one for artefacts that are missing.

        Args:
            case: The requirement.
            found: What ``locate`` found.

        Returns:
            Evidence of kind ``graph``.
        """
        return await asyncio.to_thread(lambda: list(_items(case, found)))


def _items(case: Case, found: Sequence[Evidence]) -> Iterator[Evidence]:
    for item in found:
        missing = item.facts.get("missing")
        if isinstance(missing, str):
            lines = list(_producers(case, missing)) or [f"No code in the workspace writes `{missing}`."]
            yield _evidence(f"Code that writes {missing}", lines, None)
        elif item.module == "locate" and item.path is not None:
            code = case.graph.files.get(item.path)
            lines = list(_producers(case, item.path)) if code is None else list(_about(code))
            if lines:
                yield _evidence(item.path, lines, item.path)


def _producers(case: Case, path: str) -> Iterator[str]:
    yield from _accesses([*case.graph.writers(path), *case.graph.readers(path)])


def _accesses(pairs: Iterable[tuple[str, FileAccess]]) -> Iterator[str]:
    """One line for each file that a piece of code touches: ``open`` and the writes that follow are one."""
    seen: set[tuple[str, str, str, str]] = set()
    for source, access in pairs:
        key = (source, access.access.value, access.pattern, access.scope)
        if key not in seen and len(seen) < _ACCESSES:
            seen.add(key)
            yield _access(source, access)


def _access(source: str, access: FileAccess) -> str:
    scope = f" in `{access.scope}`" if access.scope else ""
    dead = "" if access.reachable else "; no entry point gets there"
    return f"{source}:{access.line} {access.access.value} `{access.pattern or '?'}` with `{access.call}`{scope}{dead}"


def _about(code: CodeFile) -> Iterator[str]:
    if code.error:
        yield f"does not parse: {code.error}"
    if code.entry:
        yield f"runs by itself (line {code.entry_line})" if code.entry_line else "runs by itself"
    if code.imported_by:
        yield "imported by " + ", ".join(code.imported_by[:8])
    elif not code.entry:
        yield "nothing imports it and it does not run by itself"
    for item in code.definitions[:_DEFINITIONS]:
        yield _definition(item)
    yield from _accesses((code.path, access) for access in code.accesses)


def _definition(item: Definition) -> str:
    marks = []
    if item.body != Body.REAL:
        marks.append(f"body is {'a stub' if item.body == Body.STUB else 'trivial'}")
    if not item.reachable:
        marks.append("not reached from any entry point")
    tail = f" ({'; '.join(marks)})" if marks else ""
    return f"{item.kind.value} `{item.qualname}`, lines {item.line}-{item.end_line}{tail}"


def _evidence(title: str, lines: Sequence[str], path: str | None) -> Evidence:
    from judge.tokens import count

    text = "\n".join(lines)
    return Evidence(module="graph", kind=EvidenceKind.GRAPH, title=title, text=text, path=path, tokens=count(text))
