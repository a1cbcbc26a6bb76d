"""Measures what prompts cost: calls, tokens per requirement, and how much of them is a prefix that a cache can keep.

Usage: python scripts/bench/prompts.py [--tasks DIR] [--workspaces DIR] [--trajectories DIR] [--only NAME]... [--json]

No model is asked: every requirement's prompt is built as ``judge evidence`` builds it and its tokens are counted. One
call per requirement is what a run needs when every answer is usable and no file has to be asked for. The bundled tasks
are measured when nothing else is named. Exits with 1 when the prefix differs between requirements of one task.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from judge.engine.plan import TaskPlan
    from judge.schemas import Setting

ROOT = Path(__file__).resolve().parents[2]
KINDS = ("file", "artefact", "graph", "step", "note")


@dataclass(slots=True)
class Sums:
    """Tokens of all prompts of one setting.

    Attributes:
        tasks: Tasks with a workspace.
        calls: Prompts, one per requirement.
        tokens: Of all prompts.
        shared: Of the part that all requirements of a task begin with.
        most: Of the longest prompt.
        uncached: Of all prompts when the shared part of a task is paid once.
        kinds: Of the evidence, by kind.
        uneven: Tasks whose prefix is not the same for every requirement.
    """

    tasks: int
    calls: int
    tokens: int
    shared: int
    most: int
    uncached: int
    kinds: dict[str, int]
    uneven: list[str]


def measure(tasks: Sequence[Path], workspaces: Path, trajectories: Path | None, setting: str, only: list[str]) -> Sums:
    """Builds and counts the prompts of every task that has a workspace."""
    from judge.cli.inputs import load_inputs

    inputs = load_inputs(tasks, workspace=workspaces, trajectories=trajectories, setting=setting, only=only)
    sums = Sums(0, 0, 0, 0, 0, 0, dict.fromkeys(KINDS, 0), [])
    for plan in inputs.plans:
        if plan.workspace is not None:
            asyncio.run(_add(sums, plan, plan.workspace, inputs.setting))
    return sums


async def _add(sums: Sums, plan: TaskPlan, workspace: Path, setting: Setting) -> None:
    from judge.config import DEFAULT_MODULES
    from judge.engine.cases import for_requirement, open_case, open_workspace
    from judge.engine.evidence import Pipeline
    from judge.modules.ask import Ask
    from judge.tokens import count
    from judge.trajectories import load_trajectory

    steps = load_trajectory(plan.trajectory) if plan.trajectory is not None else None
    case = open_case(plan.task, open_workspace(workspace), trajectory=steps, setting=setting)
    pipeline, ask = Pipeline(DEFAULT_MODULES), Ask()
    prefixes: dict[str, int] = {}
    try:
        for requirement in plan.task.requirements:
            own = for_requirement(case, requirement)
            found = await pipeline.gather(own)
            messages = ask.build(own, found).request.messages
            sizes = [count(message.text) for message in messages]
            shared = sum(sizes[:2])
            prefixes["\0".join(message.text for message in messages[:2])] = shared
            sums.calls += 1
            sums.tokens += sum(sizes)
            sums.shared += shared
            sums.uncached += sum(sizes) - shared
            sums.most = max(sums.most, sum(sizes))
            for item in found:
                if item.kind.value in sums.kinds:
                    sums.kinds[item.kind.value] += count(item.text)
    finally:
        case.documents.close()
    sums.uncached += sum(prefixes.values())
    sums.tasks += 1
    if len(prefixes) > 1:
        sums.uneven.append(plan.task.name)


def main() -> int:
    """Prints one line a setting."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=Path, default=ROOT / "devai" / "tasks", help="task files or a folder of them")
    parser.add_argument("--workspaces", type=Path, default=ROOT / "devai" / "workspaces", help="one folder a task")
    parser.add_argument("--trajectories", type=Path, default=ROOT / "trajectories", help="for the gray-box setting")
    parser.add_argument("--only", action="append", default=[], help="name or pattern of a task; may be repeated")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    rows = {}
    for setting, steps in (("black-box", None), ("gray-box", options.trajectories)):
        rows[setting] = measure([options.tasks], options.workspaces, steps, setting, options.only)
    if options.json:
        print(json.dumps({name: _row(sums) for name, sums in rows.items()}, indent=2))
    else:
        for name, sums in rows.items():
            row = _row(sums)
            print(f"{name}: " + ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in row.items()))
    return 1 if any(sums.uneven for sums in rows.values()) else 0


def _row(sums: Sums) -> dict[str, object]:
    calls = max(sums.calls, 1)
    return {
        "tasks": sums.tasks,
        "calls": sums.calls,
        "tokens": sums.tokens,
        "tokens_per_requirement": round(sums.tokens / calls),
        "most": sums.most,
        "shared_share": round(sums.shared / max(sums.tokens, 1), 3),
        "per_requirement_with_cache": round(sums.uncached / calls),
        "kinds_per_requirement": {kind: round(value / calls) for kind, value in sums.kinds.items()},
        "uneven": sums.uneven,
    }


if __name__ == "__main__":
    sys.exit(main())
