"""Names and endings of paths."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judge.workspace import Entry


@given(st.text(st.sampled_from("aB./ é\\"), max_size=12))
@example("a/b.tar.GZ")
@example("a/.")
@example("a/.hidden")
@example("..")
def test_the_name_is_the_last_part(path: str) -> None:
    entry = Entry(path, path.encode(), 0)
    assert entry.name == PurePosixPath(path).name
    before, dot, after = entry.name.rpartition(".")
    assert entry.suffix == (f".{after}".lower() if before and dot and after else "")


@pytest.mark.parametrize(
    ("path", "suffix"),
    [
        ("a/b.tar.GZ", ".gz"),
        (".env", ""),
        ("x/.env.Local", ".local"),
        ("a.b/c", ""),
        ("end.", ""),
        ("..x", ".x"),
        ("", ""),
    ],
)
def test_the_ending_is_in_lower_case_with_its_dot(path: str, suffix: str) -> None:
    assert Entry(path, path.encode(), 0).suffix == suffix
