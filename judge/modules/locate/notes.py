"""What locating says of names that are not there, or that name more than one file."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from judge.modules.locate.match import Hit, Resolution
from judge.schemas import Evidence, EvidenceKind
from judge.tokens import count

_NAMED = 30
_MISSING = "not found as named"


def notes_on(item: Resolution, sure: Collection[str]) -> Iterator[Evidence]:
    """Notes on one named path.

    Args:
        item: What became of it.
        sure: Names that surely are paths; of others nothing is said when they are not there.

    Returns:
        Evidence of kind ``note``; for what is missing with ``missing`` and ``near`` among its facts.
    """
    if len(item.hits) > 1:
        names = ", ".join(f"`{hit.path}`" for hit in item.hits[:_NAMED])
        more = f" and {len(item.hits) - _NAMED} more" if len(item.hits) > _NAMED else ""
        yield _note(item.named, f"`{item.named}` names {len(item.hits)} files: {names}{more}.", (), "several files")
        return
    if item.empty_folder:
        yield _note(item.named, f"The folder `{item.named}` is there and holds no file.", (), "empty")
        return
    if not item.missing or item.named not in sure:
        return
    text = f"`{item.named}` is not in the workspace."
    if item.skipped:
        text += f" {item.skipped}."
    if item.near:
        text += " Nearest: " + "; ".join(f"`{hit.path}` ({hit.why})" for hit in item.near) + "."
    yield _note(item.named, text, item.near)


def _note(named: str, text: str, near: Sequence[Hit], what: str = _MISSING) -> Evidence:
    return Evidence(
        module="locate",
        kind=EvidenceKind.NOTE,
        title=f"{named}: {what}",
        text=text,
        why="named in the criterion",
        facts={"missing": named, "near": [hit.path for hit in near]} if what == _MISSING else {"named": named},
        tokens=count(text),
    )


def located(hit: Hit) -> Evidence:
    """A located file as evidence: path, reason and score; its text is read later."""
    return Evidence(
        module="locate",
        kind=EvidenceKind.FILE,
        title=hit.path,
        text="",
        path=hit.path,
        why=hit.why,
        facts={"score": round(hit.score, 3)},
    )
