"""Measures what prompts cost: calls, tokens per requirement, and what is left to pay in full under the caches' rules.

Usage: python scripts/bench/prompts.py [--tasks DIR] [--workspaces DIR] [--trajectories DIR] [--only NAME]... [--json]

No model is asked: every requirement's prompt is built as `judge run` builds it and its tokens are counted. One call per
requirement is what a run needs when every answer is usable and no file has to be asked for. The bundled tasks are
measured when nothing else is named. Uncached tokens are counted twice: as OpenAI's cache works (what two prompts begin
with alike, from 1,024 tokens on, in steps of 128), and as Anthropic's does (the marked prefix, from 1,024 tokens on;
some of its models keep no prefix below 4,096). The first prompt of a task is always paid in full, and what OpenAI's
server adds to a prompt is not known and not counted. Exits with 1 when the prefix differs between requirements of one
task.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from judge.engine.plan import TaskPlan
    from judge.schemas import Setting

ROOT = Path(__file__).resolve().parents[2]
KINDS = ("file", "artefact", "graph", "step", "note")


LEAST, STEP, LARGE = 1_024, 128, 4_096


@dataclass(slots=True)
class Sums:
    """Tokens of all prompts of one setting.

    Attributes:
        tasks: Tasks with a workspace.
        calls: Prompts, one per requirement.
        tokens: Of all prompts.
        shared: Of the part that all requirements of a task begin with.
        most: Of the longest prompt.
        openai: Of all prompts, less what OpenAI's cache serves.
        anthropic: The same for Anthropic's.
        large: The same for those of its models that keep only long prefixes.
        kinds: Of the evidence, by kind.
        uneven: Tasks whose prefix is not the same for every requirement.
    """

    tasks: int = 0
    calls: int = 0
    tokens: int = 0
    shared: int = 0
    most: int = 0
    openai: int = 0
    anthropic: int = 0
    large: int = 0
    kinds: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    uneven: list[str] = field(default_factory=list)


def measure(tasks: Sequence[Path], workspaces: Path, trajectories: Path | None, setting: str, only: list[str]) -> Sums:
    """Builds and counts the prompts of every task that has a workspace."""
    from judge.cli.inputs import load_inputs

    inputs = load_inputs(tasks, workspace=workspaces, trajectories=trajectories, setting=setting, only=only)
    sums = Sums()
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
    prefixes: set[str] = set()
    before: list[str] = []
    try:
        cases = [for_requirement(case, requirement) for requirement in plan.task.requirements]
        evidence = [await pipeline.gather(own) for own in cases]
        ask.plan(case, evidence)
        for own, found in zip(cases, evidence, strict=True):
            messages = ask.build(own, found).request.messages
            whole, prefix = ("\n\n".join(message.text for message in part) for part in (messages, messages[:2]))
            tokens, shared = count(whole), count(prefix)
            sums.calls += 1
            sums.tokens += tokens
            sums.shared += shared
            sums.most = max(sums.most, tokens)
            alike = max((count(_alike(whole, other)) for other in before), default=0)
            sums.openai += tokens - (LEAST + (alike - LEAST) // STEP * STEP if alike >= LEAST else 0)
            known = shared if prefix in prefixes else 0
            sums.anthropic += tokens - (known if known >= LEAST else 0)
            sums.large += tokens - (known if known >= LARGE else 0)
            before.append(whole)
            prefixes.add(prefix)
            for item in found:
                if item.kind.value in sums.kinds:
                    sums.kinds[item.kind.value] += count(item.text)
    finally:
        case.documents.close()
    sums.tasks += 1
    if len(prefixes) > 1:
        sums.uneven.append(plan.task.name)


def _alike(one: str, other: str) -> str:
    """What two texts begin with alike."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return one[:low]


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
        "uncached": {"openai": sums.openai, "anthropic": sums.anthropic, "anthropic_4096": sums.large},
        "uncached_per_requirement": {"openai": round(sums.openai / calls), "anthropic": round(sums.anthropic / calls)},
        "from_cache": {
            "openai": round(1 - sums.openai / max(sums.tokens, 1), 3),
            "anthropic": round(1 - sums.anthropic / max(sums.tokens, 1), 3),
        },
        "kinds_per_requirement": {kind: round(value / calls) for kind, value in sums.kinds.items()},
        "uneven": sums.uneven,
    }


if __name__ == "__main__":
    sys.exit(main())
