"""The whole workspace as evidence, with nothing chosen: what a judge without modules is shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from judge.modules.base import Case
from judge.modules.excerpt import numbered
from judge.modules.measured import facts_line
from judge.schemas import Evidence, EvidenceKind, Setting
from judge.text import split_lines

if TYPE_CHECKING:
    from judge.schemas import Step

_NAMES = ("user", "thought", "action", "result")


def whole_workspace(case: Case) -> list[Evidence]:
    """Every file of the workspace in the order of paths, then in gray-box every step of the trajectory.

    Args:
        case: Any requirement of the task; the result is the same for all of them.

    Returns:
        One item a file or step, uncut. Files that are no text are there with what was measured of them; pictures are
        not attached.
    """
    return [*_files(case), *_steps(case)]


def _files(case: Case) -> Iterator[Evidence]:
    for entry in case.workspace.files:
        document = case.documents.get(entry.path)
        text = document.text
        if document.lines_match:
            text = numbered(enumerate(split_lines(text), start=1))
        header = facts_line(document)
        yield Evidence(
            module="workspace",
            kind=EvidenceKind.FILE,
            title=document.path,
            text="\n".join(part for part in (header, text) if part) or "[no text in it]",
            path=document.path,
            problems=document.problems,
        )


def _steps(case: Case) -> Iterator[Evidence]:
    if case.trajectory is None or case.setting is Setting.BLACK_BOX:
        return
    for step in case.trajectory.steps:
        text = _step(step)
        if text:
            yield Evidence(
                module="trajectory", kind=EvidenceKind.STEP, title=f"step {step.step}", text=text, step=step.step
            )


def _step(step: Step) -> str:
    parts = zip(_NAMES, (step.user_message, step.thought, step.action, step.environment), strict=True)
    return "\n".join(f"{name}: {text}" for name, text in parts if text)
