"""Builds small workspaces and their graphs."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from judge.modules.graph import WorkspaceGraph, build_graph
from judge.workspace import Workspace

Make = Callable[[dict[str, str | bytes]], WorkspaceGraph]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Writes files below a fresh folder and builds the graph."""

    def build(files: dict[str, str | bytes]) -> WorkspaceGraph:
        root = tmp_path / "ws"
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, bytes):
                path.write_bytes(content)
            else:
                path.write_text(textwrap.dedent(content), encoding="utf-8")
        return build_graph(Workspace.open(root))

    return build
