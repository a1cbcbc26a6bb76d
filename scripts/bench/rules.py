#!/usr/bin/env python3
"""Measures the rules judge on labelled workspaces: accuracy, confusion, and confidence against accuracy.

.venv/bin/python scripts/bench/rules.py                          # the bundled tasks
.venv/bin/python scripts/bench/rules.py FOLDER [--trajectories DIR]   # FOLDER holds tasks/, workspaces/ and labels/
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from pathlib import Path

from judge.modules.base import Case
from judge.modules.graph import build_graph
from judge.readers import DocumentStore
from judge.rules import LiveCache, judge_requirement
from judge.schemas import Setting, VerdictValue
from judge.tasks import join_labels, load_labels, load_tasks
from judge.trajectories import find_trajectories, load_trajectory
from judge.workspace import Workspace

ROOT = Path(__file__).resolve().parents[2]


def measure(folder: Path, trajectories: Path | None) -> list[tuple[bool, bool, float]]:
    """Label, verdict and confidence of every labelled requirement."""
    rows = []
    labels = load_labels(folder / "labels")
    tasks = [loaded.task for loaded in load_tasks([folder / "tasks"]).tasks]
    paths = find_trajectories(trajectories, [task.name for task in tasks]) if trajectories else {}
    for task in tasks:
        workspace = Workspace.open(folder / "workspaces" / task.name)
        documents, graph, cache = DocumentStore(workspace), build_graph(workspace), LiveCache()
        trajectory = load_trajectory(paths[task.name]) if task.name in paths else None
        setting = Setting.GRAY_BOX if trajectory else Setting.BLACK_BOX
        truth = join_labels(task, labels.tasks[task.name]).satisfied if task.name in labels.tasks else {}
        for requirement in task.requirements:
            label = truth.get(requirement.requirement_id)
            if label is None:
                continue
            judgment = judge_requirement(
                Case(task, requirement, workspace, documents, graph, trajectory, setting), cache
            )
            rows.append((label, judgment.verdict is VerdictValue.SATISFIED, judgment.confidence))
        documents.close()
    return rows


def show(title: str, rows: list[tuple[bool, bool, float]], seconds: float) -> None:
    """Prints one block of figures."""
    right = sum(label == verdict for label, verdict, _ in rows)
    met = sum(label for label, _, _ in rows)
    counts = Counter((label, verdict) for label, verdict, _ in rows)
    print(f"{title}: {right} of {len(rows)} verdicts equal the label ({right / len(rows):.1%}), {seconds:.1f} s CPU")
    print(f"  always UNSATISFIED {1 - met / len(rows):.1%}, always SATISFIED {met / len(rows):.1%}")
    print(f"  met and judged so {counts[True, True]}, unmet and judged so {counts[False, False]}", end="")
    print(f", wrongly satisfied {counts[False, True]}, wrongly unsatisfied {counts[True, False]}")
    for low, right_share, count in calibration(rows):
        print(f"  confidence {low:.1f}-{low + 0.1:.1f}: {right_share:.0%} right of {count}")


def calibration(rows: list[tuple[bool, bool, float]]) -> list[tuple[float, float, int]]:
    """For each tenth of confidence: its lower end, the share of right verdicts, and how many verdicts there are."""
    bins: dict[float, list[bool]] = defaultdict(list)
    for label, verdict, confidence in rows:
        bins[min(int(confidence * 10 + 1e-9), 9) / 10].append(label == verdict)
    return [(low, sum(outcomes) / len(outcomes), len(outcomes)) for low, outcomes in sorted(bins.items())]


def main() -> None:
    """Reads the arguments and prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "devai")
    parser.add_argument("--trajectories", type=Path)
    arguments = parser.parse_args()
    trajectories = arguments.trajectories or (ROOT / "trajectories" if arguments.folder == ROOT / "devai" else None)
    for title, source in (("black-box", None), *([("gray-box", trajectories)] if trajectories else [])):
        started = time.process_time()
        rows = measure(arguments.folder, source)
        show(title, rows, time.process_time() - started)


if __name__ == "__main__":
    main()
