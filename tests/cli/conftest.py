"""Runs the program in this process, as a user would."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from judge.cli import main


class Ran(NamedTuple):
    """What a command left."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def judge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """The command, in an empty current directory and without settings from outside."""
    work = tmp_path / "cwd"
    work.mkdir()
    monkeypatch.chdir(work)
    for name in ("JUDGE_MODEL", "JUDGE_JUDGE", "JUDGE_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)

    return _runner(capsys)


@pytest.fixture
def judge_here(capfd: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """The command in the current directory as it is, with what other processes print."""
    return _runner(capfd)


def _runner(capture: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    def run(*arguments: object) -> Ran:
        with pytest.raises(SystemExit) as caught:
            main([str(item) for item in arguments])
        out, err = capture.readouterr()
        code = caught.value.code
        return Ran(code if isinstance(code, int) else 1 if code else 0, out, err)

    return run


def _load_lab() -> Any:
    """The helper beside this file; tests are no package, so it is loaded by its path."""
    spec = importlib.util.spec_from_file_location("judge_tests_lab", Path(__file__).with_name("lab.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Lab


@pytest.fixture
def lab(tmp_path: Path) -> Any:
    """Tasks, workspaces and a scripted model."""
    return _load_lab()(tmp_path / "lab")
