"""The append-only file of verdicts survives crashes at any byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.engine.journal import Journal
from judge.errors import InputError
from judge.schemas import Judgment, VerdictValue


def verdict(number: int, value: VerdictValue = VerdictValue.SATISFIED, **more: object) -> Judgment:
    return Judgment.model_validate(
        {"task": "t", "requirement_id": number, "verdict": value, "reason": "r\nr", "confidence": 0.5, **more}
    )


def test_lines_come_back_in_order_and_the_last_one_counts(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "v.jsonl")
    journal.append(verdict(0, VerdictValue.ERROR, error="down"))
    journal.append(verdict(1))
    journal.append(verdict(0))
    journal.close()
    again = Journal(tmp_path / "v.jsonl")
    again.close()
    assert [item.requirement_id for item in again.history()] == [0, 1, 0]
    assert again.verdicts("t").values_only == dict.fromkeys((0, 1), VerdictValue.SATISFIED)
    assert [again.verdicts("t")[number].verdict for number in (0, 1)] == [VerdictValue.SATISFIED] * 2
    assert not again.notes


def test_a_cut_at_any_byte_loses_at_most_the_last_line(tmp_path: Path) -> None:
    path = tmp_path / "v.jsonl"
    journal = Journal(path)
    journal.append(verdict(0, reason="ünïcode ✓"))
    first = path.stat().st_size
    journal.append(verdict(1, reason="ünïcode ✓"))
    journal.close()
    whole = path.read_bytes()
    for cut in (first, *range(first + 1, len(whole), 13), len(whole) - 1):
        path.write_bytes(whole[:cut])
        again = Journal(path)
        assert [item.requirement_id for item in again.history()] == [0]
        assert bool(again.notes) == (cut != first)
        again.append(verdict(2))
        again.close()
        reread = Journal(path)
        reread.close()
        assert [item.requirement_id for item in reread.history()] == [0, 2]


def test_damage_in_the_middle_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "v.jsonl"
    path.write_text('{"task": "t"}\n' + verdict(1).model_dump_json() + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 1"):
        Journal(path)


def test_half_a_character_can_be_recorded(tmp_path: Path) -> None:
    path = tmp_path / "v.jsonl"
    journal = Journal(path)
    journal.append(verdict(0, reason="a\udc80b", citations=[{"path": "x", "quote": "\ud83d"}]))
    journal.close()
    again = Journal(path)
    again.close()
    assert next(again.history()).reason.startswith("a")
