"""Reasons read like sentences of a person: with the words of the criterion as it has them, and never with stems."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.modules.base import Case
from judge.modules.graph import build_graph
from judge.readers import DocumentStore
from judge.rules import LiveCache, judge_requirement
from judge.rules.wording import counted, joined, listed, words_where, words_with_stems
from judge.rules.words import split_words, stem
from judge.schemas import Setting
from judge.tasks import load_tasks
from judge.trajectories import find_trajectories, load_trajectory
from judge.workspace import Workspace
from tests.rules.conftest import JudgeIt

CODE = re.compile(r"\S*[/.:(){}_]\S*|'[^']*'")
"""Paths, calls and quotes of code: these are no words of the judge."""
CLUMSY = (
    "of the code", "form of it", "about it", "deals with", "makes a ", "for it at", "is there at", "and on make",
    '""', "  ", "None", "[]", "()",
)  # fmt: skip


@pytest.fixture(scope="module")
def reasons(root: Path) -> list[tuple[str, str]]:
    """Criterion and reason of every bundled requirement, without and with the trajectory."""
    tasks = [loaded.task for loaded in load_tasks([root / "devai" / "tasks"]).tasks]
    paths = find_trajectories(root / "trajectories", [task.name for task in tasks])
    return [pair for task in tasks for pair in _of_task(task, root / "devai" / "workspaces" / task.name, paths)]


def _of_task(task, folder: Path, paths) -> Iterator[tuple[str, str]]:  # type: ignore[no-untyped-def]
    workspace = Workspace.open(folder)
    documents, graph, cache = DocumentStore(workspace), build_graph(workspace), LiveCache()
    steps = load_trajectory(paths[task.name])
    for requirement in task.requirements:
        for trajectory, setting in ((None, Setting.BLACK_BOX), (steps, Setting.GRAY_BOX)):
            case = Case(task, requirement, workspace, documents, graph, trajectory, setting)
            yield requirement.criteria, judge_requirement(case, cache).reason
    documents.close()


def test_no_stem_is_shown_that_is_no_word_of_the_criterion(reasons: list[tuple[str, str]]) -> None:
    for criterion, reason in reasons:
        said = split_words(criterion)
        roots = {stem(word) for word in said} - set(said) - _ORDINARY
        shown = set(split_words(CODE.sub(" ", reason)))
        assert not roots & shown, (criterion, reason)


_ORDINARY = frozenset({"read", "run", "test", "write", "give", "call", "show", "hold", "fail", "layer", "row"})
"""Words that the judge itself uses, which may happen to be stems of a criterion's words."""


def test_what_is_quoted_stands_in_the_criterion(reasons: list[tuple[str, str]]) -> None:
    for criterion, reason in reasons:
        for term in re.findall(r'(?<!\S)"([^"{}]+)"', re.sub(r"\([^)]*\)", "", reason)):
            assert term.lower() in criterion.lower(), (criterion, reason)


def test_reasons_are_sentences(reasons: list[tuple[str, str]]) -> None:
    assert len(reasons) > 100
    for criterion, reason in reasons:
        text = re.sub(r"'[^']*'|\S*\(\)\S*", "x", reason)
        assert not [part for part in CLUMSY if part in text], (criterion, reason)
        assert reason.endswith(".") and not reason.endswith("..")
        first = reason.split(" ", 1)[0]
        assert not (first.isalpha() and first.islower()), reason


CONVERTED = "Duplicates and failed conversions are removed in `clean.py`."
PLAIN = "import json\n\ndef load():\n    rows = json.load(open('x.json'))\n    return sorted(rows)\n\nprint(load())\n"


@pytest.mark.parametrize(
    ("criterion", "files", "reason"),
    [
        (
            CONVERTED,
            {"clean.py": PLAIN},
            'No code of clean.py speaks of "Duplicates", "failed", "conversions" or "removed".',
        ),
        (
            "`GET /items` lists the items.",
            {"app.py": "from flask import Flask\napp = Flask('x')\nprint(app)\n"},
            "No reachable code handles GET /items.",
        ),
        (
            'A chart is drawn with "seaborn" in `draw.py`.',
            {"draw.py": "# with seaborn\nimport math\n\nprint(math.pi)\nprint(math.e)\nprint(2)\n"},
            'No reachable code in draw.py shows "seaborn"; draw.py:1 only mentions it in a comment.',
        ),
        (
            'The text is weighted without "TfidfVectorizer" in `a.py`.',
            {"a.py": PLAIN},
            '"TfidfVectorizer" is not used.',
        ),
        (
            '"K-Means" is implemented in `k.py` without using scikit-learn.',
            {"k.py": "from sklearn.cluster import KMeans\nprint(KMeans(3).fit([[1], [2], [3]]).labels_)\n"},
            "k.py:2 calls sklearn.cluster.KMeans, which the criterion rules out.",
        ),
        (
            "The R-squared is at least 0.9 in `m.txt`.",
            {"m.txt": "r2: 0.5\n"},
            "m.txt gives 0.5 for the R-squared; at least 0.9 is asked for.",
        ),
        ("Whether it is nice is unclear.", {}, "holds no code that does anything"),
    ],
)
def test_wording(judge_it: JudgeIt, criterion: str, files: dict[str, str | bytes], reason: str) -> None:
    assert reason in judge_it(criterion, files).reason


def test_words_are_shown_as_they_stand() -> None:
    text = "The PyTorch model's losses are logged; Losses matter, time-series too."
    assert words_where(text, {"torch", "losses", "series"}.__contains__) == ["PyTorch", "losses", "time-series"]
    assert words_with_stems(text, {stem("logging"), stem("model")}) == ["model", "logged"]
    assert words_where("", lambda part: True) == []


def test_lists_numbers_and_sentences() -> None:
    assert (listed([]), listed(["a"]), listed(["a", "b"], "or")) == ("", '"a"', '"a" or "b"')
    assert listed(map(str, range(9))) == '"0", "1", "2", "3", "4" and "5"'
    assert (counted(1, "row"), counted(0, "row"), counted(2, "row")) == ("1 row", "0 rows", "2 rows")
    assert joined(["no code", "a.py is empty"]) == "No code; a.py is empty."
    assert joined(["a.py:1 calls f"]) == "a.py:1 calls f."
