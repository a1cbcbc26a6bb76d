"""The set-up scripts: run from a hostile folder they run nothing of it, and what was there before is not lost."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout whose packages cannot be installed, with an environment that somebody else made."""
    root = tmp_path / "checkout"
    (root / "scripts").mkdir(parents=True)
    shutil.copy(ROOT / "scripts" / "bootstrap.sh", root / "scripts")
    (root / "scripts" / "requirements.lock").write_text("no-such-package==1 --hash=sha256:00\n", encoding="utf-8")
    (root / "pyproject.toml").write_text("", encoding="utf-8")
    (root / ".venv" / "bin").mkdir(parents=True)
    (root / ".venv" / "mine").write_text("kept", encoding="utf-8")
    return root


def bootstrap(root: Path, cwd: Path, python: str) -> subprocess.CompletedProcess[str]:
    command = f'set -euo pipefail; . "{root}/scripts/bootstrap.sh"; bootstrap "{root}" runtime'
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(root), "JUDGE_PYTHON": python, "PYTHONPATH": ":"}
    environment |= {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull}
    return subprocess.run(
        ["bash", "-c", command], cwd=cwd, env=environment, capture_output=True, text=True, timeout=120, check=False
    )


def hostile(tmp_path: Path) -> Path:
    folder = tmp_path / "hostile"
    folder.mkdir()
    for name in ("logging", "venv", "pip", "ensurepip", "types", "shutil", "subprocess", "sitecustomize"):
        (folder / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\n", encoding="utf-8")
    return folder


def test_a_failed_installation_runs_no_foreign_code_and_brings_the_old_environment_back(
    checkout: Path, tmp_path: Path
) -> None:
    done = bootstrap(checkout, hostile(tmp_path), sys.executable)
    assert done.returncode == 2 and "judge: " in done.stderr
    assert not (tmp_path / "ran").exists()
    assert (checkout / ".venv" / "mine").read_text(encoding="utf-8") == "kept"
    assert not list(checkout.glob(".venv.old-*"))


def test_a_python_without_venv_leaves_the_old_environment_alone(checkout: Path, tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\ncase "$*" in *venv*) exit 1;; esac\n', encoding="utf-8")
    python.chmod(0o755)
    done = bootstrap(checkout, tmp_path, str(python))
    assert done.returncode == 2 and "cannot make a virtual environment" in done.stderr
    assert (checkout / ".venv" / "mine").exists()
