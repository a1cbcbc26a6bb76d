"""The program around its commands: help, errors, exit codes, laziness, completion, pipes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from judge.cli import lazy
from judge.cli.lazy import COMMANDS

Judge = Any
HEAVY = ("pydantic", "networkx", "numpy", "openai", "anthropic", "tiktoken", "PIL", "rich", "tree_sitter", "rank_bm25")


def process(*arguments: str, env: dict[str, str] | None = None, cwd: Path | None = None) -> Any:
    return subprocess.run(
        [sys.executable, "-m", "judge", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, **(env or {})},
        cwd=cwd,
        check=False,
    )


def test_help_lists_every_command_and_the_exit_codes(judge: Judge) -> None:
    ran = judge("--help")
    assert ran.code == 0
    for name in COMMANDS:
        assert name in ran.out
    assert "130" in ran.out


@pytest.mark.parametrize("name", ["run", "evidence", "ask", "doctor"])
def test_every_command_has_help(judge: Judge, name: str) -> None:
    ran = judge(name, "--help")
    assert ran.code == 0 and f"judge {name}" in ran.out and "--json" in ran.out


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from judge.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert ran.stderr.strip() == "[]"


@pytest.mark.parametrize("name", list(COMMANDS))
def test_the_help_of_a_command_imports_none_of_its_work(name: str) -> None:
    heavy = [item for item in HEAVY if item != "pydantic"]  # typer itself checks the types of options with pydantic
    code = (
        "import sys\n"
        "from judge.cli import main\n"
        f"try:\n    main([{name!r}, '--help'])\nexcept SystemExit:\n    pass\n"
        f"print([name for name in {[*heavy, 'judge.schemas']!r} if name in sys.modules], file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert ran.stderr.strip() == "[]"


def test_version(judge: Judge) -> None:
    ran = judge("--version")
    assert ran.code == 0 and ran.out.startswith("judge 0.")


@pytest.mark.parametrize(
    "arguments", [("nonsense",), ("--nonsense",), ("run",), ("run", "--nonsense"), ("run", "/none")]
)
def test_usage_errors_are_one_line(judge: Judge, arguments: tuple[str, ...]) -> None:
    ran = judge(*arguments)
    assert ran.code == 2 and not ran.out
    assert ran.err.startswith("judge: error: ") and len(ran.err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (("rn",), "did you mean run?"),
        (("Evidense", "x"), "did you mean evidence?"),
        (("valdate",), "did you mean validate?"),
        (("zzzz",), "the commands are run, "),
        (("devai", "fech"), "'fetch'"),
        (("run", "x", "--concurency", "3"), "--concurrency"),
        (("graph", "x", "--fromat", "json"), "--format"),
    ],
)
def test_typing_errors_are_told_what_was_meant(judge: Judge, arguments: tuple[str, ...], meant: str) -> None:
    ran = judge(*arguments)
    assert ran.code == 2 and meant in ran.err and len(ran.err.splitlines()) == 1


def test_no_arguments_show_the_help(judge: Judge) -> None:
    ran = judge()
    assert ran.code == 2 and "Commands" in ran.out


@pytest.mark.parametrize("group", ["score", "trajectory", "cache", "devai"])
def test_a_group_without_a_command_shows_its_help_as_it_is(judge: Judge, group: str) -> None:
    ran = judge(group)
    assert ran.code == 2
    assert ran.err.startswith(f"Usage: judge {group}") and "\nCommands:\n" in ran.err


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(name: str, spec: object) -> Any:
        raise RuntimeError("boom\nsecond [red]line[/red]")

    monkeypatch.setattr(lazy, "load_command", load)


@pytest.mark.usefixtures("broken")
def test_a_defect_is_one_line_with_a_hint_and_debug_shows_where(judge: Judge) -> None:
    ran = judge("run")
    assert ran.code == 1 and len(ran.err.strip().splitlines()) == 1
    assert "RuntimeError: boom second [red]line[/red]" in ran.err and "--debug" in ran.err
    assert "Traceback" in judge("--debug", "run").err


def test_an_interrupt_is_130() -> None:
    code = (
        "from judge.cli import lazy, main\n"
        "def stop(*_):\n    raise KeyboardInterrupt\n"
        "lazy.load_command = stop\nmain(['run'])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 130 and "Traceback" not in ran.stderr


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{sys.executable} -m judge doctor | head -c 1 >/dev/null; echo ${{PIPESTATUS[0]}}"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=True)
    assert "Traceback" not in ran.stderr and "BrokenPipe" not in ran.stderr


def test_shell_completion_knows_commands_and_options() -> None:
    env = {"_JUDGE_COMPLETE": "complete_bash", "COMP_WORDS": "judge ev", "COMP_CWORD": "1"}
    assert "evidence" in process(env=env).stdout
    env = {"_JUDGE_COMPLETE": "complete_bash", "COMP_WORDS": "judge run --fail", "COMP_CWORD": "2"}
    assert "--fail-under" in process(env=env).stdout


def test_a_terminal_that_knows_only_ascii(tmp_path: Path) -> None:
    env = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    ran = process("run", str(tmp_path / "käse"), env=env)
    assert ran.returncode == 2 and "Traceback" not in ran.stderr
