"""``judge run`` with votes, panels, readings of criteria, estimates, time limits and batches."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from judge.models import batch

Judge = Any
Lab = Any
S, U = {"verdict": "SATISFIED"}, {"verdict": "UNSATISFIED"}


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def one(lab: Lab) -> Any:
    lab.add("01_A", [[], [0], []])
    return lab


def run(judge: Judge, lab: Lab, *more: object, model: bool = True) -> Any:
    given = ("-m", lab.model) if model else ()
    return judge("run", lab.tasks, "-w", lab.workspaces, *given, *more)


def other(lab: Lab, name: str, **script: Any) -> str:
    """A second scripted model."""
    path = lab.root / f"{name}.json"
    path.write_text(json.dumps({"log": f"{name}.jsonl", "default": S, **script}), encoding="utf-8")
    return f"scripted:{path}"


def verdicts(ran: Any) -> list[str]:
    return [item["verdict"] for task in ran.json()["tasks"] for item in task["verdicts"]]


@pytest.mark.parametrize("votes", ["2", "0", "-1", "many"])
def test_only_an_odd_number_of_votes_is_taken(judge: Judge, one: Lab, votes: str) -> None:
    ran = run(judge, one, "--votes", votes)
    assert ran.code == 2 and len(ran.err.strip().splitlines()) == 1 and "--votes" in ran.err and not one.calls()


def test_votes_decide_and_are_on_disk(judge: Judge, one: Lab, tmp_path: Path) -> None:
    one.answer(("01_A", 0, [S, U, U]), ("01_A", 1, [S, S]), ("01_A", 2, [S, {"text": "?"}, {"text": "?"}, U]))
    ran = run(judge, one, "--votes", 3, "--out", tmp_path / "out", "--json")
    assert ran.code == 5 and verdicts(ran) == ["UNSATISFIED", "SATISFIED", "ERROR"]
    lines = {item["requirement_id"]: item for item in one.lines(tmp_path / "out")}
    assert [len(lines[number]["votes"]) for number in range(3)] == [3, 2, 3]
    assert [item["vote"] for item in lines[0]["ballots"]] == [0, 1, 2]
    header = ran.json()["header"]
    assert header["options"]["votes"] == 3 and "panel" not in header["options"]
    assert ran.json()["usage"]["calls"] == len(one.calls()) == 9
    one.answer(("01_A", 2, U))
    again = run(judge, one, "--votes", 3, "--out", tmp_path / "out", "--json")
    assert again.code == 0 and verdicts(again)[2] == "UNSATISFIED"
    assert run(judge, one, "--votes", 1, "--out", tmp_path / "out").code == 2


def test_a_panel_is_in_the_header_and_in_every_verdict(judge: Judge, one: Lab, tmp_path: Path) -> None:
    one.answer(("01_A", 1, U))
    second, third = other(one, "second"), other(one, "third", default=U)
    ran = run(judge, one, "-m", second, "-m", third, "--out", tmp_path / "out", "--json")
    assert ran.code == 0 and verdicts(ran) == ["SATISFIED", "UNSATISFIED", "SATISFIED"]
    value = ran.json()
    assert value["header"]["model"] == "scripted:model.json + scripted:second.json + scripted:third.json"
    assert value["header"]["options"]["panel"] == value["header"]["model"].split(" + ")
    assert "models scripted:" in ran.err
    lines = one.lines(tmp_path / "out")
    assert all(line["model"] == value["header"]["model"] for line in lines)
    told = (
        {(item["model"], item["verdict"]) for item in lines[1]["ballots"]} if lines[1]["requirement_id"] == 1 else set()
    )
    assert told <= {
        ("scripted:model.json", "UNSATISFIED"),
        ("scripted:second.json", "SATISFIED"),
        ("scripted:third.json", "UNSATISFIED"),
    }
    models = value["costs"]["models"]
    assert sum(item["calls"] for item in models.values()) == value["usage"]["calls"]
    assert set(models) == set(value["header"]["options"]["panel"])
    before = len(one.calls())
    assert run(judge, one, "-m", second, "-m", third, "--out", tmp_path / "out").code == 0
    assert len(one.calls()) == before


def test_an_outage_of_a_member_is_no_verdict(judge: Judge, one: Lab, tmp_path: Path) -> None:
    down = other(one, "down", default={"status": 400, "message": "bad"})
    ran = run(judge, one, "-m", down, "--out", tmp_path / "out", "--json")
    assert ran.code == 3 and set(verdicts(ran)) == {"ERROR"}
    ran = run(judge, one, "-m", down, "-m", other(one, "third"), "--out", tmp_path / "out3", "--json")
    assert ran.code == 0 and set(verdicts(ran)) == {"SATISFIED"}
    assert {item["verdict"] for line in one.lines(tmp_path / "out3") for item in line["ballots"]} == {
        "SATISFIED",
        "ERROR",
    }


@pytest.mark.parametrize(("tie", "code", "verdict"), [("error", 5, "ERROR"), ("unsatisfied", 0, "UNSATISFIED")])
def test_a_tie_is_what_the_option_says(
    judge: Judge, one: Lab, tmp_path: Path, tie: str, code: int, verdict: str
) -> None:
    ran = run(judge, one, "-m", other(one, "no", default=U), "--tie", tie, "--out", tmp_path / "o", "--json")
    assert ran.code == code and set(verdicts(ran)) == {verdict}


def test_a_model_named_twice_is_refused(judge: Judge, one: Lab) -> None:
    ran = run(judge, one, "-m", one.model)
    assert ran.code == 2 and "once" in ran.err and len(ran.err.strip().splitlines()) == 1


def test_the_reading_of_criteria_is_in_prompt_and_header(judge: Judge, one: Lab, tmp_path: Path) -> None:
    one.write_script(
        rules=[
            {"when": "A trivial deviation", "reply": S},
            {"when": "Judge the criterion as it is written", "reply": U},
        ]
    )
    found = {}
    for name in ("literal", "intent"):
        ran = run(judge, one, "--strictness", name, "--out", tmp_path / name, "--json")
        found[name] = (set(verdicts(ran)), ran.json()["header"]["options"]["strictness"])
    assert found == {"literal": ({"UNSATISFIED"}, "literal"), "intent": ({"SATISFIED"}, "intent")}
    ran = run(judge, one, "--strictness", "intent", "--out", tmp_path / "literal")
    assert ran.code == 2 and "other settings" in ran.err
    assert run(judge, one, "--strictness", "loose").code == 2


def test_costs_are_told_by_purpose_model_and_task(judge: Judge, one: Lab, tmp_path: Path) -> None:
    one.add("02_B", [[]])
    usage = {"input_tokens": 100, "cache_read_tokens": 900, "output_tokens": 10, "cost": 0.25}
    one.answer(("01_A", 1, ["?", {**S, "usage": usage}]), default={**S, "usage": usage})
    ran = run(judge, one, "--costs", "--out", tmp_path / "out")
    assert ran.code == 0
    text = ran.out
    assert "Used for" in text and "judge, scripted:model.json" in text and "repair, scripted:model.json" in text
    assert "Used on task" in text and "02_B" in text and "$0.2500" in text
    value = run(judge, one, "--out", tmp_path / "out", "--json").json()
    assert {item["purpose"] for item in value["costs"]["purposes"]} == {"judge", "repair"}
    assert value["costs"]["tasks"]["01_A"]["calls"] == 4 and value["costs"]["tasks"]["02_B"]["calls"] == 1
    total = sum(item["cost"] for item in value["costs"]["tasks"].values())
    assert total == pytest.approx(value["usage"]["cost"]) == pytest.approx(1.0)
    assert "Used for" not in run(judge, one, "--out", tmp_path / "out").out


def test_an_estimate_sends_and_writes_nothing(judge: Judge, one: Lab, tmp_path: Path) -> None:
    ran = run(judge, one, "--estimate", "--json", "--votes", 3)
    assert ran.code == 0 and not one.calls() and not (tmp_path / "cwd" / "runs").exists()
    value = ran.json()
    assert (value["requirements"], value["calls"], value["most_calls"], value["sampled"]) == (3, 6, 9, 3)
    assert value["tokens"] > 1_000 and value["seconds"] > 0
    text = run(judge, one, "--estimate").out
    assert "calls         3\n" in text and "Nothing was sent" in text
    ran = judge("run", one.tasks, "-w", one.workspaces, "-m", "openai:gpt-4o-mini", "--estimate", "--json")
    assert ran.code == 0 and 0 < ran.json()["cost"] < ran.json()["most_cost"]
    half = judge("run", one.tasks, "-w", one.workspaces, "-m", "openai:gpt-4o-mini", "--estimate", "--batch", "--json")
    assert half.json()["cost"] == pytest.approx(ran.json()["cost"] / 2) and half.json()["seconds"] is None
    assert judge("run", one.tasks, "-w", one.workspaces, "--estimate").out.splitlines()[1].startswith("calls         0")


def test_an_estimate_counts_what_is_missing(judge: Judge, one: Lab, tmp_path: Path) -> None:
    one.answer(("01_A", 1, {"status": 400, "message": "bad"}))
    assert run(judge, one, "--out", tmp_path / "out").code == 3
    calls = len(one.calls())
    value = run(judge, one, "--out", tmp_path / "out", "--estimate", "--json").json()
    assert value["requirements"] == value["calls"] == 1 and len(one.calls()) == calls
    assert run(judge, one, "--out", tmp_path / "out", "--fresh", "--estimate", "--json").json()["calls"] == 3


def test_a_run_whose_time_is_over_stops_and_keeps_what_is_finished(judge: Judge, one: Lab, tmp_path: Path) -> None:
    one.answer(("01_A", 1, {**S, "latency": 60}), default=S)
    ran = run(judge, one, "--max-time", 1, "--out", tmp_path / "out", "--json")
    assert ran.code == 5 and ran.json()["stopped"] == "the time for the run is over"
    assert "--max-time" in ran.err and ran.json()["totals"]["pending"] == 1
    assert {line["requirement_id"] for line in one.lines(tmp_path / "out")} == {0, 2}
    one.write_script()
    assert run(judge, one, "--max-time", 60, "--out", tmp_path / "out").code == 0


def test_a_batch_is_answered_and_continued(
    judge: Judge, one: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    monkeypatch.setattr(batch, "BatchPlan", partial(batch.BatchPlan, poll=0.01))
    one.answer(("01_A", 1, [{"text": "?"}, U]))
    ran = run(judge, one, "--batch", "--out", tmp_path / "out", "--json")
    assert ran.code == 0, ran.err
    assert verdicts(ran) == ["SATISFIED", "UNSATISFIED", "SATISFIED"]
    assert (tmp_path / "out" / "batches").is_dir()
    calls = len(one.calls())
    assert run(judge, one, "--batch", "--out", tmp_path / "out").code == 0 and len(one.calls()) == calls


def test_the_help_shows_options_in_panels(judge: Judge) -> None:
    text = judge("run", "--help").out
    titles = [
        "Arguments:",
        "What is judged:",
        "How it is judged:",
        "Evidence:",
        "Model:",
        "Cost, time and limits:",
        "Output:",
    ]
    assert [text.index(title) for title in titles] == sorted(text.index(title) for title in titles)
    for name in (
        "--votes",
        "--tie",
        "--strictness",
        "--batch",
        "--estimate",
        "--max-time",
        "--no-cache",
        "--effort",
        "--api",
    ):
        assert name in text


def test_a_batch_takes_votes_of_a_panel_and_keeps_the_budget(
    judge: Judge, one: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    monkeypatch.setattr(batch, "BatchPlan", partial(batch.BatchPlan, poll=0.01))
    one.answer(("01_A", 0, U))
    second, third = other(one, "second"), other(one, "third")
    given = ("--batch", "--votes", 3, "-m", second, "-m", third, "--out", tmp_path / "out", "--json")
    ran = run(judge, one, *given)
    assert ran.code == 0, ran.err
    assert verdicts(ran) == ["SATISFIED"] * 3
    votes = {line["requirement_id"]: line["votes"] for line in one.lines(tmp_path / "out")}
    assert votes[1].count("SATISFIED") == 5 and 5 <= len(votes[0]) <= 9
    ran = run(judge, one, "--batch", "--max-tokens", 10, "--out", tmp_path / "small")
    assert ran.code == 4 and "limit of 10 tokens" in ran.err


def test_a_gate_and_a_batch_go_together(
    judge: Judge, one: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    monkeypatch.setattr(batch, "BatchPlan", partial(batch.BatchPlan, poll=0.01))
    one.answer(("01_A", 0, U))
    ran = run(judge, one, "--batch", "--gate", "--out", tmp_path / "out", "--json")
    assert ran.code == 0 and verdicts(ran) == ["UNSATISFIED", "UNSATISFIED", "SATISFIED"]
    assert len(one.calls()) == 2
