"""Small workspaces and a judge over them."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from judge.modules.base import Case
from judge.modules.graph import build_graph
from judge.readers import DocumentStore
from judge.rules import judge_requirement
from judge.schemas import Judgment, Requirement, Setting, Task, Trajectory
from judge.workspace import Workspace

Files = Mapping[str, str | bytes]
JudgeIt = Callable[..., Judgment]


_TABLES = pytest.StashKey[dict[str, list[str]]]()


@pytest.fixture(scope="session")
def calibration_tables(pytestconfig: pytest.Config) -> dict[str, list[str]]:
    """Lines by setting; what a test puts here is printed at the end of the run."""
    return pytestconfig.stash.setdefault(_TABLES, {})


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Prints the confidence of the rules judge against its accuracy on the bundled labels."""
    for setting, lines in config.stash.get(_TABLES, {}).items():
        terminalreporter.section(f"rules judge, {setting}: confidence and accuracy on the bundled labels")
        for line in lines:
            terminalreporter.line(line)


@pytest.fixture
def judge_it(tmp_path: Path) -> JudgeIt:
    """Writes files, judges one criterion over them, returns the judgment."""

    def run(criterion: str, files: Files, trajectory: Trajectory | None = None) -> Judgment:
        root = tmp_path / "workspace"
        root.mkdir(exist_ok=True)
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        workspace = Workspace.open(root)
        requirement = Requirement(requirement_id=0, criteria=criterion)
        task = Task(name="t", query="q", requirements=(requirement,))
        setting = Setting.GRAY_BOX if trajectory is not None else Setting.BLACK_BOX
        documents = DocumentStore(workspace)
        case = Case(task, requirement, workspace, documents, build_graph(workspace), trajectory, setting)
        return judge_requirement(case)

    return run


def picture(kind: str = "plot", format: str = "PNG", frames: int = 1) -> bytes:
    """A real picture: a drawn curve, or one flat colour."""
    from PIL import Image, ImageDraw

    images = []
    for shift in range(frames):
        image = Image.new("RGB", (200, 150), "white")
        if kind == "plot":
            drawing = ImageDraw.Draw(image)
            drawing.line([(10, 140), (60, 80 - 5 * shift), (120, 90), (190, 20)], fill="navy", width=3)
            drawing.rectangle((20, 100, 50, 140), fill="orange")
        images.append(image)
    buffer = io.BytesIO()
    extra = {"save_all": True, "append_images": images[1:], "duration": 100} if frames > 1 else {}
    images[0].save(buffer, format, **extra)
    return buffer.getvalue()
