"""Cases on small workspaces."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judge.engine.cases import open_case
from judge.modules.base import Case
from judge.schemas import Requirement, Setting, Step, Task, Trajectory
from judge.workspace import Workspace


@pytest.fixture
def make_case(tmp_path: Path) -> Callable[..., Case]:
    """Builds a case: files (path -> text or bytes), the criterion, and what else a case has."""

    def make(
        files: dict[str, str | bytes],
        criterion: str,
        *,
        query: str = "",
        earlier: tuple[str, ...] = (),
        steps: list[dict[str, Any]] | None = None,
        **more: Any,
    ) -> Case:
        root = tmp_path / "ws"
        root.mkdir(exist_ok=True)
        for path, content in files.items():
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        requirements = [Requirement(requirement_id=number, criteria=text) for number, text in enumerate(earlier)]
        last = Requirement(requirement_id=len(earlier), criteria=criterion, prerequisites=tuple(range(len(earlier))))
        task = Task(name="t", query=query, requirements=(last, *requirements))
        if steps is not None:
            numbered = tuple(Step(step=number, **step) for number, step in enumerate(steps))
            more |= {"trajectory": Trajectory(name="t", format="devai", steps=numbered), "setting": Setting.GRAY_BOX}
        return open_case(task, Workspace.open(root), **more)

    return make
