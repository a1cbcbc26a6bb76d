"""On a terminal there is a live line, and names are shown as they are."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any


def on_terminal(*arguments: object, cwd: Path, **env: str) -> tuple[int, str]:
    """Runs ``judge`` with a terminal as stdout and stderr."""
    controller, terminal = pty.openpty()
    settings = {
        name: value for name, value in os.environ.items() if not name.startswith(("JUDGE_", "OPENAI_", "NO_COLOR"))
    }
    command = [sys.executable, "-m", "judge", *map(str, arguments)]
    process = subprocess.Popen(
        command,
        cwd=cwd,
        env={**settings, "TERM": "xterm-256color", "COLUMNS": "160", **env},
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        close_fds=True,
    )
    os.close(terminal)
    output = b""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if select.select([controller], [], [], 0.2)[0]:
            try:
                block = os.read(controller, 65_536)
            except OSError:
                break
            if not block:
                break
            output += block
    os.close(controller)
    return process.wait(timeout=10), output.decode("utf-8", "replace")


def test_progress_and_table(lab: Any, tmp_path: Path) -> None:
    lab.add("01_[red]A[bold]", [[], []])
    lab.write_script(latency=0.3)
    arguments = ("run", lab.tasks, "-w", lab.workspaces, "-m", lab.model, "-o", tmp_path / "out", "-c", 1)
    code, output = on_terminal(*arguments, cwd=tmp_path)
    assert code == 0, output
    assert "1/2 requirements" in output and "1 satisfied" in output and "01_[red]A[bold]" in output
    assert "\x1b[" in output and "Traceback" not in output
    code, output = on_terminal(*arguments, cwd=tmp_path, NO_COLOR="1")
    assert code == 0 and "\x1b[3" not in output.replace("\x1b[?25", "")
