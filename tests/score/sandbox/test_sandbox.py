"""Levels are proven by trying to break them; what cannot be had is said."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from judge.errors import InputError
from judge.score.sandbox import Level, Sandbox, open_sandbox, opening, probing
from judge.score.sandbox.bubblewrap import bwrap_command
from judge.score.sandbox.code import worker_code
from judge.score.sandbox.host import find_host
from judge.score.sandbox.settings import Job, settings, spare_uid
from judge.score.suite.model import Limits
from judge.score.worker import landlock, seccomp

if TYPE_CHECKING:
    from pathlib import Path

    from tests.score.conftest import Start

BARRIERS = {
    *("filesystem", "writing", "network", "processes", "memory", "cpu", "environment", "signals", "visibility"),
    "privileges",
}


def test_every_barrier_is_tried_at_every_level(sandbox: Sandbox) -> None:
    assert set(sandbox.barriers) == BARRIERS
    if sandbox.level in (Level.BUBBLEWRAP, Level.NAMESPACES):
        assert all(sandbox.barriers.values()), sandbox


def test_the_probe_sees_that_nothing_protects_where_nothing_does() -> None:
    sandbox = open_sandbox("none")
    assert sandbox.level is Level.NONE
    open_barriers = {name for name, holds in sandbox.barriers.items() if not holds}
    assert {"filesystem", "writing", "network", "signals"} <= open_barriers
    assert any("no barrier for" in note for note in sandbox.notes)


def test_the_probe_leaves_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for wanted in ("none", "best"):
        open_sandbox(wanted)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_required_takes_no_less_than_namespaces(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="as strong as wanted"):
        open_sandbox("required", Level.RESTRICTED)

    def leaky(level: Level) -> tuple[dict[str, bool], tuple[str, ...]]:
        return {**dict.fromkeys(BARRIERS, True), "network": False}, ()

    monkeypatch.setattr(opening, "try_barriers", leaky)
    with pytest.raises(InputError, match="no barrier for network"):
        open_sandbox("required")


def test_the_next_level_is_taken_when_one_does_not_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def only_restricted(level: Level) -> tuple[dict[str, bool], tuple[str, ...]]:
        if level in (Level.BUBBLEWRAP, Level.NAMESPACES):
            raise probing.ProbeError("setting up uid map: Permission denied")
        return dict.fromkeys(BARRIERS, True), ()

    monkeypatch.setattr(opening, "try_barriers", only_restricted)
    sandbox = open_sandbox("best")
    assert sandbox.level is Level.RESTRICTED
    if sys.platform.startswith("linux"):
        assert any("Permission denied" in note for note in sandbox.notes)


def test_a_level_that_cannot_start_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.score.sandbox.box.find_bwrap", lambda: "/bin/false")
    with pytest.raises(InputError, match="bubblewrap does not work here"):
        open_sandbox(level=Level.BUBBLEWRAP)


def test_packages_of_the_machine_are_not_seen(isolated: Sandbox, start: Start) -> None:
    source = """
import os, sys
def f():
    found = []
    for path in sys.path:
        packages = os.path.join(path, "site-packages")
        try:
            found += os.listdir(packages)
        except OSError:
            pass
    try:
        import judge
        found.append("judge")
    except ImportError:
        pass
    return found
"""
    reply = start(isolated, source).call(())
    own_root = isolated.level is not Level.RESTRICTED
    assert "judge" not in reply.value
    assert reply.value == [] or not own_root


def test_only_what_the_interpreter_needs_is_there(start: Start) -> None:
    from tests.score.conftest import need

    sandbox = need(Level.NAMESPACES)
    source = (
        "import os\ndef f(): return sorted(os.listdir('/')), sorted(os.listdir('/dev')), os.getpid() < 4, os.getuid()"
    )
    root, devices, low, uid = start(sandbox, source).call(()).value
    assert set(root) <= {"box", "dev", "etc", "gnu", "lib", "lib32", "lib64", "nix", "opt", "proc", "tmp", "usr"} | {
        path.split("/")[1] for path in find_host().readable
    }
    assert devices == ["full", "null", "random", "urandom", "zero"]
    assert low and uid != 0


def test_the_command_line_shares_nothing_but_what_is_read() -> None:
    config = settings(Job("serve", {"a.py": b""}, "a.py", "f", Limits()), Level.BUBBLEWRAP, {"req": 3})
    command = bwrap_command("bwrap", config, ["python"])
    assert "--unshare-net" in command and "--unshare-pid" in command and "--as-pid-1" in command
    assert "--bind" not in command
    assert command[-2:] == ["--", "python"]


def test_the_filter_of_calls_is_sound() -> None:
    for machine in seccomp._MACHINES.values():
        program = seccomp._program(*machine)
        assert len(program) % 8 == 0
        assert len(program) // 8 < 4096
        # No jump leaves the program.
        lines = [program[start : start + 8] for start in range(0, len(program), 8)]
        for position, line in enumerate(lines):
            assert position + 1 + max(line[2], line[3]) < len(lines) or line[0] == 6


@pytest.mark.parametrize(
    ("table", "low", "high"),
    [
        ("         0          0 4294967295\n", 200_000, 2_000_000_000),
        ("0 1000 1\n1 100000 65536\n", 1, 65_536),
        ("0 1000 1\n", 0, 0),
        ("", 0, 0),
        ("x y z", 0, 0),
    ],
)
def test_the_user_of_a_worker_is_one_that_exists(table: str, low: int, high: int, tmp_path: Path) -> None:
    path = tmp_path / "uid_map"
    path.write_text(table, encoding="ascii")
    for _ in range(20):
        assert low <= spare_uid(str(path)) <= high


def test_landlock_says_whether_the_kernel_has_it() -> None:
    assert landlock.version() >= 0


def test_the_workers_code_needs_nothing_but_the_standard_library() -> None:
    code = worker_code()
    assert code and b"judge.score" not in code.replace(b"judge.score.values", b"").replace(b"judge.score.sandbox", b"")
