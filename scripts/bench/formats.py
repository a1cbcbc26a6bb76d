"""Prints what the readers give for each format of the table of formats, measured on files made on the spot.

Usage: python scripts/bench/formats.py [--all] [NAME ...]

Without names, a Markdown table of all formats; `--all` adds how each hostile file was answered, and how fast. It fails
when a reader raises, hangs, or does not read the good file.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from judge.readers import Document, Limits, State, read_document  # noqa: E402
from judge.readers.isolate import Isolation  # noqa: E402
from judge.workspace import Workspace  # noqa: E402
from tests.readers.formats import ENTRIES, Entry, Make  # noqa: E402

YES, NO = "yes", "–"


def read(entry: Entry, make: Make, isolation: Isolation) -> tuple[Document, float]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"sample{entry.suffixes[0]}"
        make(path)
        workspace = Workspace.open(Path(folder))
        started = time.perf_counter()
        document = read_document(workspace, path.name, Limits(), isolation)
        return document, time.perf_counter() - started


def told(document: Document) -> int:
    """Facts beyond those that every file has."""
    return sum(1 for name in document.facts if name not in {"size", "lines", "encoding"})


def row(entry: Entry, isolation: Isolation, answers: list[str]) -> tuple[str, bool]:
    name = f"{entry.name} ({' '.join(entry.suffixes)})"
    extra = f"`judge[{entry.extra}]`" if entry.extra else NO
    if entry.missing:
        return f"| {name} | {extra} | not measured: needs {', '.join(entry.missing)} | | | | |", True
    good, seconds = read(entry, entry.make_good, isolation)
    damaged, _ = read(entry, entry.damage, isolation)
    answers.append(f"{entry.name}: good: {good.state}, {seconds:.2f} s")
    answers.append(f"{entry.name}: damaged: {damaged.state} ({'; '.join(damaged.problems[:2])})")
    worst = 0.0
    for what, make in entry.hostile.items():
        hostile, took = read(entry, make, isolation)
        worst = max(worst, took)
        answers.append(f"{entry.name}: {what}: {hostile.state}, {took:.2f} s ({'; '.join(hostile.problems[:2])})")
    bound = f"{len(entry.hostile)} in {worst:.1f} s at most" if entry.hostile else NO
    cells = [
        name,
        extra,
        YES if good.text else NO,
        str(told(good)),
        YES if good.images else NO,
        "not told" if damaged.state is State.SOUND else str(damaged.state),
        bound,
    ]
    return f"| {' | '.join(cells)} |", good.state is State.SOUND and worst < Limits().max_seconds + 3


def table(entries: list[Entry], answers: list[str]) -> Iterator[tuple[str, bool]]:
    yield "| format | extra | text | facts | image part | damaged file is | hostile files answered |", True
    yield "|---|---|---|---:|---|---|---|", True
    isolation = Isolation()
    try:
        for entry in entries:
            yield row(entry, isolation, answers)
    finally:
        isolation.close()


def main() -> int:
    names = [name for name in sys.argv[1:] if not name.startswith("-")]
    answers: list[str] = []
    well = True
    for line, good in table([entry for entry in ENTRIES if not names or entry.name in names], answers):
        print(line, flush=True)
        well = well and good
    if "--all" in sys.argv[1:]:
        print("\n" + "\n".join(answers))
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
