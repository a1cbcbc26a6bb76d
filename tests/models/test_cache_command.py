"""``judge cache``: what is kept, dropped and cleared, as a user sees it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judge.cli import main
from judge.cli.cache import parse_age, parse_size
from judge.errors import InputError
from judge.models.cache import ReplyStore


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """``judge cache`` with its folder below ``tmp_path``; gives exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "kept"))

    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as caught:
            main(["cache", *arguments])
        out, err = capsys.readouterr()
        return int(caught.value.code or 0), out, err

    return run


def fill(tmp_path: Path, count: int = 3) -> ReplyStore:
    store = ReplyStore(tmp_path / "kept" / "judge" / "responses")
    for number in range(count):
        store.put(f"{number}", "openai:[red]m", "http://s", b"x" * 2_000, tokens=1_000, cost=0.5)
    store.close()
    return store


def test_an_empty_cache_is_shown_and_not_made(cache: Any, tmp_path: Path) -> None:
    code, out, _ = cache("stats")
    assert (code, out.split(" in ")[0]) == (0, "0 answers, 0 B")
    assert json.loads(cache("stats", "--json")[1])["entries"] == 0
    assert cache("prune", "--older-than", "1d")[0] == 0
    assert cache("clear")[0] == 0
    assert not (tmp_path / "kept").exists()


def test_what_is_kept_is_shown_by_model(cache: Any, tmp_path: Path) -> None:
    fill(tmp_path)
    out = cache("stats")[1]
    for part in ("3 answers of", "openai:[red]m at http://s", "3,000 tokens", "$1.5000", "seconds old"):
        assert part in out
    value = json.loads(cache("stats", "--json")[1])
    assert value["models"][0]["entries"] == 3
    assert value["limit"] > value["size"] > 0


def test_pruning_and_clearing(cache: Any, tmp_path: Path) -> None:
    store = fill(tmp_path, 200)
    assert "dropped 0 answers" in cache("prune", "--older-than", "1h")[1]
    assert json.loads(cache("prune", "--max-size", "100k", "--json")[1])["dropped"] > 100
    assert store.path.stat().st_size < 110_000
    assert "dropped" in cache("prune", "--older-than", "0s")[1]
    assert cache("clear")[0] == 0
    assert not store.path.exists()


@pytest.mark.parametrize(
    "arguments",
    [("prune",), ("prune", "--older-than", "soon"), ("prune", "--max-size", "-1"), ("prune", "--max-size", "9X")],
)
def test_mistakes_are_one_line(cache: Any, arguments: tuple[str, ...]) -> None:
    code, out, err = cache(*arguments)
    assert (code, out) == (2, "")
    assert len(err.strip().splitlines()) == 1


def test_a_broken_file_is_told_and_cleared(cache: Any, tmp_path: Path) -> None:
    store = fill(tmp_path)
    store.path.write_bytes(b"garbage " * 1_000)
    code, _, err = cache("stats")
    assert code == 2
    assert "judge cache clear" in err
    assert cache("clear")[0] == 0
    assert cache("stats")[0] == 0


def test_another_folder(cache: Any, tmp_path: Path) -> None:
    fill(tmp_path)
    assert "0 answers" in cache("stats", "--cache-dir", str(tmp_path / "other"))[1]
    (tmp_path / "judge.toml").write_text('cache_dir = "mine"\n', encoding="utf-8")
    assert "mine" in cache("stats")[1]


@pytest.mark.parametrize(("text", "seconds"), [("30d", 2_592_000), ("1.5h", 5_400), ("0s", 0), (" 2 w ", 1_209_600)])
def test_ages(text: str, seconds: float) -> None:
    assert parse_age(text) == seconds


@pytest.mark.parametrize(("text", "size"), [("100M", 100_000_000), ("1.5k", 1_500), ("7", 7), ("2GB", 2_000_000_000)])
def test_sizes(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "d", "-1d", "1y", "1e9d"])
def test_no_ages(text: str) -> None:
    with pytest.raises(InputError):
        parse_age(text)
