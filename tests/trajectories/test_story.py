"""The bundled samples tell one story in every format: written, crashed, mended, run, and a figure typed in by hand."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from judge.trajectories import (
    Converted,
    Effect,
    Outcome,
    convert,
    detect,
    file_history,
    trajectory_schema,
)
from judge.trajectories.formats import FORMATS
from judge.trajectories.write import devai_steps, write_trajectory

FOLDER = Path(__file__).resolve().parents[2] / "trajectories" / "samples"
TOLD = {
    "devai": "devai/trajectory.json",
    "claude-code": "claude-code/5f0c6a3e-0001-4c11-8a55-000000000001.jsonl",
    "claude-stream": "claude-stream/run.jsonl",
    "codex": "codex/rollout-2026-03-02T09-00-00.jsonl",
    "codex-exec": "codex-exec/events.jsonl",
    "gemini-cli": "gemini-cli/session.json",
    "atif": "atif/trajectory.json",
    "smolagents": "smolagents/steps.json",
    "autogen": "autogen/task_result.json",
    "cline": "cline/1772442000000",
    "aider": "aider/chat.history.md",
    "openai": "openai/messages.json",
    "anthropic": "anthropic/messages.json",
}
SCRIPT, FIGURE = "src/advice.py", "results/summary.txt"
UNPRICED = {"claude-code", "codex", "codex-exec", "gemini-cli", "smolagents", "autogen", "openai", "anthropic"}
NO_PROMPT = {"claude-stream", "codex-exec"}


def read(name: str) -> Converted:
    (item,) = convert(FOLDER / TOLD[name])
    return item


def test_every_format_has_a_sample() -> None:
    have = {path.name for path in FOLDER.iterdir() if path.is_dir()}
    assert {item.name for item in FORMATS} <= have


@pytest.mark.parametrize("folder", sorted(path.name for path in FOLDER.iterdir() if path.is_dir()))
def test_the_samples_are_told_from_their_content(folder: str) -> None:
    places = [path for path in (FOLDER / folder).iterdir() if path.is_file()] or list((FOLDER / folder).iterdir())
    found = {detect(path)[0].format.name for path in places if detect(path)}
    assert any(name == folder or folder.startswith(name) or name.startswith(folder) for name in found)


@pytest.mark.parametrize("name", TOLD)
def test_the_story_is_read(name: str) -> None:
    item = read(name)
    steps = item.trajectory.steps
    assert item.trajectory.problems == ()
    prompts = [step.user_message for step in steps if step.user_message]
    assert bool(prompts) is (name not in NO_PROMPT)
    assert not prompts or "data/plants.csv" in prompts[0]
    assert any(
        "ModuleNotFoundError" in (s.environment or "") or "exit status 1" in (s.environment or "") for s in steps
    )
    assert "the cactus can wait" in (steps[-1].thought + (steps[-1].action or ""))
    assert all((step.action is None) <= (step.environment is None) for step in steps)
    jsonschema.validate(json.loads(json.dumps(list(devai_steps(item.trajectory)))), trajectory_schema())


@pytest.mark.parametrize("name", TOLD)
def test_unknown_cost_stays_unknown(name: str) -> None:
    item = read(name)
    costs = [step.usage.cost for step in item.trajectory.steps if step.usage.cost is not None]
    priced = bool(costs) or item.report.stated.cost is not None
    assert priced is (name not in UNPRICED)
    if not priced:
        assert all(not step["usage_known"]["cost"] for step in devai_steps(item.trajectory))
    assert (
        item.report.stated.input_tokens
        or any(step.usage.input_tokens for step in item.trajectory.steps)
        or name
        in {
            "openai",
            "anthropic",
        }
    )


@pytest.mark.parametrize("name", TOLD)
@pytest.mark.parametrize("again", [False, True], ids=["direct", "through DevAI JSON"])
def test_the_file_history_understands_it(name: str, again: bool, tmp_path: Path) -> None:
    trajectory = read(name).trajectory
    if again:
        write_trajectory(trajectory, tmp_path / "a.json")
        trajectory = next(convert(tmp_path / "a.json")).trajectory
    history = file_history(trajectory)
    last = history.last_write(SCRIPT)
    assert last is not None and last.effect in {Effect.WRITTEN, Effect.EDITED}
    assert history.hand_written(FIGURE) is True
    assert history.hand_written(SCRIPT) is True
    if name != "smolagents":
        # Its program is started through another one, of which only the failure is recorded.
        outcomes = [run.outcome for run in history.runs_of(SCRIPT)]
        assert outcomes == [Outcome.ERROR, Outcome.OK]
        assert history.crashed_after_write(SCRIPT) is False
    assert history.never_executed(SCRIPT) is not True


def test_a_sub_agent_stands_behind_the_call_that_started_it() -> None:
    item = read("claude-code")
    agents = [step.agent_name for step in item.trajectory.steps]
    assert agents[:4] == [None, "Explore", "Explore", None]
    assert (item.trajectory.steps[0].model_extra or {})["tool"] == "Task"
    assert item.report.notes["sub-agents"] == 1
    assert sum(step.usage.output_tokens or 0 for step in item.trajectory.steps) == 55 + 20 * 5 + 9 + 8


def test_a_continued_file_counts_once() -> None:
    item = read("atif")
    assert item.report.stated.cost == 0.01
    assert sum(step.user_message is not None for step in item.trajectory.steps) == 1
    assert item.report.skipped["copied context"] == 1


def test_a_log_without_tools_still_tells_who_did_what() -> None:
    (item,) = convert(FOLDER / "metagpt" / "run.log")
    assert [(s.agent_name, s.action) for s in item.trajectory.steps] == [
        ("Engineer", "WriteCode"),
        ("QaEngineer", "RunCode"),
    ]
    assert "ModuleNotFoundError" in (item.trajectory.steps[1].environment or "")
    assert item.trajectory.steps[0].user_message
