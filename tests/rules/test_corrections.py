"""Bundled requirements whose verdict is wrong by the workspace alone and right once the trajectory is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.modules.base import Case
from judge.modules.graph import build_graph
from judge.readers import DocumentStore
from judge.rules import LiveCache, judge_requirement
from judge.schemas import Judgment, Setting, Task, Trajectory, VerdictValue
from judge.tasks import join_labels, load_labels, load_tasks
from judge.trajectories import find_trajectories, load_trajectory
from judge.workspace import Workspace

MET, UNMET = VerdictValue.SATISFIED, VerdictValue.UNSATISFIED

CORRECTIONS = [
    # task, requirement, black-box, gray-box, what the reason of the corrected verdict says
    ("01", 4, MET, UNMET, "shows 1; at least three candidate settings"),
    ("01", 5, MET, UNMET, "typed in by hand in step 10"),
    ("02", 2, UNMET, MET, "a result for each of 5 folds"),
    ("03", 2, MET, UNMET, "shows 300; at least 500 episodes"),
    ("05", 2, MET, UNMET, "patience was used up"),
    ("07", 3, MET, UNMET, "copied from reference/silhouette_example.txt"),
    ("09", 4, UNMET, MET, "the server answered GET /plants with 200"),
    ("09", 6, MET, UNMET, "2 tests failed when they were last run"),
    ("10", 0, UNMET, MET, '"failed" and "readings": none is left'),
]


Bundled = dict[str, tuple[Task, Workspace, DocumentStore, Trajectory | None, dict[int, bool | None]]]


@pytest.fixture(scope="module")
def bundled(root: Path) -> Bundled:
    """Every bundled task by its number, with workspace, trajectory and labels."""
    labels = load_labels(root / "devai" / "labels")
    tasks = [loaded.task for loaded in load_tasks([root / "devai" / "tasks"]).tasks]
    paths = find_trajectories(root / "trajectories", [task.name for task in tasks])
    found: Bundled = {}
    for task in tasks:
        workspace = Workspace.open(root / "devai" / "workspaces" / task.name)
        trajectory = load_trajectory(paths[task.name]) if task.name in paths else None
        truth = dict(join_labels(task, labels.tasks[task.name]).satisfied)
        found[task.name[:2]] = (task, workspace, DocumentStore(workspace), trajectory, truth)
    return found


def verdict(bundled: Bundled, number: str, requirement: int, *, gray: bool) -> Judgment:
    """The rules judge's judgment of one bundled requirement."""
    task, workspace, documents, trajectory, _ = bundled[number]
    setting = Setting.GRAY_BOX if gray else Setting.BLACK_BOX
    case = Case(
        task,
        task.requirements[requirement],
        workspace,
        documents,
        build_graph(workspace),
        trajectory if gray else None,
        setting,
    )
    return judge_requirement(case, LiveCache())


@pytest.mark.parametrize(("number", "requirement", "before", "after", "words"), CORRECTIONS)
def test_the_trajectory_corrects_the_verdict(
    bundled: Bundled, number: str, requirement: int, before: VerdictValue, after: VerdictValue, words: str
) -> None:
    alone = verdict(bundled, number, requirement, gray=False)
    told = verdict(bundled, number, requirement, gray=True)
    assert (alone.verdict, told.verdict) == (before, after), (alone.reason, told.reason)
    assert bundled[number][4][requirement] is (after is MET)
    assert words.casefold() in told.reason.casefold()
    assert any(citation.step is not None for citation in told.citations)


def test_corrections_stand_in_at_least_six_tasks() -> None:
    assert len({number for number, *_ in CORRECTIONS}) >= 6 and len(CORRECTIONS) >= 8


def test_every_bundled_task_has_a_trajectory_and_none_spoils_a_right_verdict(bundled: Bundled) -> None:
    for number, (task, _, _, trajectory, truth) in bundled.items():
        assert trajectory is not None, task.name
        for requirement in task.requirements:
            label = truth[requirement.requirement_id]
            alone = verdict(bundled, number, requirement.requirement_id, gray=False)
            told = verdict(bundled, number, requirement.requirement_id, gray=True)
            if (alone.verdict is MET) == label:
                assert told.verdict is alone.verdict, (task.name, requirement.requirement_id, told.reason)
