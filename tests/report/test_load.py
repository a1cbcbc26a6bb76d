"""What a report knows of a run: verdicts, blocked paths, excerpts, evidence, labels, and what is damaged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from judge.engine.reporting import load_report
from judge.errors import InputError
from judge.report.model import State


def _labels(folder: Path, name: str, values: list[tuple[str, bool | None]]) -> Path:
    folder.mkdir(exist_ok=True)
    listed = [{"requirement_id": n, "criteria": text, "satisfied": value} for n, (text, value) in enumerate(values)]
    (folder / f"{name}.json").write_text(json.dumps({"name": name, "requirements": listed}), encoding="utf-8")
    return folder


def test_the_last_verdict_counts_and_all_attempts_are_paid(small: Path) -> None:
    (run,) = load_report([small]).runs
    first = run.tasks[0].requirements[0]
    assert first.state == State.UNSATISFIED
    assert first.usage is not None and first.usage.calls == 2 and first.usage.cost == pytest.approx(0.025)
    assert run.usage is not None and run.usage.calls == 2
    assert (run.counts.satisfied, run.counts.unsatisfied, run.counts.errors, run.counts.pending) == (2, 1, 1, 1)
    assert run.tasks[1].requirements[1].state == State.PENDING


def test_blocked_paths(small: Path) -> None:
    alpha = load_report([small]).runs[0].tasks[0]
    assert [item.unmet for item in alpha.requirements] == [(), (0,), (0,)]
    assert [item.blocked for item in alpha.requirements] == [False, True, True]
    assert not any(item.gated for item in alpha.requirements)


def test_citations_stand_in_their_context(small: Path) -> None:
    alpha = load_report([small]).runs[0].tasks[0].requirements
    (cited,) = alpha[0].citations
    assert [line.number for line in cited.lines] == list(range(7, 15))
    assert [line.text for line in cited.lines if line.quoted] == ["line 10 of load", "line 11 of load"]
    step, gone = alpha[1].citations
    assert [(line.text, line.quoted) for line in step.lines] == [("one", False), ("the quoted", True), ("three", False)]
    assert gone.verified is False and [line.text for line in gone.lines] == ["nowhere"]


def test_labels_stand_beside_verdicts(small: Path, tmp_path: Path) -> None:
    texts = [("Data is loaded in `src/load.py`.", True), ("A model is trained.", True), ("Other words.", False)]
    labels = _labels(tmp_path / "labels", "Alpha", texts)
    _labels(labels, "Beta", [("An app starts.", True)])
    _labels(labels, "Gamma", [("Unknown.", True)])
    (run,) = load_report([small], [labels]).runs
    assert [item.agrees for item in run.tasks[0].requirements] == [False, True, False]
    assert "Other words." in run.tasks[0].requirements[2].label_note
    agreement = run.agreement
    assert agreement is not None
    assert (agreement.compared, agreement.agree, agreement.too_strict, agreement.too_lenient) == (3, 1, 1, 1)
    assert agreement.unjudged == 1  # the ERROR
    assert any("Gamma" in note for note in run.notes)


def test_evidence_that_was_changed_or_is_gone_is_said(small: Path) -> None:
    files = sorted((small / "evidence").glob("*.json"))
    files[0].write_bytes(files[0].read_bytes().replace(b"line", b"LINE"))
    files[1].unlink()
    notes = load_report([small]).runs[0].notes
    assert any("was changed after the verdict" in note for note in notes)
    assert any("cannot be shown" in note for note in notes)


def test_evidence_paths_never_leave_the_folder(hostile: Path) -> None:
    report = load_report([hostile])
    shown = [piece for task in report.runs[0].tasks for item in task.requirements for piece in item.evidence]
    assert shown and all(not piece.pictures for piece in shown)
    assert "root:" not in report.model_dump_json()


def test_secrets_are_masked(folders: Any, tmp_path: Path) -> None:
    key = "sk-" + "proj-" + "a1B2c3D4e5F6g7H8" * 3
    run = folders.RunWriter(tmp_path / "run")
    run.task("T", [{"criteria": "x"}])
    digest = run.evidence({"path": "a.py", "text": f'1| OPENAI_API_KEY = "{key}"'})
    cited = [{"path": "a.py", "line": 1, "end_line": 1, "quote": f'OPENAI_API_KEY = "{key}"'}]
    run.verdict("T", 0, "SATISFIED", reason=f"it holds {key}", citations=cited, evidence_hash=digest)
    assert key not in load_report([run.close()]).model_dump_json()


def test_a_run_that_is_cut_off_or_damaged_is_still_shown(small: Path) -> None:
    journal = small / "verdicts.jsonl"
    before = journal.read_bytes()
    journal.write_bytes(b"{broken\n" + before + b'{"task": "Alpha"')
    for file in (small / "judgments").iterdir():
        file.unlink()
    (small / "run.json").write_text("{}", encoding="utf-8")
    (run,) = load_report([small]).runs
    assert [task.name for task in run.tasks] == ["Alpha", "Beta"]
    assert any("line 1 is no verdict" in note for note in run.notes)
    assert any("not whole" in note for note in run.notes)
    assert journal.read_bytes().endswith(b'{"task": "Alpha"')  # nothing is repaired by looking


def test_a_gated_requirement_is_known(folders: Any, tmp_path: Path) -> None:
    run = folders.RunWriter(tmp_path / "run")
    run.task("T", [{"criteria": "x"}, {"criteria": "y", "prerequisites": [0]}])
    run.verdict("T", 0, "UNSATISFIED", votes=["UNSATISFIED"])
    run.verdict("T", 1, "UNSATISFIED", blocked_by=[0], confidence=1.0)
    items = load_report([run.close(gate=True)]).runs[0].tasks[0].requirements
    assert [item.gated for item in items] == [False, True]


def test_devai_judgments_are_a_run(tmp_path: Path) -> None:
    items = [
        {
            "requirement_id": 0,
            "prerequisites": [],
            "criteria": "a",
            "category": None,
            "satisfied": True,
            "confidence": 0.7,
        },
        {
            "requirement_id": 1,
            "prerequisites": [0],
            "criteria": "b",
            "satisfied": None,
            "verdict": "ERROR",
            "reason": "away",
        },
        {"requirement_id": 2, "prerequisites": [0], "criteria": "c", "satisfied": None},
    ]
    task = {"name": "T.json", "query": "q", "tags": [], "requirements": items, "preferences": []}
    folder = tmp_path / "agent" / "gray_box"
    folder.mkdir(parents=True)
    (folder / "T.json").write_text(json.dumps(task), encoding="utf-8")
    (run,) = load_report([folder]).runs
    assert run.name == "agent/gray_box" and run.usage is None
    found = run.tasks[0].requirements
    assert run.tasks[0].name == "T"
    assert [item.state for item in found] == [State.SATISFIED, State.ERROR, State.PENDING]
    assert found[0].confidence == 0.7 and found[1].error == "away"


def test_runs_have_names_that_tell_them_apart(small: Path, tmp_path: Path) -> None:
    import shutil

    for name in ("a", "b"):
        shutil.copytree(small, tmp_path / name / "run")
    names = [run.name for run in load_report([tmp_path / "a" / "run", tmp_path / "b" / "run"]).runs]
    assert names == ["a/run", "b/run"]
    twice = [run.name for run in load_report([small, small]).runs]
    assert len(set(twice)) == 2


def test_paths_that_are_no_run(small: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "x.json").write_text("[]", encoding="utf-8")
    for path in (tmp_path / "absent", tmp_path / "empty", tmp_path / "bad"):
        with pytest.raises(InputError):
            load_report([path])
    with pytest.raises(InputError):
        load_report([small], [small / "judgments"] * 2)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("agent", "rate", "independent", "dependent", "solved"),
    [("OpenHands", 0.9016, 0.4344, 0.2814, 2), ("MetaGPT", 0.9208, 0.2350, 0.0601, 0)],
)
def test_the_official_judgments(
    shared_dir: Path, agent: str, rate: float, independent: float, dependent: float, solved: int
) -> None:
    folder = shared_dir / "devai" / "judgment" / agent
    (run,) = load_report([folder / "agent_as_a_judge" / "gray_box"], [folder / "human_as_a_judge"]).runs
    assert run.agreement is not None and run.agreement.compared == 366
    assert run.agreement.rate == pytest.approx(rate, abs=5e-5)
    assert run.counts.independent.rate == pytest.approx(independent, abs=5e-5)
    assert run.counts.dependent.rate == pytest.approx(dependent, abs=5e-5)
    assert run.counts.solved.met == solved
