"""Which files are submissions, and what they are called."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.errors import InputError
from judge.score.submission import MAX_BYTES, find_submissions


def names(*paths: Path) -> dict[str, str]:
    return {item.name: item.model for item in find_submissions(paths)}


def test_files_folders_and_models(tmp_path: Path) -> None:
    for path in ("a.py", "one/0.py", "one/1.py", "two/deep/0.py", "__pycache__/x.py", ".git/x.py", "one/__init__.py"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("x = 1\n")
    (tmp_path / "notes.txt").write_text("")
    assert names(tmp_path) == {"a.py": "", "one/0.py": "one", "one/1.py": "one", "two/deep/0.py": "two/deep"}
    assert names(tmp_path / "one") == {"0.py": "", "1.py": ""}
    assert names(tmp_path / "one", tmp_path / "two") == {
        "one/0.py": "one",
        "one/1.py": "one",
        "two/deep/0.py": "two/deep",
    }
    assert names(tmp_path / "a.py", tmp_path / "a.py") == {"a.py": ""}


def test_two_files_of_one_name_stay_apart(tmp_path: Path) -> None:
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.py").write_text(f"name = '{folder}'\n")
    found = find_submissions([tmp_path / "x" / "a.py", tmp_path / "y" / "a.py"])
    assert len({item.name for item in found}) == len({item.source for item in found}) == 2


def test_links_that_leave_the_folder_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("key = 1\n")
    folder = tmp_path / "subs"
    folder.mkdir()
    (folder / "good.py").write_text("x = 1\n")
    (folder / "inside.py").symlink_to(folder / "good.py")
    (folder / "outside.py").symlink_to(tmp_path / "secret.py")
    (folder / "loop").symlink_to(folder)
    assert set(names(folder)) == {"good.py", "inside.py"}


def test_what_is_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        find_submissions([tmp_path / "nowhere"])
    with pytest.raises(InputError, match="no submission"):
        find_submissions([tmp_path])
    (tmp_path / "big.py").write_bytes(b"#" * MAX_BYTES)
    assert names(tmp_path) == {"big.py": ""}
    (tmp_path / "big.py").write_bytes(b"#" * (MAX_BYTES + 1))
    with pytest.raises(InputError, match="more than"):
        find_submissions([tmp_path])
