"""Findings of ruff, for information: they cost no points."""

from __future__ import annotations

import importlib
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from judge.text import one_line

_SECONDS = 20.0
_LONGEST = 256_000
_SHOWN = 200
_RULE = re.compile(r"[A-Z]{1,10}[0-9]{0,5}\Z")


def find_ruff() -> str | None:
    """Where ruff is: beside this Python, where its package says, or on the path."""
    beside = Path(sys.executable).parent / ("ruff.exe" if sys.platform == "win32" else "ruff")
    if beside.is_file():
        return str(beside)
    try:
        return str(importlib.import_module("ruff.__main__").find_ruff_bin())
    except (ImportError, AttributeError, OSError):
        return shutil.which("ruff")


def findings(source: str, rules: Sequence[str], seconds: float = _SECONDS) -> tuple[str, ...]:
    """What ruff finds, ``line: CODE text``; comments that would silence it are ignored.

    Ruff reads the source and does not run it. Where it is missing, refuses, or takes too long, one line says so.

    Args:
        source: The file, decoded.
        rules: Rules or groups of rules to apply; without any nothing is looked for.
        seconds: How long it may take.
    """
    chosen = [rule for rule in rules if _RULE.match(rule)]
    if not chosen:
        return ()
    if len(source) > _LONGEST:
        return (f"note: the linter was not asked: the file is longer than {_LONGEST:,} characters",)
    program = find_ruff()
    if program is None:
        return ("note: the linter was not asked: ruff is not installed",)
    command = [program, "check", "--isolated", "--ignore-noqa", "--no-cache", "--exit-zero", "--quiet"]
    command += ["--output-format", "json", "--select", ",".join(chosen), "--stdin-filename", "submission.py", "-"]
    try:
        done = subprocess.run(
            command, input=source.encode("utf-8", "replace"), capture_output=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return (f"note: the linter was stopped after {seconds:g} seconds",)
    except OSError as error:
        return (f"note: the linter could not be started: {error.strerror or error}",)
    if done.returncode != 0:
        why = one_line(done.stderr.decode("utf-8", "replace").strip(), 200)
        return (f"note: the linter ended with {done.returncode}: {why}",)
    return _lines(done.stdout)


def _lines(output: bytes) -> tuple[str, ...]:
    try:
        found = json.loads(output)
        rows = sorted((int(item["location"]["row"]), str(item["code"]), str(item["message"])) for item in found)
    except (ValueError, KeyError, TypeError):
        return ("note: the linter's answer could not be read",)
    lines = [f"{row}: {code} {one_line(message, 200)}" for row, code, message in rows[:_SHOWN]]
    more = len(rows) - _SHOWN
    return (*lines, f"note: and {more} more findings") if more > 0 else tuple(lines)
