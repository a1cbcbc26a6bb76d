"""The bundled suites: they load, their references are right, and each submission loses what the table says."""

from __future__ import annotations

import ast
import importlib.util
import re
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from judge.score.suite import LoadedSuite, load_suite

FOLDER = Path(__file__).resolve().parents[3] / "devai" / "suites"
NAMES = sorted(path.parent.name for path in FOLDER.glob("*/suite.yaml"))


@cache
def harness() -> ModuleType:
    spec = importlib.util.spec_from_file_location("suite_harness", Path(__file__).with_name("harness.py"))
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def loaded(name: str) -> LoadedSuite:
    return load_suite(FOLDER / name)


def table() -> dict[tuple[str, str], str]:
    """(problem, submission) -> what it loses, from the README."""
    found = {}
    problem = ""
    for line in (FOLDER / "README.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip().strip("`") for cell in line.strip("|").split("|")]
        if len(cells) == 4 and cells[2] not in ("Submission", "---"):
            problem = cells[0] or problem
            found[problem, cells[2]] = cells[3]
    return found


def test_there_are_enough() -> None:
    assert len(NAMES) >= 12


@pytest.mark.parametrize("name", NAMES)
def test_they_load_without_a_warning_and_are_small(name: str) -> None:
    suite = loaded(name).suite
    assert loaded(name).warnings == ()
    assert suite.problem == name
    assert len(loaded(name).path.read_text(encoding="utf-8").splitlines()) < 120
    tiers = [case.tier for case in suite.cases]
    assert tiers.count("standard") >= 5 and tiers.count("edge") >= 4
    assert all(case.category for case in suite.cases if case.tier == "edge")


@pytest.mark.parametrize("name", NAMES)
def test_their_references_and_good_submissions_pass_all_cases(name: str) -> None:
    folder = FOLDER / name
    for path in (folder / "reference.py", folder / "submissions" / "good.py", folder / "submissions" / "unusual.py"):
        assert harness().wrong(loaded(name), path) == [], path.name


@pytest.mark.parametrize("name", NAMES)
def test_flawed_submissions_lose_what_the_table_says(name: str) -> None:
    flawed = {path.stem for path in (FOLDER / name / "submissions").glob("*.py")} - {"good", "unusual"}
    said = {submission: loses for (problem, submission), loses in table().items() if problem == name}
    assert set(said) == flawed
    assert len(flawed) >= 2
    tiers = {case.id: case.tier for case in loaded(name).suite.cases}
    for submission in sorted(flawed):
        wrong = harness().wrong(loaded(name), FOLDER / name / "submissions" / f"{submission}.py")
        lost = {tiers[case] for case in wrong}
        assert ("standard" in lost) == ("Correctness" in said[submission]), (submission, wrong)
        if "Edge cases" not in said[submission]:
            assert "edge" not in lost, (submission, wrong)
        elif "Correctness" not in said[submission]:
            assert "edge" in lost, submission


@pytest.mark.parametrize("name", NAMES)
def test_good_and_reference_are_good_python(name: str) -> None:
    folder = FOLDER / name
    for path in (folder / "reference.py", folder / "submissions" / "good.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert ast.get_docstring(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
                assert node.returns is not None, (path, node.name)


@pytest.mark.parametrize("name", NAMES)
def test_timed_inputs_depend_on_their_seed_and_size(name: str) -> None:
    inputs = loaded(name).suite.performance.inputs
    if inputs is None:
        assert not re.search(r"^performance:", loaded(name).path.read_text(encoding="utf-8"), re.MULTILINE)
        return
    make = getattr(harness().module(FOLDER / name / inputs.file), inputs.func)
    first, again, other = make(inputs.size, 1), make(inputs.size, 1), make(inputs.size, 2)
    assert first == again
    assert first != other
    assert len(str(make(inputs.size * 4, 1))) > 1.5 * len(str(first))


def test_submissions_differ() -> None:
    texts = [path.read_bytes() for path in FOLDER.glob("*/submissions/*.py")]
    assert len(texts) == len(set(texts)) >= 60
