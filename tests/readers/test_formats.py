"""Every format of the table: a good, a damaged and hostile files, read the way the judge does."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judge.readers import Document, Limits, State, read_document
from judge.readers.isolate import Isolation
from judge.workspace import Workspace
from tests.readers.formats import ENTRIES, Entry, Make
from tests.readers.formats.entry import cut_in_half

_SOON = Limits().max_seconds + 5
"""Wall seconds for one file: its bound, and what starting the reading process takes on a busy machine."""

_SLOW = frozenset(
    {
        "webm: flipped bytes",
        "csv: two million rows",
        "Excel (xlsx): a row number beyond all bounds",
        "7z: a bomb",
        "csv in xz: a bomb in a bomb",
        "csv in bz2: a bomb in a bomb",
        "Excel (xlsx): a zip bomb",
        "png: 60,000 x 60,000 px",
        "gif: 1,500,000 frames",
        "JSON: 300,000 keys",
        "pickle: 30 million values",
        "zip: 30,000 members",
        "ico: 60,000 x 60,000 px inside",
        "XML: a million levels",
        "csv: a line of 100 MB",
        "text: a line of 100 MB",
        "zip: zips in zips",
    }
)
"""What takes seconds of work; each has a sibling that is as hostile and runs always."""


def _case(entry: Entry, what: str, make: Make) -> Any:
    name = f"{entry.name}: {what}"
    return pytest.param(entry, make, id=name, marks=[pytest.mark.slow] if name in _SLOW else [])


_HOSTILE = [_case(entry, what, make) for entry in ENTRIES for what, make in entry.hostile.items()]
_GOOD: dict[str, bytes] = {}


def ids(entry: Entry) -> str:
    return entry.name


def good(entry: Entry) -> Make:
    """Writes the good file, which its producer makes once: encoders and models take their time."""

    def run(path: Path) -> None:
        if entry.name not in _GOOD:
            entry.make_good(path)
            _GOOD[entry.name] = path.read_bytes() if path.is_file() else b""
        if _GOOD[entry.name]:
            path.write_bytes(_GOOD[entry.name])

    return run


def made(tmp_path: Path, isolation: Isolation, entry: Entry, make: Make, suffix: str = "") -> Document:
    if entry.missing:
        pytest.skip(f"needs {', '.join(entry.missing)}")
    path = tmp_path / f"sample{entry.suffixes[0]}"
    make(path)
    if suffix:
        path = path.rename(path.with_suffix(suffix))
    return read_document(Workspace.open(tmp_path), path.name, Limits(), isolation)


@pytest.mark.parametrize("entry", ENTRIES, ids=ids)
def test_a_good_file(tmp_path: Path, isolation: Isolation, entry: Entry) -> None:
    document = made(tmp_path, isolation, entry, good(entry))
    assert (document.state, document.family, document.problems) == (State.SOUND, entry.family, ())
    assert entry.text in document.text
    for name, expected in entry.facts.items():
        value: Any = document.facts.get(name)
        assert expected(value) if isinstance(expected, Callable) else value == expected, (name, value)  # type: ignore[arg-type]
    assert bool(document.images) == entry.image


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if len(entry.suffixes) > 1], ids=ids)
def test_its_other_extensions(tmp_path: Path, isolation: Isolation, entry: Entry) -> None:
    for number, suffix in enumerate(entry.suffixes[1:]):
        folder = tmp_path / str(number)
        folder.mkdir()
        document = made(folder, isolation, entry, good(entry), suffix)
        assert (document.state, document.family) == (State.SOUND, entry.family), suffix


@pytest.mark.parametrize("entry", ENTRIES, ids=ids)
def test_a_damaged_file(tmp_path: Path, isolation: Isolation, entry: Entry) -> None:
    document = made(tmp_path, isolation, entry, entry.make_damaged or cut_in_half(good(entry)))
    assert document.state in entry.damaged
    assert document.state is State.SOUND or document.problems


@pytest.mark.parametrize(("entry", "make"), _HOSTILE)
def test_a_hostile_file(tmp_path: Path, isolation: Isolation, entry: Entry, make: Make) -> None:
    started = time.monotonic()
    document = made(tmp_path, isolation, entry, make)
    assert time.monotonic() - started < _SOON + 5
    assert len(document.text) <= Limits().max_chars
    assert sum(len(image.data_base64) for image in document.images) < 20_000_000
    beside = tmp_path / "good"
    beside.mkdir()
    after = made(beside, isolation, entry, good(entry))
    assert (after.state, after.problems) == (State.SOUND, ())


def test_names_are_unique() -> None:
    names = [entry.name for entry in ENTRIES]
    assert len(names) == len(set(names))
