"""Run folders: continued, refused, moved aside, never shared and never lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.engine.folder import RunFolder, choose_folder
from judge.errors import InputError
from judge.schemas import Judgment, RunHeader, Setting, VerdictValue


def header(**changes: object) -> RunHeader:
    values: dict[str, object] = {
        "version": "1",
        "judge": "agent",
        "model": "scripted:s",
        "setting": Setting.BLACK_BOX,
        "modules": ("ask",),
        "inputs": {"task:a": "1", "workspace:a": "2"},
        "created": "2026-01-01T00:00:00+00:00",
    }
    return RunHeader.model_validate(values | changes)


def verdict(task: str = "a", value: VerdictValue = VerdictValue.SATISFIED) -> Judgment:
    return Judgment(task=task, requirement_id=0, verdict=value, reason="", confidence=1.0)


def fill(path: Path, head: RunHeader, value: VerdictValue = VerdictValue.SATISFIED) -> None:
    with RunFolder(path, head) as folder:
        folder.journal.append(verdict(value=value))


def test_same_arguments_continue_and_keep_the_first_start(tmp_path: Path) -> None:
    fill(tmp_path / "run", header())
    with RunFolder(tmp_path / "run", header(created="2027-01-01T00:00:00+00:00")) as folder:
        assert len(list(folder.journal.history())) == 1
        assert folder.header.created.startswith("2026")


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"model": "openai:x"}, "model: scripted:s -> openai:x"),
        ({"setting": Setting.GRAY_BOX}, "setting: black-box -> gray-box"),
        ({"gate": True}, "gate"),
        ({"modules": ("read", "ask")}, "modules: ask -> read,ask"),
        ({"prompts": {"judge": "9"}}, "prompts (judge)"),
        ({"options": {"ignore": ["*.csv"]}}, "options (ignore)"),
        ({"inputs": {"task:a": "1", "workspace:a": "3"}}, "workspace:a"),
    ],
)
def test_another_run_is_refused_and_named(tmp_path: Path, change: dict[str, object], named: str) -> None:
    fill(tmp_path / "run", header())
    before = (tmp_path / "run" / "verdicts.jsonl").read_bytes()
    with pytest.raises(InputError) as caught:
        RunFolder(tmp_path / "run", header(**change))
    assert named in str(caught.value) and "--fresh" in str(caught.value)
    assert (tmp_path / "run" / "verdicts.jsonl").read_bytes() == before


def test_a_changed_input_of_a_task_without_verdict_is_taken(tmp_path: Path) -> None:
    fill(tmp_path / "run", header(), VerdictValue.ERROR)
    with RunFolder(tmp_path / "run", header(inputs={"task:a": "1", "workspace:a": "3"})) as folder:
        assert folder.header.inputs["workspace:a"] == "3"


def test_more_tasks_may_join(tmp_path: Path) -> None:
    fill(tmp_path / "run", header())
    with RunFolder(tmp_path / "run", header(inputs={"task:b": "1"})) as folder:
        assert set(folder.header.inputs) == {"task:a", "workspace:a", "task:b"}


def test_fresh_moves_the_old_run_aside_every_time(tmp_path: Path) -> None:
    for _ in range(3):
        with RunFolder(tmp_path / "run", header(), fresh=True) as folder:
            folder.journal.append(verdict())
            assert len(list(folder.journal.history())) == 1
    assert sorted(item.name for item in tmp_path.iterdir()) == ["run", "run.old-1", "run.old-2"]
    assert (tmp_path / "run.old-1" / "verdicts.jsonl").stat().st_size > 0


def test_two_processes_never_share_a_folder(tmp_path: Path) -> None:
    with RunFolder(tmp_path / "run", header()):
        for fresh in (False, True):
            with pytest.raises(InputError, match="another judge run"):
                RunFolder(tmp_path / "run", header(), fresh=fresh)
    RunFolder(tmp_path / "run", header()).close()


def test_a_foreign_folder_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "me.png").write_bytes(b"x")
    for fresh in (False, True):
        with pytest.raises(InputError, match="not a run folder"):
            RunFolder(tmp_path / "photos", header(), fresh=fresh)
    assert [item.name for item in (tmp_path / "photos").iterdir()] == ["me.png"]


def test_what_a_kill_before_the_header_leaves_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    for name in (".lock", ".run.json.123.tmp", "verdicts.jsonl"):
        (tmp_path / "run" / name).write_bytes(b"")
    RunFolder(tmp_path / "run", header()).close()
    assert (tmp_path / "run" / "run.json").exists()


def test_a_broken_header_is_one_clear_error(tmp_path: Path) -> None:
    fill(tmp_path / "run", header())
    (tmp_path / "run" / "run.json").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match="no header of a run"):
        RunFolder(tmp_path / "run", header())


def test_the_default_folder_is_the_newest_one_of_the_same_run(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    first = choose_folder(runs, header())
    fill(first, header())
    fill(runs / "other", header(model="openai:x"))
    assert choose_folder(runs, header()) == first
    assert choose_folder(runs, header(), fresh=True) != first
    assert choose_folder(runs, header(inputs={"task:b": "1"})) not in {first, runs / "other"}


@pytest.mark.parametrize("fresh", [False, True])
def test_a_folder_of_somebody_else_that_has_a_run_json_is_left_as_it_is(tmp_path: Path, fresh: bool) -> None:
    folder = tmp_path / "project"
    (folder / "src").mkdir(parents=True)
    for name in ("run.json", ".draft.tmp", "src/.edit.tmp"):
        (folder / name).write_text("{}", encoding="utf-8")
    before = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))
    with pytest.raises(InputError, match="not a run folder"):
        RunFolder(folder, header(), fresh=fresh)
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*")) == before


def test_a_run_of_a_newer_format_is_refused(tmp_path: Path) -> None:
    fill(tmp_path / "run", header())
    place = tmp_path / "run" / "run.json"
    place.write_text(place.read_text(encoding="utf-8").replace('"schema_version": 1', '"schema_version": 99'), "utf-8")
    with pytest.raises(InputError, match="newer judge"):
        RunFolder(tmp_path / "run", header())
