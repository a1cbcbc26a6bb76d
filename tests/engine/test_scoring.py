"""Scoring many submissions: what is finished stays, and is not done again."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.engine.scoring import JOURNAL, ScoreFolder
from judge.errors import InputError
from judge.results.score import SubmissionReport


def report(name: str, error: str = "") -> SubmissionReport:
    return SubmissionReport(submission=name, total=50.0, uncapped=50.0, dimensions=(), error=error)


def test_finished_submissions_are_there_after_reopening(tmp_path: Path) -> None:
    with ScoreFolder(tmp_path / "out") as folder:
        folder.add("a", report("a.py"))
        assert folder.finished("b") is None
    with ScoreFolder(tmp_path / "out") as folder:
        assert folder.finished("a") == report("a.py")
        assert not folder.notes
    with ScoreFolder(tmp_path / "out", fresh=True) as folder:
        assert folder.finished("a") is None


def test_an_error_of_ours_is_tried_again(tmp_path: Path) -> None:
    with ScoreFolder(tmp_path / "out") as folder:
        folder.add("a", report("a.py", error="the worker could not be run"))
        assert folder.finished("a") is None


def test_a_cut_last_line_is_removed_and_the_rest_kept(tmp_path: Path) -> None:
    with ScoreFolder(tmp_path / "out") as folder:
        folder.add("a", report("a.py"))
        folder.add("b", report("b.py"))
    path = tmp_path / "out" / JOURNAL
    data = path.read_bytes()
    for length in range(data.index(b"\n") + 1, len(data)):
        path.write_bytes(data[:length])
        with ScoreFolder(tmp_path / "out") as folder:
            assert folder.finished("a") is not None
            assert folder.finished("b") is None
            folder.add("c", report("c.py"))
        with ScoreFolder(tmp_path / "out") as folder:
            assert folder.finished("c") is not None


def test_damaged_lines_are_named_and_passed_over(tmp_path: Path) -> None:
    with ScoreFolder(tmp_path / "out") as folder:
        folder.add("a", report("a.py"))
    path = tmp_path / "out" / JOURNAL
    path.write_bytes(b'{"key": 3}\n\xff\xfe\n' + path.read_bytes())
    with ScoreFolder(tmp_path / "out") as folder:
        assert folder.finished("a") is not None
        assert len(folder.notes) == 1 and "2 damaged lines" in folder.notes[0]


def test_one_process_at_a_time(tmp_path: Path) -> None:
    with ScoreFolder(tmp_path / "out"), pytest.raises(InputError, match="another judge"):
        ScoreFolder(tmp_path / "out")


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be made"):
        ScoreFolder(tmp_path / "file" / "out")
