"""``judge align`` as a user meets it."""

from __future__ import annotations

import html
import json
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

Judge = Callable[..., Any]


def _write(folder: Path, name: str, values: Sequence[Any], *, texts: Sequence[str] = (), **more: Any) -> Path:
    """A file of labels or verdicts; each value is true, false, null or a dictionary of fields."""
    folder.mkdir(parents=True, exist_ok=True)
    requirements = []
    for number, value in enumerate(values):
        item: dict[str, Any] = {
            "requirement_id": number,
            "prerequisites": [number - 1] if number else [],
            "criteria": texts[number] if number < len(texts) else f"Part {number} of {name} is done.",
            "category": "Even" if number % 2 == 0 else None,
        }
        requirements.append(item | (value if isinstance(value, dict) else {"satisfied": value}))
    task = {"name": name, "query": "Do it.", "tags": [], "requirements": requirements, **more}
    path = folder / f"{name}.json"
    path.write_text(json.dumps(task), encoding="utf-8")
    return path


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Labels and two judges for two tasks."""
    root = tmp_path / "data"
    for name, folder, values in (
        ("one", "labels", [True, False, True]),
        ("two", "labels", [False, False]),
        ("one", "good", [True, False, True]),
        ("two", "good", [False, True]),
        ("one", "bad", [False, False, False]),
        ("two", "bad", [True, False]),
    ):
        _write(root / folder, name, values)
    return root


def _judges(report: Any, agent: int = 0) -> dict[str, Any]:
    return {item["name"]: item for item in report["agents"][agent]["judges"]}


GOLDEN = {
    "OpenHands": {
        "alignment": 90.16,
        "kappa": 0.80,
        "human": {"independent": 42.90, "dependent": 28.69, "transitive": 25.96},
        "judge": {"independent": 43.44, "dependent": 28.14, "transitive": 24.86},
        "solved": (2, 1),
        "always_no": 57.10,
    },
    "MetaGPT": {
        "alignment": 92.08,
        "kappa": 0.78,
        "human": {"independent": 22.13, "dependent": 6.56, "transitive": 4.92},
        "judge": {"independent": 23.50, "dependent": 6.01, "transitive": 3.28},
        "solved": (0, 0),
        "always_no": 77.87,
    },
}


@pytest.mark.shared
def test_official_verdicts_give_the_known_figures(judge: Judge, shared_dir: Path) -> None:
    root = shared_dir / "devai" / "judgment"
    judged = [root / agent / "agent_as_a_judge" / "gray_box" for agent in GOLDEN]
    labels = [word for agent in reversed(GOLDEN) for word in ("--labels", root / agent / "human_as_a_judge")]
    ran = judge("align", *judged, *labels, "--json")
    assert ran.code == 0
    report = ran.json()
    assert [item["agent"] for item in report["agents"]] == list(GOLDEN)
    for agent, wanted in zip(report["agents"], GOLDEN.values(), strict=True):
        (found,) = agent["judges"]
        scores, rates = found["scores"], found["rates"]
        assert found["coverage"]["compared"] == found["coverage"]["requirements"] == 366
        assert round(100 * scores["alignment"]["value"], 2) == wanted["alignment"]
        assert round(scores["kappa"]["value"], 2) == wanted["kappa"]
        assert round(100 * found["always_no"]["alignment"]["value"], 2) == wanted["always_no"]
        for side in ("human", "judge"):
            got = {name: round(100 * rates[name][side]["value"], 2) for name in wanted[side]}
            assert got == wanted[side]
        assert (rates["solved"]["judge_met"], rates["solved"]["human_met"]) == wanted["solved"]
    first = report["agents"][0]["judges"][0]
    assert round(100 * first["rates"]["independent"]["shift"]["value"], 2) == 0.55
    assert 100 * first["scores"]["alignment"]["low"] == pytest.approx(86.9, abs=0.4)
    assert 100 * first["scores"]["alignment"]["high"] == pytest.approx(93.3, abs=0.4)
    assert [(item["task"][:2], item["requirement_id"], item["kind"]) for item in first["drift"]] == [
        ("13", 2, "other text")
    ]


@pytest.mark.shared
def test_official_tasks_may_be_given_too(judge: Judge, shared_dir: Path) -> None:
    root = shared_dir / "devai"
    base = root / "judgment" / "OpenHands"
    ran = judge(
        "align", base / "agent_as_a_judge" / "gray_box", "-l", base / "human_as_a_judge",
        "--tasks", root / "instances", "--resamples", 0, "--json",
    )  # fmt: skip
    (agent,) = ran.json()["agents"]
    assert agent["requirements"] == 365
    assert {item["kind"] for item in agent["drift"]} >= {"other text", "extra"}
    (found,) = agent["judges"]
    assert found["coverage"]["compared"] == 364
    assert found["scores"]["alignment"]["low"] is None


def test_the_same_numbers_everywhere(judge: Judge, data: Path, tmp_path: Path) -> None:
    page, note = tmp_path / "a.html", tmp_path / "a.md"
    arguments = ["align", data / "good", data / "bad", "--labels", data / "labels", "--rows", 0]
    text = judge(*arguments, "--html", page, "--markdown", note).out
    report = judge(*arguments, "--json").json()
    words = html.unescape(re.sub(r"<svg.*?</svg>|<[^>]+>", " ", page.read_text(encoding="utf-8"), flags=re.DOTALL))
    plain = html.unescape(re.sub(r"\\(.)", r"\1", note.read_text(encoding="utf-8")))
    for found in _judges(report).values():
        numbers = [item for item in found["scores"].values() if item["value"] is not None]
        assert len(numbers) == 7
        for key in ("alignment", "precision", "recall"):
            item = found["scores"][key]
            shown = f"{100 * item['value']:.2f}%"
            if item["low"] is not None:
                shown += f" [{100 * item['low']:.2f}, {100 * item['high']:.2f}]"
            for output in (text, words, plain):
                assert shown in output
        for rate in found["rates"].values():
            for output in (text, words, plain):
                assert f"{100 * rate['difference']['value']:+.2f}" in output
    cells = [re.findall(r"\d[\d.]*", output.split("Notes")[0]) for output in (text, words, plain)]
    assert set(cells[0]) <= set(cells[1]) | set(cells[2])


def test_two_judges_are_compared(judge: Judge, data: Path) -> None:
    report = judge("align", data / "good", f"worse={data / 'bad'}", "-l", data / "labels", "--json").json()
    assert list(_judges(report)) == ["good", "worse"]
    (found,) = report["agents"][0]["comparisons"]
    assert (found["n"], found["first_only"], found["second_only"]) == (5, 3, 1)
    assert found["mcnemar_p"] == pytest.approx(0.625)
    assert {(item["task"], item["requirement_id"]) for item in found["differing"]} == {
        ("one", 0), ("one", 2), ("two", 0), ("two", 1),
    }  # fmt: skip
    assert report["agents"][0]["agreements"][0]["names"] == ["good", "worse"]


def test_error_missing_and_unlabeled_are_counted_apart(judge: Judge, data: Path, tmp_path: Path) -> None:
    odd = tmp_path / "odd"
    _write(odd, "one", [True, {"satisfied": None, "verdict": "ERROR"}, None])
    _write(odd, "elsewhere", [True, True])
    _write(data / "labels", "three", [True, None])
    found = _judges(judge("align", odd, "-l", data / "labels", "--json").json())["odd"]
    coverage = found["coverage"]
    names = ("compared", "errors", "missing", "not_judged", "unlabeled", "requirements")
    assert [coverage[name] for name in names] == [1, 1, 1, 3, 3, 9]
    assert coverage["not_judged_tasks"] == ["three", "two"]
    assert coverage["unlabeled_tasks"] == ["elsewhere"]
    assert found["scores"]["alignment"]["n"] == 1
    assert (found["alignment_of_all"]["value"], found["alignment_of_all"]["n"]) == (pytest.approx(1 / 3), 3)


def test_the_gate(judge: Judge, data: Path) -> None:
    assert judge("align", data / "good", "-l", data / "labels", "--fail-under", 0.8).code == 0
    ran = judge("align", data / "good", data / "bad", "-l", data / "labels", "--fail-under", 0.8)
    assert ran.code == 1
    assert ran.err == "judge: below the gate: bad agrees on 40.00%, --fail-under 80.00%\n"


def test_an_error_does_not_pass_the_gate(judge: Judge, data: Path, tmp_path: Path) -> None:
    _write(tmp_path / "few", "one", [True, {"satisfied": None, "verdict": "ERROR"}, True])
    assert judge("align", tmp_path / "few", "-l", data / "labels", "--fail-under", 0.7).code == 1


def test_raters_and_their_majority(judge: Judge, data: Path, tmp_path: Path) -> None:
    people = tmp_path / "people"
    for name, values in (("ann", [True, True]), ("bo", [True, False]), ("cy", [False, False])):
        _write(people / name, "two", values)
    raters = [word for name in ("ann", "bo", "cy") for word in ("--rater", f"{name.title()}={people / name}")]
    with_labels = judge("align", data / "good", "-l", data / "labels", *raters, "--json").json()
    kinds = {name: item["kind"] for name, item in _judges(with_labels).items()}
    assert kinds == {
        "good": "judge", "Ann": "rater", "Bo": "rater", "Cy": "rater", "majority of raters": "majority of raters",
    }  # fmt: skip
    (agreement,) = with_labels["agents"][0]["agreements"]
    assert [item["disagreement"]["value"] for item in agreement["pairs"]] == [0.5, 1.0, 0.5]
    without = judge("align", data / "good", *raters, "--json").json()
    assert without["agents"][0]["labels"] == "majority of the raters"
    assert without["agents"][0]["human_met"] == 1
    assert _judges(without)["good"]["coverage"]["compared"] == 2


def test_a_panel_of_judges_gets_a_majority(judge: Judge, data: Path) -> None:
    report = judge("align", data / "good", data / "bad", f"x={data / 'good'}", "-l", data / "labels", "--json").json()
    assert _judges(report)["majority of judges"]["scores"]["alignment"]["value"] == 0.8


def test_moved_and_reworded_requirements(judge: Judge, data: Path, tmp_path: Path) -> None:
    texts = ["Part 1 of one is done", "“Part 0 of one is `done`.”", "Something else."]
    _write(tmp_path / "moved", "one", [False, True, True], texts=texts)
    found = _judges(judge("align", tmp_path / "moved", "-l", data / "labels", "--json").json())["moved"]
    assert found["scores"]["alignment"]["value"] == 1.0
    assert {(item["requirement_id"], item["kind"]) for item in found["drift"]} == {
        (0, "moved"), (1, "moved"), (2, "other text"),
    }  # fmt: skip


def test_prerequisites_come_from_the_verdicts_when_labels_have_none(judge: Judge, data: Path, tmp_path: Path) -> None:
    requirements = [{"requirement_id": n, "satisfied": value} for n, value in enumerate([False, True, True])]
    (tmp_path / "bare.json").write_text(json.dumps({"name": "one", "requirements": requirements}), encoding="utf-8")
    found = _judges(judge("align", data / "good", "-l", tmp_path / "bare.json", "--json").json())["good"]
    rates = {name: (item["judge_met"], item["human_met"]) for name, item in found["rates"].items()}
    assert rates == {"independent": (2, 2), "dependent": (1, 1), "transitive": (1, 0), "solved": (0, 0)}


def test_a_run_folder_with_confidence(judge: Judge, lab: Any, tmp_path: Path) -> None:
    lab.add("one", [[], [0], [1]])
    lab.add("two", [[], []])
    lab.write_script(default={"verdict": "SATISFIED", "reason": "it is there", "confidence": 0.8})
    run = tmp_path / "run"
    assert judge("run", lab.tasks, "-w", lab.workspaces, "-m", lab.model, "-o", run).code == 0
    before = {path: path.stat().st_mtime_ns for path in run.rglob("*")}
    for name in ("one", "two"):
        task = json.loads((lab.tasks / f"{name}.json").read_text(encoding="utf-8"))
        for item in task["requirements"]:
            item["satisfied"] = item["requirement_id"] == 0
        (tmp_path / "labels").mkdir(exist_ok=True)
        (tmp_path / "labels" / f"{name}.json").write_text(json.dumps(task), encoding="utf-8")
    report = judge("align", run, "-l", tmp_path / "labels", "--json", "--html", tmp_path / "a.html").json()
    (found,) = report["agents"][0]["judges"]
    assert "scripted" in found["name"] and "black-box" in found["name"]
    assert found["scores"]["alignment"]["value"] == pytest.approx(0.4)
    assert found["curve"]["n"] == found["calibration"]["n"] == 5
    assert found["curve"]["average_precision"]["value"] == pytest.approx(0.4)
    assert "average precision 0.400" in (tmp_path / "a.html").read_text(encoding="utf-8")
    assert {path: path.stat().st_mtime_ns for path in run.rglob("*")} == before

    # A killed run may lack the file of a task and have a last line that was cut.
    (run / "judgments" / "one.json").unlink()
    with (run / "verdicts.jsonl").open("a", encoding="utf-8") as stream:
        stream.write('{"task": "one", "requ')
    again = judge("align", run, "-l", tmp_path / "labels", "--json").json()
    assert again["agents"][0]["judges"][0]["coverage"]["compared"] == 5
    assert again["agents"][0]["judges"][0]["scores"] == found["scores"]
    assert any("is cut off" in note for note in again["notes"])


def test_hostile_text_stays_text(judge: Judge, data: Path, tmp_path: Path) -> None:
    bad = "<script>alert(1)</script> [red]x[/red] | `a` ![i](http://x.example/y) @all \x1b[31m"
    _write(data / "labels", "four", [True], texts=[bad])
    _write(data / "good", "four", [False], texts=[bad])
    page, note = tmp_path / "a.html", tmp_path / "a.md"
    ran = judge("align", f"<b>ev|l</b>={data / 'good'}", "-l", data / "labels", "--html", page, "--markdown", note)
    assert ran.code == 0
    assert "[red]x[/red]" in ran.out and "\x1b" not in ran.out
    for path in (page, note):
        text = path.read_text(encoding="utf-8")
        assert "<script" not in text and "<b>" not in text and "\x1b" not in text
    table = [line for line in note.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    assert {line.count("|") for line in table if "alert" in line} == {9}
    assert "![" not in note.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere", "-l", "labels"], "nowhere: no such file or folder"),
        (["good", "-l", "nowhere"], "nowhere: no such file or folder"),
        (["good"], "--labels: no labels are given"),
        (["good", "bad", "good", "-l", "labels", "-l", "good"], "cannot be told"),
        (["good", "-l", "other"], "no requirement has both a verdict and a label"),
        (["good", "-l", "empty"], "empty: holds no label files"),
        (["good", "-l", "labels", "--fail-under", "90"], "--fail-under: is 90"),
        (["good", "-l", "labels", "--html", "missing/folder/a.html"], "cannot be written"),
        (["=good", "-l", "labels"], "NAME=PATH"),
        (["good", "-l", "broken"], "broken"),
        ([], "Missing argument"),
    ],
)
def test_bad_input_is_one_line(
    judge: Judge, data: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(data)
    (data / "empty").mkdir()
    _write(data / "other", "another", [True])
    (data / "broken").mkdir()
    (data / "broken" / "x.json").write_text("{", encoding="utf-8")
    ran = judge("align", *arguments)
    assert ran.code == 2
    assert said in ran.err
    assert ran.err.count("\n") == 1
    assert ran.out == ""


def test_a_broken_file_is_named_and_the_others_count(judge: Judge, data: Path) -> None:
    (data / "good" / "two.json").write_text('{"name": "two", "requirements": [{"requirement_id": "x"}]}')
    report = judge("align", data / "good", "-l", data / "labels", "--json").json()
    assert _judges(report)["good"]["coverage"]["not_judged_tasks"] == ["two"]
    assert any("two.json" in note for note in report["notes"])


def test_agent_and_judge_come_from_the_path(judge: Judge, tmp_path: Path) -> None:
    for agent in ("Ada", "Bob"):
        base = tmp_path / "judgment" / agent
        _write(base / "human_as_a_judge", "one", [True, False])
        _write(base / "agent_as_a_judge" / "gray_box", "one", [True, agent == "Bob"])
    root = tmp_path / "judgment"
    labels = [word for agent in ("Bob", "Ada") for word in ("-l", root / agent)]
    judged = [root / agent / "agent_as_a_judge" / "gray_box" for agent in ("Ada", "Bob")]
    report = judge("align", *judged, *labels, "--json").json()
    assert [
        (item["agent"], *[(it["name"], it["scores"]["alignment"]["value"]) for it in item["judges"]])
        for item in report["agents"]
    ] == [("Ada", ("agent_as_a_judge/gray_box", 1.0)), ("Bob", ("agent_as_a_judge/gray_box", 0.5))]
    wrong = judge("align", judged[0], "-l", root / "Bob", "--json").json()
    assert any("is of Ada" in note and "Bob" in note for note in wrong["notes"])


def test_missing_packages_are_named_with_the_way_out(judge: Judge, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib.util

    real = importlib.util.find_spec

    def find(name: str, *rest: Any) -> Any:
        return None if name == "sklearn" else real(name, *rest)

    monkeypatch.setattr(importlib.util, "find_spec", find)
    ran = judge("align", data / "good", "-l", data / "labels")
    assert ran.code == 2
    assert ran.err == (
        "judge: error: judge align: needs packages that are not installed: sklearn (pip install 'judge[align]')\n"
    )


def test_help_needs_no_heavy_package(root: Path) -> None:
    import subprocess

    code = (
        "import sys; from judge.cli import main\ntry: main(['align', '--help'])\n"
        "except SystemExit: print({'sklearn', 'scipy', 'numpy'} & set(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert ran.stdout.endswith("set()\n")
