"""The prompts that a model would get for an attack, and what of them stands outside of fences."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from judge.attack import Attack, Base, Made, make_attack, make_base
from judge.engine import DEFAULT_MODULES, Pipeline, open_case, open_workspace
from judge.modules.ask import Ask, Built, WholePrompt
from judge.modules.base import Case
from judge.modules.whole import whole_workspace
from judge.schemas import Evidence, Setting
from judge.trajectories import load_trajectory

FENCED = re.compile(r"<<<BEGIN ([0-9a-f]{16}) ([^\n]*)>>>\n(.*?)\n<<<END \1>>>", re.DOTALL)
CONTEXT = 128_000


@dataclass(frozen=True)
class Window:
    """A model that only says how much it can read."""

    id: str = "scripted:window"
    context_tokens: int = CONTEXT
    sees_images: bool = False


@dataclass(frozen=True)
class Shown:
    """A prompt, taken apart.

    Attributes:
        built: The request with what was noticed.
        texts: The messages.
        outside: The messages with each fenced block replaced by a sign.
        inside: What stands in the blocks.
    """

    built: Built
    texts: tuple[str, ...]
    outside: tuple[str, ...]
    inside: tuple[tuple[str, str], ...]


def show(base: Base, target: int, made: Made, judge: str, setting: Setting) -> Shown:
    """The prompt on one requirement.

    Args:
        base: What the workspace was made from.
        target: The requirement.
        made: Where it lies.
        judge: ``agent`` or ``llm``.
        setting: With or without the steps.
    """
    trajectory = load_trajectory(made.trajectory) if setting is Setting.GRAY_BOX else None
    task = base.task(base.name, [target])
    case = open_case(
        task,
        open_workspace(made.workspace),
        trajectory=trajectory,
        setting=setting,
        model=Window(),  # type: ignore[arg-type]
    )
    try:
        return taken_apart(asyncio.run(_built(case, judge)))
    finally:
        case.documents.close()


async def _built(case: Case, judge: str) -> Built:
    evidence: Sequence[Evidence]
    if judge == "llm":
        evidence = whole_workspace(case)
        return Ask(builder=WholePrompt().build).build(case, evidence)
    evidence = await Pipeline(DEFAULT_MODULES).gather(case)
    return Ask().build(case, evidence)


def taken_apart(built: Built) -> Shown:
    """The parts of a prompt."""
    texts = tuple(message.text for message in built.request.messages)
    inside = tuple((found[1], found[3]) for text in texts for found in FENCED.finditer(text))
    outside = tuple(FENCED.sub(lambda found: f"<FENCED {found[2]}>", text) for text in texts)
    return Shown(built, texts, outside, inside)


def attacked(attack: Attack, judge: str, setting: Setting, folder: Path) -> Shown:
    """The prompt on an attacked workspace."""
    return show(attack.base, attack.target, make_attack(attack, folder), judge, setting)


def clean(attack: Attack, judge: str, setting: Setting, folder: Path) -> Shown:
    """The prompt on its clean twin."""
    return show(attack.base, attack.target, make_base(attack.base, folder), judge, setting)
