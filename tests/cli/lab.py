"""Small tasks, workspaces and scripted models for tests of runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


class Lab:
    """A folder with ``tasks/``, ``ws/`` and ``model.json``.

    Attributes:
        root: The folder.
        tasks: Task files.
        workspaces: Workspaces.
        script: The scripted model's file; its calls are logged beside it.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.tasks = root / "tasks"
        self.workspaces = root / "ws"
        self.script = root / "model.json"
        for folder in (self.tasks, self.workspaces):
            folder.mkdir(parents=True)
        self.write_script()

    @property
    def model(self) -> str:
        """What ``--model`` takes."""
        return f"scripted:{self.script}"

    def add(self, name: str, prerequisites: list[list[int]], *, workspace: bool = True, **more: Any) -> Path:
        """Writes a task, and a workspace for it."""
        requirements = [
            {"requirement_id": number, "prerequisites": needed, "criteria": self.criterion(name, number)}
            for number, needed in enumerate(prerequisites)
        ]
        task = {"name": name, "query": f"Do {name}.", "tags": [], "requirements": requirements, "preferences": []}
        path = self.tasks / f"{name}.json"
        path.write_text(json.dumps({**task, **more}), encoding="utf-8")
        if workspace:
            source = self.workspaces / name / "src"
            source.mkdir(parents=True)
            (source / "main.py").write_text('print("hello")\n', encoding="utf-8")
        return path

    @staticmethod
    def criterion(name: str, number: int) -> str:
        """Text that is in the prompt of one requirement alone."""
        return f"Criterion {name}#{number}# holds in `src/main.py`."

    def write_script(self, **script: Any) -> None:
        """Writes the script; by default every verdict is SATISFIED."""
        script.setdefault("default", {"verdict": "SATISFIED", "reason": "it is there"})
        self.script.write_text(json.dumps({"log": "calls.jsonl", **script}), encoding="utf-8")

    def answer(self, *rules: tuple[str, int, Any], **script: Any) -> None:
        """Writes a script with replies for single requirements: task, id, reply."""
        listed = [
            {"when": f"# Requirement to judge\n\n{self.criterion(n, i)}", "reply": reply} for n, i, reply in rules
        ]
        self.write_script(rules=listed, **script)

    def calls(self) -> list[dict[str, Any]]:
        """Calls of the model for verdicts, in order."""
        log = self.root / "calls.jsonl"
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        return [item for item in map(json.loads, lines) if item["purpose"] in {"judge", "repair"}]

    @staticmethod
    def lines(run: Path) -> list[dict[str, Any]]:
        """Lines of ``verdicts.jsonl``."""
        return [json.loads(line) for line in (run / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()]

    @staticmethod
    def judgments(run: Path, name: str) -> dict[str, Any]:
        """``judgments/<task>.json``."""
        value: dict[str, Any] = json.loads((run / "judgments" / f"{name}.json").read_text(encoding="utf-8"))
        return value

    @staticmethod
    def lines_of(text: str) -> list[dict[str, Any]]:
        """Lines of JSON."""
        return [json.loads(line) for line in text.splitlines()]
