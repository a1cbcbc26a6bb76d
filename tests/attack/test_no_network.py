"""Without a model nothing leaves the machine: no name is looked up and no connection is opened."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

GUARD = r"""
import runpy, sys

def guard(event, args):
    names = ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "urllib.Request")
    if event in names:
        raise SystemExit(f"NETWORK {event} {args!r}")
    if event in ("socket.connect", "socket.sendto", "socket.bind") and isinstance(args[1], tuple):
        raise SystemExit(f"NETWORK {event} {args!r}")

sys.addaudithook(guard)
"""
RUN = GUARD + "sys.argv[0] = 'judge'\nrunpy.run_module('judge', run_name='__main__', alter_sys=True)\n"


def python(code: str, *args: object, prefix: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    command = [*prefix, sys.executable, "-P", "-c", code, *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)


def verdicts(out: Path) -> dict[tuple[str, int], str]:
    lines = (out / "verdicts.jsonl").read_text().splitlines()
    return {(line["task"], line["requirement_id"]): line["verdict"] for line in map(json.loads, lines)}


def test_the_guard_sees_a_connection() -> None:
    ran = python(GUARD + "import urllib.request\nurllib.request.urlopen('http://localhost:9/')")
    assert "NETWORK" in ran.stderr
    ran = python(GUARD + "import socket\nsocket.socket().connect(('127.0.0.1', 9))")
    assert "NETWORK" in ran.stderr


def rules_run(root: Path, out: Path, *more: object, prefix: tuple[str, ...] = ()) -> dict[tuple[str, int], str]:
    args = ("run", root / "devai/tasks", "-w", root / "devai/workspaces", "--judge", "rules", "--out", out, *more)
    ran = python(RUN, *args, prefix=prefix)
    assert ran.returncode == 0, ran.stderr[-800:]
    assert "NETWORK" not in ran.stderr
    return verdicts(out)


@pytest.fixture(scope="module")
def with_network(root: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, int], str]:
    return rules_run(root, tmp_path_factory.mktemp("run") / "out")


@pytest.mark.xdist_group("no-network")
def test_the_rules_judge_opens_no_connection(with_network: dict[tuple[str, int], str]) -> None:
    assert len(with_network) > 50


@pytest.mark.slow
def test_with_trajectories_it_opens_none_either(root: Path, tmp_path: Path) -> None:
    assert len(rules_run(root, tmp_path / "out", "-t", root / "trajectories")) > 50


@pytest.mark.skipif(not shutil.which("unshare"), reason="unshare is not installed")
@pytest.mark.xdist_group("no-network")
def test_verdicts_are_the_same_without_any_network(
    with_network: dict[tuple[str, int], str], root: Path, tmp_path: Path
) -> None:
    apart = ("unshare", "--user", "--map-root-user", "--net")
    if subprocess.run([*apart, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this system does not allow network namespaces to users")
    assert rules_run(root, tmp_path / "without", prefix=apart) == with_network


@pytest.mark.parametrize("command", ["--help", "doctor", "run --help", "graph --help", "score --help"])
def test_starting_opens_no_connection(command: str) -> None:
    ran = python(RUN, *command.split())
    assert "NETWORK" not in ran.stderr
    assert ran.returncode in (0, 2), ran.stderr[-800:]


def test_importing_everything_runs_nothing_and_opens_nothing(root: Path) -> None:
    """Every module is imported: no connection, no program started, no file written."""
    code = (
        GUARD
        + r"""
def strict(event, args):
    if event in ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "shutil.rmtree"):
        raise SystemExit(f"RAN {event} {args!r}")
    writes = event == "open" and isinstance(args[1], str) and set(args[1]) & set("wax+")
    if writes and "__pycache__" not in str(args[0]):
        raise SystemExit(f"WROTE {args!r}")

import importlib, pkgutil
import judge
sys.addaudithook(strict)
count = 0
for found in pkgutil.walk_packages(judge.__path__, "judge."):
    if found.name.rpartition(".")[2] == "__main__" or ".score.worker" in found.name:
        continue
    importlib.import_module(found.name)
    count += 1
print(count)
"""
    )
    ran = python(code)
    assert ran.returncode == 0, ran.stderr[-800:]
    assert int(ran.stdout) > 300
