#!/usr/bin/env python3
"""Measures which files are located: how many of those a right verdict rests on, and how many are shown in all.

.venv/bin/python scripts/bench/locate.py                   # the bundled tasks
.venv/bin/python scripts/bench/locate.py FOLDER... [--missed] [--unnamed] [--search bm25|fuzzy]
    # each FOLDER holds tasks/, workspaces/ and labels/

The reference are the verified citations of the rules judge where its verdict equals the label: files that are known to
be needed, though not all that are. ``found`` is the share of them that is located, ``first`` that is among the first
three, ``whole`` the share of requirements of which all are located. With ``--unnamed`` paths and quoted names are taken
out of all criteria and the task, so that only the ranking of contents can find the files. No model is asked.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

from judge.engine.cases import for_requirement, open_case, open_workspace
from judge.engine.evidence import Pipeline
from judge.modules.base import Case, Strategies
from judge.rules import LiveCache, judge_requirement
from judge.schemas import VerdictValue
from judge.tasks import join_labels, load_labels, load_tasks

ROOT = Path(__file__).resolve().parents[2]


@dataclass(slots=True)
class Sums:
    """Counts over all requirements of a folder.

    Attributes:
        requirements: With a right verdict that cites files.
        whole: Of these, with every cited file located.
        cited: Cited files.
        found: Of these, located.
        first: Of these, among the first three.
        shown: Located files of all labelled requirements.
        labelled: Labelled requirements.
        seconds: CPU seconds for locating alone.
        missed: Task, requirement and path of what was not located.
        kinds: Suffixes of what was not located.
    """

    requirements: int = 0
    whole: int = 0
    cited: int = 0
    found: int = 0
    first: int = 0
    shown: int = 0
    labelled: int = 0
    seconds: float = 0.0
    missed: list[str] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)


def measure(folder: Path, strategies: Strategies, unnamed: bool) -> Sums:
    """Locates the files of every labelled requirement."""
    sums = Sums()
    labels = load_labels(folder / "labels")
    for loaded in load_tasks([folder / "tasks"]).tasks:
        task = loaded.task
        if task.name not in labels.tasks:
            continue
        truth = join_labels(task, labels.tasks[task.name]).satisfied
        case = open_case(task, open_workspace(folder / "workspaces" / task.name), strategies=strategies)
        pipeline, cache = Pipeline(("graph", "locate")), LiveCache()
        try:
            for requirement in task.requirements:
                label = truth.get(requirement.requirement_id)
                if label is not None:
                    own = for_requirement(case, requirement)
                    _add(sums, own, _without_names(own) if unnamed else own, label, pipeline, cache)
        finally:
            case.documents.close()
    return sums


def _without_names(case: Case) -> Case:
    """The same case with nothing named."""
    from judge.modules.locate import mentions

    def plain(text: str) -> str:
        for item in sorted(mentions(text), key=lambda item: -len(item.text)):
            text = text.replace(item.text, " ")
        return text

    items = tuple(item.model_copy(update={"criteria": plain(item.criteria)}) for item in case.task.requirements)
    task = case.task.model_copy(update={"query": "", "requirements": items})
    return replace(case, task=task, requirement=task.requirement(case.requirement.requirement_id))


def _add(sums: Sums, case: Case, asked: Case, label: bool, pipeline: Pipeline, cache: LiveCache) -> None:
    judgment = judge_requirement(case, cache)
    started = time.process_time()
    found = asyncio.run(pipeline.gather(asked))
    sums.seconds += time.process_time() - started
    located = [item.path for item in found if item.module == "locate" and item.path]
    sums.shown += len(located)
    sums.labelled += 1
    right = (judgment.verdict is VerdictValue.SATISFIED) == label
    cited = {item.path for item in judgment.citations if item.verified and item.path}
    if not right or not cited:
        return
    sums.requirements += 1
    sums.cited += len(cited)
    sums.found += len(cited & set(located))
    sums.first += len(cited & set(located[:3]))
    sums.whole += cited <= set(located)
    for path in sorted(cited - set(located)):
        sums.missed.append(f"{case.task.name} {case.requirement.requirement_id}: {path}")
        sums.kinds[Path(path).suffix or path] += 1


def main() -> None:
    """Prints one line a folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="*", default=[ROOT / "devai"])
    parser.add_argument("--search", default="bm25", help="how contents are ranked")
    parser.add_argument("--embeddings", default="", help="what makes embeddings, for --search embeddings")
    parser.add_argument("--unnamed", action="store_true", help="take paths and quoted names out of what is asked")
    parser.add_argument("--missed", action="store_true", help="list what was not located")
    options = parser.parse_args()
    for folder in options.folders:
        sums = measure(folder, Strategies(options.search, options.embeddings), options.unnamed)
        cited, number = max(sums.cited, 1), max(sums.requirements, 1)
        print(
            f"{folder.name}: found {sums.found / cited:.1%} of {sums.cited} cited files, "
            f"first {sums.first / cited:.1%}, "
            f"whole {sums.whole / number:.1%} of {sums.requirements} requirements, "
            f"{sums.shown / max(sums.labelled, 1):.2f} files shown, {sums.seconds / max(sums.labelled, 1):.3f} s each; "
            f"missed {dict(sums.kinds.most_common(6))}"
        )
        if options.missed:
            print("\n".join(f"  {line}" for line in sums.missed))


if __name__ == "__main__":
    main()
