"""A fault of the machinery is told as one, and never counted against a submission."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from judge.score.execute import Program, run_program
from judge.score.reply import Status
from judge.score.sandbox import Level, Sandbox
from judge.score.sandbox import box as boxes
from judge.score.suite.model import Limits

if TYPE_CHECKING:
    from tests.score.conftest import Start


def broken(monkeypatch: pytest.MonkeyPatch, **changes: Any) -> None:
    original = boxes.settings

    def changed(*args: Any) -> dict[str, Any]:
        return {**original(*args), **changes}

    monkeypatch.setattr(boxes, "settings", changed)


@pytest.mark.parametrize(
    "changes", [{"limits": {}}, {"files": {"x/" * 3000: b""}}, {"readable": None}, {"files": None}]
)
def test_a_worker_that_cannot_be_set_up(changes: dict[str, Any], monkeypatch: pytest.MonkeyPatch, start: Start) -> None:
    broken(monkeypatch, **changes)
    sandbox = Sandbox(Level.NONE)
    reply = start(sandbox, "def f(): return 1").call(())
    assert reply.status is Status.ENGINE, reply
    assert reply.detail
    program = Program({"a.py": b"print(1)"}, "a.py", "", "program")
    assert run_program(sandbox, program, b"", (), Limits()).status is Status.ENGINE


def test_a_submission_cannot_blame_the_machinery(sandbox: Sandbox, start: Start) -> None:
    for body in (
        "os._exit(70)",
        "os._exit(71)",
        "os.write(4, b'error'); os._exit(71)",
        "[os.close(n) for n in range(64)]",
    ):
        reply = start(sandbox, f"import os\n{body}\ndef f(): return 1").call(())
        assert reply.status is Status.LOAD, reply
        inner = start(sandbox, f"import os\ndef f(): {body}").call(())
        assert inner.status in (Status.CRASHED, Status.RAISED), inner


def test_no_interpreter(monkeypatch: pytest.MonkeyPatch, start: Start) -> None:
    def no_start(*_: Any, **__: Any) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr(boxes.subprocess, "Popen", no_start)
    worker = start(Sandbox(Level.NONE), "def f(): return 1")
    assert worker.call(()).status is Status.ENGINE
    assert "no more processes" in worker.call(()).detail
