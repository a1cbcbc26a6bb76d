"""What is found out about a workspace is kept for the next run, and never in the workspace itself."""

from __future__ import annotations

import asyncio
import stat
from pathlib import Path

import pytest

from judge.engine import Pipeline, open_case, open_workspace
from judge.modules.graph import build
from judge.rules import judge_requirement
from judge.schemas import Requirement, Task

FILES = {
    "main.py": "import helper\n\nif __name__ == '__main__':\n    helper.save('out.txt')\n",
    "helper.py": "def save(path):\n    with open(path, 'w') as file:\n        file.write('1')\n",
    "web/app.js": "import fs from 'fs';\nfs.writeFileSync('page.txt', 'x');\n",
    "out.txt": "1\n",
}
TASK = Task(
    name="t",
    query="Write it.",
    requirements=(Requirement(requirement_id=0, criteria="The sum is saved in `out.txt`."),),
)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    root = tmp_path / "ws"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are parsed."""
    found: list[str] = []
    parse = build.parse_source

    def noted(source: object) -> object:
        found.append(source.path)  # type: ignore[attr-defined]
        return parse(source)  # type: ignore[arg-type]

    monkeypatch.setattr(build, "parse_source", noted)
    monkeypatch.setattr("judge.modules.graph.cached.parse_source", noted)
    return found


def evidence(root: Path, writings: Path | None) -> list[str]:
    """All that a model or the rules say about the requirement, as it is written to disk."""
    case = open_case(TASK, open_workspace(root), writings=writings)
    try:
        found = asyncio.run(Pipeline(("graph", "locate", "read")).gather(case))
        verdict = judge_requirement(case)
    finally:
        case.documents.close()
    return [*(item.model_dump_json() for item in found), verdict.model_dump_json(exclude={"seconds"})]


def listed(root: Path) -> list[Path]:
    return sorted(root.rglob("*"))


def test_a_second_run_parses_nothing_and_finds_the_same(workspace: Path, tmp_path: Path, parsed: list[str]) -> None:
    plain = evidence(workspace, None)
    parsed.clear()
    writings = tmp_path / "cache" / "writing"
    first = evidence(workspace, writings)
    assert sorted(parsed) == ["helper.py", "main.py", "web/app.js"]
    parsed.clear()
    assert evidence(workspace, writings) == first == plain
    assert parsed == []
    (workspace / "helper.py").write_text(FILES["helper.py"].replace("'1'", "'2'"), encoding="utf-8")
    evidence(workspace, writings)
    assert parsed == ["helper.py"]


def test_nothing_is_kept_without_a_folder(workspace: Path, tmp_path: Path, parsed: list[str]) -> None:
    before = listed(tmp_path)
    evidence(workspace, None)
    parsed.clear()
    evidence(workspace, None)
    assert len(parsed) == 3
    assert listed(tmp_path) == before


@pytest.mark.parametrize("place", [".", "deep/er", "link"])
def test_nothing_is_kept_in_the_workspace(workspace: Path, tmp_path: Path, place: str) -> None:
    if place == "link":
        (tmp_path / "link").symlink_to(workspace, target_is_directory=True)
        writings = tmp_path / "link" / "cache" / "writing"
    else:
        writings = workspace / place / "writing"
    before = listed(workspace)
    assert evidence(workspace, writings) == evidence(workspace, None)
    assert listed(workspace) == before


def test_a_bad_cache_is_a_miss(workspace: Path, tmp_path: Path) -> None:
    plain = evidence(workspace, None)
    cache = tmp_path / "cache"
    evidence(workspace, cache / "writing")
    (database,) = (cache / "graph").glob("*.sqlite")
    database.write_bytes(b"SQLite format 3\0" + b"\xff" * 5_000)
    assert evidence(workspace, cache / "writing") == plain
    (cache / "graph").chmod(stat.S_IRWXU | stat.S_IWOTH)
    assert evidence(workspace, cache / "writing") == plain
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    assert evidence(workspace, tmp_path / "file" / "writing") == plain
