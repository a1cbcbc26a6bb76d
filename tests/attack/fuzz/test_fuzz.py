"""Damaged and hostile files: one clear line each, no traceback, no hang, nothing lost in silence."""

from __future__ import annotations

import os
import random
import signal
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from judge.errors import JudgeError
from tests.attack.fuzz.mutate import damaged
from tests.attack.fuzz.readers import Target, scored_line, targets

INPUTS = int(os.environ.get("JUDGE_FUZZ_INPUTS", "2000"))
"""Over all readers together; the nightly job asks for more."""
SEED = int(os.environ.get("JUDGE_FUZZ_SEED", "0"))
_SECONDS = 15
ROOT = Path(__file__).resolve().parents[3]


class Hang(BaseException):
    """No reader may need this long for a small file."""


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    def over(*_: Any) -> None:
        raise Hang

    before = signal.signal(signal.SIGALRM, over)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def made_by_the_program() -> dict[str, bytes]:
    """A verdict log, a header and caches as they are written."""
    from judge.models.cache.store import NAME, ReplyStore
    from judge.modules.graph.cache import GraphCache
    from judge.schemas import Judgment, RunHeader, VerdictValue

    lines = [
        Judgment(task="01_A", requirement_id=number, verdict=VerdictValue.SATISFIED, reason="é\u2028", confidence=0.5)
        for number in range(4)
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cache = GraphCache(folder / "graph")
        cache.save({"a": b"[1]", "b": b"[1]"})
        store = ReplyStore(folder / "replies")
        (folder / "replies").mkdir(exist_ok=True)
        store.put("a", "m", "s", b"{}", tokens=1, cost=None)
        store.close()
        graph = next(path for path in (folder / "graph").iterdir() if path.is_file()).read_bytes()
        replies = (folder / "replies" / NAME).read_bytes()
    return {
        "verdicts": b"".join(line.model_dump_json().encode() + b"\n" for line in lines),
        "header": RunHeader.model_construct().model_dump_json().encode(),
        "scored": scored_line() * 3,
        "graph": graph,
        "replies": replies,
    }


ALL = list(targets(ROOT, made_by_the_program()))


def read_one(target: Target, path: Path, data: bytes) -> Any:
    """Reads a file; an error must be the user's and one line of bounded length without control characters."""
    path.write_bytes(data)
    try:
        with at_most(_SECONDS), warnings.catch_warnings():
            warnings.simplefilter("error")
            return target.read(path)
    except JudgeError as error:
        text = str(error)
        assert text.strip(), "an error without words"
        assert "\n" not in text and len(text) < 4000, text[:300]
        return error


@pytest.mark.parametrize("target", ALL, ids=lambda target: target.name)
def test_damaged_files(target: Target, tmp_path: Path) -> None:
    draw = random.Random(f"{SEED} {target.name}")
    for number in range(max(1, INPUTS // len(ALL))):
        data = damaged(draw.choice(target.seeds), draw)
        try:
            read_one(target, tmp_path / f"x{target.suffix}", data)
        except (Exception, Hang) as error:
            keep = (
                Path(tempfile.gettempdir()) / f"fuzz-{target.name.replace('/', '-').replace(' ', '-')}{target.suffix}"
            )
            keep.write_bytes(data)
            raise AssertionError(f"input {number} of {target.name}, kept as {keep}: {error!r}") from error


@pytest.mark.parametrize(
    "target", [item for item in ALL if item.name in ("verdict log", "score log")], ids=lambda target: target.name
)
def test_a_log_cut_anywhere_keeps_every_whole_line(target: Target, tmp_path: Path) -> None:
    data = target.seeds[0]
    for length in range(len(data) + 1):
        found = read_one(target, tmp_path / "x.jsonl", data[:length])
        assert not isinstance(found, JudgeError), (length, str(found))
        if target.name == "verdict log":
            assert len(found) == data[:length].count(b"\n"), f"cut after {length} bytes"


@pytest.mark.parametrize("name", ["tasks", "labels", "config", "suite", "sweep"])
def test_a_small_file_cut_anywhere(name: str, tmp_path: Path) -> None:
    target = next(item for item in ALL if item.name == name)
    data = min(target.seeds, key=len)
    step = max(1, len(data) // max(60, INPUTS // 20))
    for length in range(0, len(data), step):
        read_one(target, tmp_path / f"x{target.suffix}", data[:length])


def test_the_alarm_ends_a_hang() -> None:
    with pytest.raises(Hang), at_most(1):
        while True:
            pass
