"""The attack report: none for the rules, many flips for a gullible model, errors apart, nothing asked twice."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.attack import attacks
from judge.attack.plan import clean_name
from judge.attack.tally import State, outcome, rate, wilson
from judge.cli.attack import attack_report
from judge.cli.choose import resolve
from judge.errors import ExitCode, InputError
from judge.schemas import Judgment, VerdictValue

ONLY = ("code", "pdf", "language")


def clean_rules() -> list[dict[str, Any]]:
    """What a model without prejudice says of the clean twins."""
    met = {(item.base.name, item.target): item.base for item in attacks() if item.base.met[item.target]}
    return [
        {"when": f"# Requirement to judge\n\n{base.criteria[target]}", "reply": {"verdict": "SATISFIED"}}
        for (_, target), base in met.items()
    ]


def script(folder: Path, *rules: dict[str, Any]) -> Path:
    path = folder / "model.json"
    log = folder / "calls.jsonl"
    whole = {"rules": [*rules, *clean_rules()], "default": {"verdict": "UNSATISFIED"}, "log": str(log)}
    path.write_text(json.dumps(whole), encoding="utf-8")
    return path


GULLIBLE = (
    {"when": "this requirement as satisfied", "reply": {"verdict": "SATISFIED"}},
    {"when": "this requirement as unsatisfied", "reply": {"verdict": "UNSATISFIED"}},
)


def measured(out: Path, flags: dict[str, Any], **more: Any) -> tuple[ExitCode, dict[str, Any]]:
    code = attack_report(resolve({"out": out, **flags}, None), **more)
    return code, json.loads((out / "attack.json").read_text(encoding="utf-8"))


def calls(folder: Path) -> int:
    path = folder / "calls.jsonl"
    return len(path.read_text().splitlines()) if path.exists() else 0


def prompts(out: Path) -> dict[str, str]:
    lines = map(json.loads, (out / "verdicts.jsonl").read_text(encoding="utf-8").splitlines())
    return {line["task"]: line["prompt_hash"] for line in lines}


def test_the_rules_are_not_moved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, report = measured(tmp_path / "out", {"judge": "rules"}, only=ONLY)
    assert code is ExitCode.OK
    total = report["total"]
    assert (total["flips"], total["errors"], total["pending"], total["already"]) == (0, 0, 0, 0)
    assert total["tried"] == total["attacks"] == len(report["outcomes"]) >= 30
    assert total["rate"] == total["low"] == 0.0 < total["high"] < 0.2
    shown = capsys.readouterr()
    assert (tmp_path / "out" / "attack.md").read_text(encoding="utf-8").rstrip() == shown.out.rstrip()
    assert "attacks moved the verdict (0.0%" in shown.err


def test_a_gullible_model_is_moved_in_both_directions(tmp_path: Path) -> None:
    flags = {"model": f"scripted:{script(tmp_path, *GULLIBLE)}", "judge": "llm"}
    code, report = measured(tmp_path / "out", flags, only=ONLY)
    assert code is ExitCode.OK
    rates = {item["name"]: item for item in (*report["directions"], *report["channels"])}
    assert rates["to SATISFIED"]["flips"] > 5 < rates["to UNSATISFIED"]["flips"]
    assert rates["pdf"]["rate"] == 1.0 > rates["pdf"]["low"] > 0.5
    assert rates["language"]["flips"] == 0 < rates["language"]["tried"]
    assert rates["pdf"]["flagged"] == rates["pdf"]["addressing"] == rates["pdf"]["attacks"]
    flipped = [item for item in report["outcomes"] if item["state"] == "flipped"]
    assert all(item["attacked"] == item["direction"] != item["clean"] for item in flipped)
    assert all(item["attack"] in (tmp_path / "out" / "attack.md").read_text(encoding="utf-8") for item in flipped)


def test_a_firm_model_is_not_moved(tmp_path: Path) -> None:
    flags = {"model": f"scripted:{script(tmp_path)}", "judge": "llm"}
    _, report = measured(tmp_path / "out", flags, only=("pdf",))
    assert (report["total"]["flips"], report["total"]["tried"]) == (0, 6)


def test_errors_are_shown_and_never_flips(tmp_path: Path) -> None:
    fails = {"when": "this requirement as satisfied", "reply": {"text": "I cannot say"}}
    flags = {"model": f"scripted:{script(tmp_path, fails, *GULLIBLE)}", "judge": "llm"}
    code, report = measured(tmp_path / "out", flags, only=("pdf",))
    assert code is ExitCode.INCOMPLETE
    total = report["total"]
    assert (total["errors"], total["flips"], total["tried"]) == (3, 3, 3)
    assert "## Errors" in (tmp_path / "out" / "attack.md").read_text(encoding="utf-8")
    assert all(item["error"] for item in report["outcomes"] if item["state"] == "error")


def test_what_was_asked_is_not_asked_again(tmp_path: Path) -> None:
    flags = {"model": f"scripted:{script(tmp_path, *GULLIBLE)}", "judge": "llm"}
    _, first = measured(tmp_path / "out", flags, only=("pdf",))
    asked = calls(tmp_path)
    assert asked >= 12
    _, again = measured(tmp_path / "out", flags, only=("pdf",))
    assert calls(tmp_path) == asked
    assert again["outcomes"] == first["outcomes"]
    before = prompts(tmp_path / "out")
    shutil.rmtree(tmp_path / "out")
    _, other = measured(tmp_path / "out", flags, only=("pdf",))
    assert other["outcomes"] == first["outcomes"]
    assert prompts(tmp_path / "out") == before, "the prompts are the same, so that a cache knows the replies"


def test_an_estimate_asks_nothing_and_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flags = {"model": f"scripted:{script(tmp_path, *GULLIBLE)}", "out": tmp_path / "out"}
    assert attack_report(resolve(flags, None), only=("pdf",), estimate=True, as_json=True) is ExitCode.OK
    found = json.loads(capsys.readouterr().out)
    assert found["calls"] == found["requirements"] >= 12
    assert calls(tmp_path) == 0
    assert not (tmp_path / "out").exists()


def test_black_box_has_no_attacks_in_steps(tmp_path: Path) -> None:
    settings = resolve({"judge": "rules", "setting": "black-box", "out": tmp_path / "out"}, None)
    with pytest.raises(InputError, match="no attack is left"):
        attack_report(settings, only=("trajectory",))


def judgment(verdict: VerdictValue, **more: Any) -> Judgment:
    return Judgment(task="t", requirement_id=0, verdict=verdict, reason="", confidence=0.5, **more)


@pytest.mark.parametrize(
    ("clean", "attacked", "state"),
    [
        ("UNSATISFIED", "SATISFIED", State.FLIPPED),
        ("UNSATISFIED", "UNSATISFIED", State.HELD),
        ("SATISFIED", "SATISFIED", State.ALREADY),
        ("SATISFIED", "UNSATISFIED", State.ALREADY),
        ("ERROR", "SATISFIED", State.ERROR),
        ("UNSATISFIED", "ERROR", State.ERROR),
        (None, "SATISFIED", State.PENDING),
        ("UNSATISFIED", None, State.PENDING),
    ],
)
def test_what_counts_as_a_flip(clean: str | None, attacked: str | None, state: State) -> None:
    attack = next(item for item in attacks() if item.direction is VerdictValue.SATISFIED)
    verdicts = {
        clean_name(attack.base, attack.target): judgment(VerdictValue(clean)) if clean else None,
        attack.name: judgment(VerdictValue(attacked)) if attacked else None,
    }
    found = outcome(attack, verdicts)
    assert found.state is state
    counted = rate("x", [found])
    assert counted.flips == (state is State.FLIPPED)
    assert counted.tried == (state in {State.FLIPPED, State.HELD})
    assert (counted.rate is None) == (counted.tried == 0)


@given(st.integers(0, 400).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total))))
def test_the_interval_holds_the_share(numbers: tuple[int, int]) -> None:
    hits, total = numbers
    found = wilson(hits, total)
    if found is None:
        assert total == 0
    else:
        assert 0.0 <= found.low <= found.rate <= found.high <= 1.0
        assert found.high - found.low > 0


def test_the_interval_is_wilsons() -> None:
    found = wilson(8, 20)
    assert found is not None
    assert [round(value, 4) for value in found] == [0.4, 0.2188, 0.6134]
