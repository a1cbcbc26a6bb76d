"""Good files with some bytes changed: there is always a document, in time, and the reading process lives on."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from judge.readers import Limits, Source
from judge.readers.choose import choose, suffix_of
from judge.readers.isolate import Isolation
from judge.readers.perform import perform
from tests.readers.formats import ARCHIVES, DATA, DOCUMENTS, MODELS, Entry

_ROUNDS = 8


def mutated(good: bytes, chance: random.Random) -> bytes:
    """The bytes with a few of them overwritten, left out, or put in twice; mostly near the beginning."""
    data = bytearray(good)
    kind = chance.choice(["flip", "cut", "insert", "zero", "high", "double"])
    for _ in range(chance.choice([1, 1, 3, 20])):
        if not data:
            break
        at = chance.randrange(min(len(data), chance.choice([200, len(data)])))
        if kind == "flip":
            data[at] = chance.randrange(256)
        elif kind == "cut":
            del data[at : at + chance.choice([1, 4, 100])]
        elif kind == "insert":
            data[at:at] = chance.randbytes(chance.choice([1, 4, 60]))
        elif kind in {"zero", "high"}:
            size = min(8, len(data) - at)
            data[at : at + size] = (b"\0" if kind == "zero" else b"\xff") * size
        else:
            data[at:at] = data[at : at + 300]
    return bytes(data) or b"x"


@pytest.mark.parametrize("entry", (*DOCUMENTS, *DATA, *ARCHIVES, *MODELS), ids=lambda entry: entry.name)
def test_changed_bytes_give_a_document(tmp_path: Path, isolation: Isolation, entry: Entry) -> None:
    if entry.missing:
        pytest.skip(f"needs {', '.join(entry.missing)}")
    path = tmp_path / f"a{entry.suffixes[0]}"
    entry.make_good(path)
    good = path.read_bytes()
    chance = random.Random(entry.name)
    for _ in range(_ROUNDS):
        data = mutated(good, chance)
        source = Source(path.name, suffix_of(path.name), data, len(data), False)
        reader = choose(source).reader
        started = time.monotonic()
        found = (isolation.read if reader.isolated else perform)(reader, source, Limits())
        assert time.monotonic() - started < Limits().max_seconds
        said = " ".join(found.problems)
        assert "broke down" not in said and "longer than" not in said
        found.text.encode()
