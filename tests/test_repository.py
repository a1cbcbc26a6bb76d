"""Rules that hold for every file of the repository."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import tomllib
from functools import cache
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCKS = ("requirements.lock", "requirements-dev.lock")
# In parts, so that this file does not hold them itself.
INDEX_HOSTS = tuple(
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("pypi", "python", "org"),
        ("anaconda", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("yarnpkg", "com"),
        ("crates", "io"),
        ("proxy", "golang", "org"),
        ("rubygems", "org"),
    )
)
MACHINE_PATHS = tuple("/".join(("", "work", name)) for name in ("main", "shared", "tmp", "repo"))
_INDEX_OPTION = re.compile(
    r"(?:index[-_]url|find[-_]links|\[\[tool\.uv\.index\]\])\s*[=\s]\s*[\"']?\w+://", re.IGNORECASE
)
_HOME = re.compile(r"/(?:home|Users)/([\w.-]+)|/root/")


@cache
def _tracked() -> tuple[str, ...]:
    """What belongs to the repository: tracked, or new and not ignored."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("this is no git checkout")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listed.returncode != 0:
        pytest.skip(f"git cannot list the files: {os.fsdecode(listed.stderr).strip()}")
    names = [os.fsdecode(name) for name in listed.stdout.split(b"\0") if name]
    return tuple(name for name in names if (ROOT / name).is_file())


def _texts() -> list[tuple[str, str]]:
    found = []
    for name in _tracked():
        data = (ROOT / name).read_bytes()
        if b"\0" not in data:
            found.append((name, data.decode("utf-8", "replace")))
    return found


def _modules() -> list[Path]:
    return sorted((ROOT / "judge").rglob("*.py"))


def _name(requirement: str) -> str:
    return re.sub(r"[-_.]+", "-", re.split(r"[\s<>=!~;\[]", requirement.strip(), maxsplit=1)[0]).lower()


def _locked(name: str) -> dict[str, list[str]]:
    """Requirement -> its hashes, from a lock file."""
    text = (ROOT / "scripts" / name).read_text(encoding="utf-8").replace("\\\n", " ")
    entries = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return {entry.split()[0]: re.findall(r"--hash=sha256:([0-9a-f]{64})\b", entry) for entry in entries}


def test_no_file_names_a_package_index() -> None:
    found = [(name, host) for name, text in _texts() for host in INDEX_HOSTS if host in text.lower()]
    found += [(name, match.group()) for name, text in _texts() for match in _INDEX_OPTION.finditer(text)]
    assert found == []


def test_no_file_names_a_place_on_a_machine() -> None:
    found = []
    for name, text in _texts():
        found += [(name, path) for path in MACHINE_PATHS if path in text]
        if not name.startswith("tests/"):  # tests of masking need invented homes
            found += [(name, match.group()) for match in _HOME.finditer(text) if match.group(1) != "user"]
        home = str(Path.home())
        if len(Path(home).parts) > 2 and home in text:
            found.append((name, home))
    assert found == []


@pytest.mark.parametrize("lock", LOCKS)
def test_every_locked_requirement_is_exact_and_has_hashes(lock: str) -> None:
    locked = _locked(lock)
    assert len(locked) > len(PROJECT["project"]["dependencies"])
    assert [item for item in locked if not re.fullmatch(r"[\w.\-\[\]]+==[\w.!+]+", item)] == []
    assert [item for item, hashes in locked.items() if not hashes] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_the_locks_hold_every_dependency(lock: str) -> None:
    wanted = [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["build"]]
    if "dev" in lock:
        wanted += PROJECT["dependency-groups"]["dev"]
    names = {_name(item) for item in _locked(lock)}
    assert [item for item in wanted if _name(item) not in names] == []


def test_both_locks_agree() -> None:
    runtime, dev = (_locked(lock) for lock in LOCKS)
    assert {item: hashes for item, hashes in runtime.items() if dev.get(item) != hashes} == {}


def test_no_module_is_too_long() -> None:
    sizes = {str(path.relative_to(ROOT)): len(path.read_bytes().splitlines()) for path in _modules()}
    assert {name: size for name, size in sizes.items() if size > 400} == {}


def test_every_module_says_what_it_is() -> None:
    trees = {str(path.relative_to(ROOT)): ast.parse(path.read_text(encoding="utf-8")) for path in _modules()}
    assert [name for name, tree in trees.items() if not (ast.get_docstring(tree) or "").strip()] == []


def test_workflows_pin_their_actions() -> None:
    workflows = sorted((ROOT / ".github" / "workflows").glob("*.y*ml"))
    assert workflows
    for path in workflows:
        text = path.read_text(encoding="utf-8")
        uses = re.findall(r"^\s*(?:- )?uses:\s*(\S+)", text, re.MULTILINE)
        assert [item for item in uses if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", item)] == []
        assert len(uses) == text.count("uses:")


def test_workflows_have_least_permissions() -> None:
    for path in (ROOT / ".github" / "workflows").glob("*.y*ml"):
        workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert workflow["permissions"] == {"contents": "read"}
        assert all("timeout-minutes" in job for job in workflow["jobs"].values())


def test_scripts_can_be_started() -> None:
    started = [
        path for path in (*(ROOT / "scripts").iterdir(), ROOT / ".ci" / "run") if path.suffix == "" and path.is_file()
    ]
    assert {path.name for path in started} >= {"judge", "test", "check", "lock", "wheel-smoke", "run"}
    for path in started:
        assert os.access(path, os.X_OK), path
        assert path.read_bytes().startswith(b"#!"), path


def test_the_prompts_are_in_the_wheel() -> None:
    wheel = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["force-include"] == {"prompts": "judge/_prompts"}
    assert wheel["packages"] == ["judge"]
    assert sorted((ROOT / "prompts").glob("*.md"))


def test_the_version_has_one_place() -> None:
    assert "version" in PROJECT["project"]["dynamic"]
    path = ROOT / PROJECT["tool"]["hatch"]["version"]["path"]
    assert re.search(r'^__version__ = "\d+\.\d+\.\d+', path.read_text(encoding="utf-8"), re.MULTILINE)


def test_supported_pythons_agree() -> None:
    classified = {
        item.rpartition(" ")[2] for item in PROJECT["project"]["classifiers"] if re.search(r":: 3\.\d+$", item)
    }
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))
    assert set(workflow["jobs"]["test"]["strategy"]["matrix"]["python"]) == classified
