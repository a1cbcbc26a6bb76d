"""What ``judge doctor`` advises, in lines that fit, and in the words of ``judge cache``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from judge.cli import installed
from judge.models.cache import ReplyStore

Judge = Any


@pytest.fixture
def lacking(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [("align", []), ("ocr", ["rapidocr"]), ("data", ["h5py", "pyarrow"])]
    monkeypatch.setattr(installed, "extras", lambda: iter(found))


@pytest.mark.usefixtures("lacking")
def test_a_checkout_is_told_its_own_command(tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()
    for name in ("scripts/judge", "pyproject.toml"):
        (tmp_path / name).touch()
    line = installed.extras_line(tmp_path)
    assert line.startswith("align; ocr lacks rapidocr; data lacks h5py, pyarrow; ")
    assert "JUDGE_EXTRAS=all scripts/judge" in line and "pip" not in line


@pytest.mark.usefixtures("lacking")
def test_an_installed_program_is_told_to_use_pip(tmp_path: Path) -> None:
    line = installed.extras_line(tmp_path)
    assert line.endswith("pip install 'judge[ocr,data]'") and "scripts" not in line


def test_no_list_makes_a_long_line_and_nothing_is_lost(judge: Judge) -> None:
    shown = judge("doctor").out
    checks = judge("doctor", "--json").json()["checks"]
    longest = max(len(check["detail"]) for check in checks if check["name"] == "packages")
    assert longest > 300 and max(map(len, shown.splitlines())) < max(121, longest / 2)
    whole = " ".join(shown.split())
    assert all(" ".join(check["detail"].split()) in whole for check in checks)


def test_doctor_and_cache_tell_the_same_of_kept_answers(judge: Judge, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    for number in range(3):
        store = ReplyStore(kept)
        store.put(f"{number}", "openai:m", "http://s", b"x" * 2_000, tokens=10, cost=None)
        store.close()
        checks = {
            item["name"]: item["detail"] for item in judge("doctor", "--cache-dir", kept, "--json").json()["checks"]
        }
        told = judge("cache", "stats", "--cache-dir", kept).out.partition(" in ")[0]
        assert told.startswith(f"{number + 1} answer{'s' if number else ''} of openai:m, ")
        assert checks["answers"].partition(" in ")[0] == told
