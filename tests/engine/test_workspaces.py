"""Which folder belongs to which task."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.engine.names import file_name
from judge.engine.workspaces import find_workspaces
from judge.errors import InputError


def folders(root: Path, *names: str) -> Path:
    for name in names:
        (root / name).mkdir(parents=True)
    return root


def test_exact_name_comes_before_the_number(tmp_path: Path) -> None:
    root = folders(tmp_path, "01_A", "01_A_copy", "02_old")
    found = find_workspaces(root, ["01_A", "02_B", "03_C"])
    assert {name: item.path.name for name, item in found.items()} == {"01_A": "01_A", "02_B": "02_old"}
    assert "02_old" in found["02_B"].note


def test_a_number_that_two_folders_share_decides_nothing(tmp_path: Path) -> None:
    assert find_workspaces(folders(tmp_path, "01_x", "01_y"), ["01_A", "02_B"]) == {}


def test_the_folder_of_another_task_is_never_taken(tmp_path: Path) -> None:
    root = folders(tmp_path, "01_A")
    assert find_workspaces(root, ["01_B"], known=["01_A", "01_B"]) == {}


def test_a_single_task_may_be_given_its_workspace(tmp_path: Path) -> None:
    root = folders(tmp_path, "src", "results")
    assert find_workspaces(root, ["01_A"])["01_A"].path == root
    assert find_workspaces(root, ["01_A", "02_B"]) == {}


def test_a_folder_of_other_workspaces_is_not_a_workspace(tmp_path: Path) -> None:
    assert find_workspaces(folders(tmp_path, "39_X"), ["40_Y"]) == {}


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no folder"):
        find_workspaces(tmp_path / "none", ["01_A"])


def test_file_names_stay_inside_their_folder_and_apart() -> None:
    hostile = ["../../etc/passwd", "..", ".", "", "a/b", "a\\b", "a\nb", "x" * 400, "\udc80", "a\0b", ".hidden"]
    names = [file_name(name) for name in hostile]
    assert len(set(names)) == len(hostile)
    for name in names:
        assert "/" not in name and "\0" not in name and name not in {"", ".", ".."} and len(name.encode()) < 250
    assert file_name("39_Drug_[v2] (final)") == "39_Drug_[v2] (final)"
