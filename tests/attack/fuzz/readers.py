"""Everything that reads a file of others, as one function each: it returns, or raises an error that is the user's."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple


class Target(NamedTuple):
    """One reader with good files to start from."""

    name: str
    suffix: str
    seeds: tuple[bytes, ...]
    read: Callable[[Path], Any]


def _tasks(path: Path) -> Any:
    from judge.tasks import load_tasks

    return load_tasks([path])


def _labels(path: Path) -> Any:
    from judge.tasks import load_labels

    return load_labels(path)


def _trajectory(path: Path) -> Any:
    from judge.trajectories import load_trajectory

    return load_trajectory(path)


def _suite(path: Path) -> Any:
    from judge.score.suite import load_suite

    return load_suite(path)


def _sweep(path: Path) -> Any:
    from judge.engine.sweep import load_sweep

    return load_sweep(path)


def _config(path: Path) -> Any:
    from judge.config import load_settings

    return load_settings(config=path, environ={})


def _journal(path: Path) -> Any:
    from judge.engine.journal import Journal

    journal = Journal(path)
    try:
        return list(journal.history())
    finally:
        journal.close()


def _header(path: Path) -> Any:
    from judge.engine.header import read_header

    return read_header(path)


def _scored(path: Path) -> Any:
    from judge.engine.scoring import JOURNAL, ScoreFolder

    folder = path.with_suffix(".folder")
    folder.mkdir(exist_ok=True)
    (folder / JOURNAL).write_bytes(path.read_bytes())
    with ScoreFolder(folder) as opened:
        return opened.notes


def _graph_cache(path: Path) -> Any:
    from judge.modules.graph.cache import GraphCache

    folder = path.with_suffix(".graph")
    folder.mkdir(exist_ok=True)
    names = [item.name for item in folder.iterdir()] or ["facts.sqlite"]
    (folder / names[0]).write_bytes(path.read_bytes())
    cache = GraphCache(folder)
    found = cache.load(["a", "b"])
    assert all(value == b"[1]" for value in found.values()), "a damaged cache gave a wrong value"
    cache.save({"a": b"[1]"})
    return found


def _reply_cache(path: Path) -> Any:
    from judge.models.cache.store import NAME, ReplyStore, StoreError

    folder = path.with_suffix(".replies")
    folder.mkdir(exist_ok=True)
    for item in folder.iterdir():
        item.unlink()
    (folder / NAME).write_bytes(path.read_bytes())
    store = ReplyStore(folder)
    try:
        store.get("a")
        store.put("b", "m", "s", b"{}", tokens=1, cost=None)
        return store.stats()
    except StoreError as error:
        assert "\n" not in str(error)
        return None
    finally:
        store.close()


def _seeds(root: Path, pattern: str, most: int = 12) -> tuple[bytes, ...]:
    return tuple(path.read_bytes() for path in sorted(root.glob(pattern))[:most] if path.is_file())


def targets(root: Path, made: dict[str, bytes]) -> Iterator[Target]:
    """All of them.

    Args:
        root: The checkout.
        made: Files that the program itself wrote: ``verdicts``, ``header``, ``scored``, ``graph``, ``replies``.
    """
    yield Target("tasks", ".json", _seeds(root, "devai/tasks/*.json"), _tasks)
    yield Target("labels", ".json", _seeds(root, "devai/labels/*.json"), _labels)
    yield Target("suite", ".yaml", _seeds(root, "devai/suites/*/suite.yaml", 20), _suite)
    yield Target("sweep", ".yaml", _seeds(root, "devai/sweeps/*.yaml"), _sweep)
    yield Target("config", ".toml", (CONFIG,), _config)
    yield Target("verdict log", ".jsonl", (made["verdicts"],), _journal)
    yield Target("run header", ".json", (made["header"],), _header)
    yield Target("score log", ".jsonl", (made["scored"],), _scored)
    yield Target("graph cache", ".sqlite", (made["graph"],), _graph_cache)
    yield Target("reply cache", ".sqlite", (made["replies"],), _reply_cache)
    for path in sorted((root / "trajectories" / "samples").rglob("*")):
        if path.is_file() and path.stat().st_size < 200_000:
            format = path.relative_to(root / "trajectories" / "samples").parts[0]
            yield Target(f"trajectory {format}/{path.name}", path.suffix, (path.read_bytes(),), _trajectory)


CONFIG = b"""model = "openai:gpt-5-mini"
modules = ["graph", "locate", "read", "retrieve", "ask"]
max_cost = 1.5
votes = 3

[servers.local]
base_url = "http://localhost:8000/v1"
"""


def scored_line() -> bytes:
    """One finished submission as the program writes it."""
    from judge.results.score import SubmissionReport

    report = SubmissionReport(submission="a.py", total=50.0, uncapped=50.0, dimensions=())
    return json.dumps({"key": "k", "report": report.model_dump(mode="json")}).encode() + b"\n"
