"""Named paths against a real tree."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.modules.locate.match import Matcher, Resolution
from judge.modules.locate.mentions import mentions
from judge.workspace import Workspace


def tree(root: Path, *paths: str) -> Matcher:
    for path in paths:
        target = root / path
        if path.endswith("/"):
            target.mkdir(parents=True, exist_ok=True)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text("x", encoding="utf-8")
    return Matcher(Workspace.open(root))


def resolve(matcher: Matcher, text: str) -> Resolution:
    return matcher.resolve(mentions(f"`{text}`")[0], "the criterion")


def test_exact_folder_glob_and_bare_name(tmp_path: Path) -> None:
    matcher = tree(tmp_path, "src/train.py", "results/a.png", "results/sub/b.png", "README.md")
    assert [hit.path for hit in resolve(matcher, "src/train.py").hits] == ["src/train.py"]
    assert [hit.path for hit in resolve(matcher, "results/").hits] == ["results/a.png", "results/sub/b.png"]
    assert [hit.path for hit in resolve(matcher, "results/*.png").hits] == ["results/a.png", "results/sub/b.png"]
    assert [hit.path for hit in resolve(matcher, "train.py").hits] == ["src/train.py"]


@pytest.mark.parametrize(
    ("present", "wanted", "reason"),
    [
        ("results/performance.txt", "results/metrics/performance.txt", "without the folder metrics"),
        ("out/results/metrics/p.txt", "results/metrics/p.txt", "another folder in between"),
        ("other/p.txt", "results/p.txt", "same name in another folder"),
        ("results/report.md", "results/report.pdf", "another extension"),
        ("Results/Report.pdf", "results/report.pdf", "upper and lower case"),
        ("results/lossplot.png", "results/loss_plot.png", "a similar name"),
        ("Figures/x.png", "figures/", "upper and lower case"),
        ("output/figures/x.png", "figures/", "of the same name elsewhere"),
    ],
)
def test_near_misses_say_why(tmp_path: Path, present: str, wanted: str, reason: str) -> None:
    found = resolve(tree(tmp_path, present), wanted)
    assert found.missing and not found.hits
    assert reason in found.near[0].why
    assert found.near[0].path.rstrip("/") in present


def test_an_empty_folder_is_there(tmp_path: Path) -> None:
    found = resolve(tree(tmp_path, "results/figures/"), "results/figures/")
    assert found.empty_folder and not found.missing


def test_what_was_left_out_is_told(tmp_path: Path) -> None:
    found = resolve(tree(tmp_path, "node_modules/x/index.js", "a.py"), "node_modules/x/index.js")
    assert found.missing and "left out" in found.skipped


def test_nothing_near_in_an_empty_workspace(tmp_path: Path) -> None:
    found = resolve(tree(tmp_path), "a/b.txt")
    assert found.missing and not found.near


def test_another_name_in_the_same_folder_is_near(tmp_path: Path) -> None:
    matcher = tree(tmp_path, "results/clf_report.txt", "results/accuracy.txt", "report.txt")
    near = [hit.path for hit in resolve(matcher, "results/classification_report.txt").near]
    assert near == ["results/clf_report.txt"]
