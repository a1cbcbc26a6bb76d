"""Files that run, or say how code is run, told by their names."""

from __future__ import annotations

import posixpath


def is_test(path: str) -> bool:
    """Whether a test runner would collect a file."""
    name = posixpath.basename(path)
    return name == "conftest.py" or name.startswith("test_") or name.endswith("_test.py")


def is_runner(path: str) -> bool:
    """Whether a file may say how the code is run."""
    name = posixpath.basename(path)
    if name in {
        "pyproject.toml",
        "setup.py",
        "setup.cfg",
        "Procfile",
        "package.json",
        "tox.ini",
        "justfile",
        "noxfile.py",
    }:
        return True
    if name.lower().startswith(("makefile", "dockerfile", "docker-compose", "compose.")):
        return True
    return name.endswith((".sh", ".bash", ".bat", ".ps1", ".cmd", ".mk")) or "/.github/workflows/" in f"/{path}"
