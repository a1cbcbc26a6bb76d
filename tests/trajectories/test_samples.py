"""Every fact that is known of the sample files beside the checkout; formats join as soon as they are registered."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import pytest

from judge.jsontext import show_path
from judge.schemas import Step
from judge.trajectories import Converted, convert, detect
from judge.trajectories.formats import FORMATS
from judge.trajectories.sample import partial
from judge.trajectories.write import devai_steps, write_trajectory

SHARED = Path(__file__).resolve().parents[3] / "shared"
FOLDER = SHARED / "trajectories"
FORMAT_OF = {
    "aider": "aider",
    "atif": "atif",
    "autogen": "autogen",
    "claude_code": "claude-code",
    "codex/exec": "codex-exec",
    "codex": "codex",
    "devai": "devai",
    "gemini_cli": "gemini-cli",
    "inspect": "inspect",
    "langgraph": "langsmith",
    "langgraph/state": "langchain",
    "metagpt": "metagpt",
    "mini_swe_agent": "mini-swe-agent",
    "openhands_sdk": "openhands-sdk",
    "openhands_sdk/harness": "openhands-harness",
    "openhands_v0": "openhands",
    "otel_genai": "opentelemetry",
    "smolagents": "smolagents",
    "swe_agent": "swe-agent",
    "broken/aider": "aider",
    "broken/claude": "claude-code",
    "broken/codex": "codex-exec",
    "broken/openhands_nan": "openhands",
    "broken/sdk": "openhands-sdk",
}
NAMES = {item.name for item in FORMATS}


class Sample(NamedTuple):
    path: Path
    file: str
    facts: dict[str, Any]


def _samples() -> list[Sample]:
    """Each file of the table with its facts; a folder's facts may be given file by file."""
    if not (FOLDER / "SOURCES.tsv").is_file():
        return []
    with (FOLDER / "SOURCES.tsv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    facts = {row["file"]: json.loads(row["expected"]) for row in rows}
    found = []
    for row in rows:
        file, own = row["file"], dict(facts[row["file"]])
        if other := own.pop("same_facts_as", None):
            own = facts[other.removeprefix("given/")] | own
        inner = {key: value for key, value in own.items() if key.endswith((".jsonl", ".json"))}
        found += [Sample(FOLDER / file / key, f"{file}/{key}", value) for key, value in inner.items()] or [
            Sample(FOLDER / file, file, own)
        ]
    return found


def _format_of(file: str) -> str:
    key = max((key for key in FORMAT_OF if file.startswith(key)), key=len)
    name = FORMAT_OF[key]
    # A format may have been given a longer name; it is known by its beginning.
    return name if name in NAMES else next((n for n in NAMES if n.startswith(name + "-")), name)


SAMPLES = _samples()
pytestmark = pytest.mark.skipif(not SAMPLES, reason="sample trajectories are not beside the checkout (../shared)")
CASES = [pytest.param(sample, id=sample.file) for sample in SAMPLES]


def read(sample: Sample) -> list[Converted]:
    name = _format_of(sample.file)
    if name not in NAMES:
        pytest.skip(f"no reader is registered for {name}")
    return list(convert(sample.path, redact=False))


def fold(text: str) -> str:
    """Text for comparing: without terminal codes, escapes taken apart, all blanks one."""
    text = re.sub(r"\x1b\[[0-?]*[ -/]*[@-~]", "", text)
    text = text.replace("\\n", "\n").replace('\\"', '"').replace("\\t", "\t").replace("\\'", "'").replace("\\\\", "\\")
    return " ".join(text.split())


def holds(text: str | None, fact: str) -> bool:
    """Whether a text holds what it should; JSON arguments may be shown in another, more readable form."""
    folded, wanted = fold(text or ""), fold(fact)
    if wanted in folded:
        return True
    if not fact.lstrip().startswith("{"):
        return False
    # What is run counts; beside it a call may name folders and times, which are kept apart.
    arguments = partial(fact) or {}
    if "command" in arguments:
        command = arguments["command"]
        return fold(command[-1] if isinstance(command, list) else command) in folded
    cut = fold(fact).partition(": ")[2].strip('" ')
    texts = [value for value in arguments.values() if isinstance(value, str)]
    return all(fold(text) in folded for text in texts) if texts else cut in folded


def own_steps(item: Converted) -> list[Step]:
    """The steps of the main agent that are more than a prompt which nobody answered."""
    steps = [step for step in item.trajectory.steps if step.thought or step.action is not None]
    agents = item.report.notes.get("sub-agents")
    return [step for step in steps if not (agents and step.agent_name)]


def total(steps: list[Step], key: str) -> float | None:
    found = [value for step in steps if (value := getattr(step.usage, key)) is not None]
    return sum(found) if found else None


@pytest.mark.parametrize("sample", CASES)
def test_the_format_is_told_from_the_content(sample: Sample, tmp_path: Path) -> None:
    name = _format_of(sample.file)
    if name not in NAMES:
        pytest.skip(f"no reader is registered for {name}")
    assert detect(sample.path)[0].format.name == name
    if sample.path.is_file():
        renamed = tmp_path / "data.bin"
        renamed.write_bytes(sample.path.read_bytes())
        assert detect(renamed)[0].format.name == name


@pytest.mark.parametrize("sample", CASES)
def test_the_facts_are_reproduced(sample: Sample) -> None:
    items = read(sample)
    several = sample.facts.get("samples") or sample.facts.get("trajectories") or [sample.facts]
    assert len(items) == len(several)
    for item, facts in zip(items, several, strict=True):
        check(item, facts)
    for key in ("model", "schema_version"):
        if key in sample.facts:
            text = json.dumps(items[0].report.as_json(), default=str) + "".join(
                step.usage.model or "" for step in items[0].trajectory.steps
            )
            assert sample.facts[key] in text


def check(item: Converted, facts: dict[str, Any]) -> None:
    steps = own_steps(item)
    every = [step for step in item.trajectory.steps if not (item.report.notes.get("sub-agents") and step.agent_name)]
    actions = [step for step in steps if step.action is not None]
    results = [step for step in steps if step.environment is not None]
    prompts = [step for step in every if step.user_message]
    if "steps" in facts:
        assert len(steps) == facts["steps"]
    if "tool_calls" in facts and "valid" not in facts and "noise_events" not in facts:
        extra = facts.get("finish_call_counts_as_a_call", True)
        assert len(actions) - facts["tool_calls"] in ({0} if extra else {0, 1}), [s.action for s in actions]
    if "results" in facts:
        assert len(results) == facts["results"]
    if "user_messages" in facts:
        texts = [step.user_message for step in prompts]
        assert len(texts) == facts["user_messages"] or (facts["user_messages"] == 0 and facts.get("task", "task_has"))
    check_texts(steps, prompts, actions, results, facts)
    check_usage(steps, item, facts)
    check_report(item, facts)


def check_texts(
    steps: list[Step], prompts: list[Step], actions: list[Step], results: list[Step], facts: dict[str, Any]
) -> None:
    if "first_user_has" in facts:
        assert holds(prompts[0].user_message, facts["first_user_has"])
    if "task_has" in facts:
        assert holds(prompts[0].user_message, facts["task_has"])
    if "first_action_has" in facts:
        assert holds(actions[0].action, facts["first_action_has"]), actions[0].action
    if facts.get("first_action_tool"):
        tool = (actions[0].model_extra or {}).get("tool") or ""
        assert facts["first_action_tool"] in (tool, actions[0].action) or facts["first_action_tool"] in (
            actions[0].action or ""
        )
    if facts.get("last_env_ends"):
        ends = [fold(step.environment or "") for step in results]
        # Some files pack a result's text into JSON together with its exit code; the text is what counts.
        packed = re.split(r'\\n",\s*"(?:metadata|stderr)"', facts["last_env_ends"])[0]
        wanted = fold(packed).rpartition('": "')[2]
        assert any(text.endswith(wanted) for text in ends[-2:]), ends[-1][-200:]
    if "last_env_has" in facts:
        assert holds(results[-1].environment, facts["last_env_has"])
    if "final_text_has" in facts:
        texts = [step.thought for step in steps if step.thought]
        last = steps[-1].action or ""
        assert holds(texts[-1] if texts else "", facts["final_text_has"]) or holds(last, facts["final_text_has"])


def check_usage(steps: list[Step], item: Converted, facts: dict[str, Any]) -> None:
    stated = item.report.stated
    for kind in ("input_tokens", "output_tokens", "cost"):
        summed = total(steps, kind)
        if f"sum_{kind}" in facts:
            # Costs of single steps are rounded in some files.
            assert summed == pytest.approx(facts[f"sum_{kind}"], rel=1e-5)
        if f"total_{kind}" in facts:
            known = getattr(stated, kind) if getattr(stated, kind) is not None else summed
            assert known == pytest.approx(facts[f"total_{kind}"], rel=1e-5)
    if "sum_of_last" in facts:
        assert total(steps, "input_tokens") == facts["sum_of_last"]["input_tokens"]
        assert total(steps, "output_tokens") == facts["sum_of_last"]["output_tokens"]
    if "last_total" in facts:
        assert stated.input_tokens == facts["last_total"]["input_tokens"]
        assert stated.output_tokens == facts["last_total"]["output_tokens"]
    if "step_costs" in facts:
        assert [step.usage.cost for step in steps if step.usage.cost] == pytest.approx(facts["step_costs"])
    if facts.get("cost") == "none in file" or facts.get("usage") == "none in file":
        assert stated.cost is None and all(step.usage.cost is None for step in item.trajectory.steps)
    if facts.get("usage") == "none in file":
        assert stated.input_tokens is None and all(s.usage.input_tokens is None for s in item.trajectory.steps)


def check_report(item: Converted, facts: dict[str, Any]) -> None:
    report = item.report
    for kind, count in (facts.get("skipped") or {}).items():
        found = sum(n for name, n in report.skipped.items() if name.startswith(kind))
        assert found >= count, report.skipped
    if "calls_without_result" in facts:
        assert report.notes.get("calls without result", 0) == facts["calls_without_result"]
    if "unreadable_lines" in facts:
        assert sum("no JSON" in line for line in item.trajectory.problems) == facts["unreadable_lines"]
    if "warning" in str(facts.get("expect")):
        assert item.trajectory.problems
    notes = report.notes
    for key, name in (("sessions", "sessions"), ("prompts", "prompts"), ("slash_commands", "slash commands")):
        if key in facts:
            assert notes[name] == facts[key]
    if "applied_edits" in facts:
        assert notes["applied edits"] == facts["applied_edits"]
    if "agents" in facts:
        agents = {step.agent_name for step in item.trajectory.steps if step.agent_name}
        assert {name.replace(" ", "") for name in facts["agents"]} <= {name.replace(" ", "") for name in agents}
    if "interrupts" in facts:
        assert notes["interrupts"] == facts["interrupts"]
    if "info_records" in facts:
        assert report.skipped["info"] == facts["info_records"]


@pytest.mark.parametrize("sample", CASES)
def test_the_output_is_valid_and_reads_back(sample: Sample, tmp_path: Path) -> None:
    schema = json.loads((SHARED / "devai" / "trajectory-schema.json").read_text(encoding="utf-8"))
    for item in read(sample):
        steps = json.loads(json.dumps(list(devai_steps(item.trajectory)), allow_nan=False))
        jsonschema.validate(steps, schema)
        assert [step["step"] for step in steps] == list(range(len(steps)))
        path = tmp_path / "out.json"
        write_trajectory(item.trajectory, path, overwrite=True)
        again = next(convert(path, redact=False)).trajectory
        assert [s.action for s in again.steps] == [s.action for s in item.trajectory.steps]
        assert [s.environment for s in again.steps] == [s.environment for s in item.trajectory.steps]
        assert [s.usage.cost for s in again.steps] == [s.usage.cost for s in item.trajectory.steps]
        assert [s.model_extra for s in again.steps] == [s.model_extra for s in item.trajectory.steps]


@pytest.mark.parametrize("sample", CASES)
def test_no_secret_or_name_of_a_home_is_left(sample: Sample) -> None:
    if _format_of(sample.file) not in NAMES:
        pytest.skip("no reader is registered")
    for item in convert(sample.path):
        text = json.dumps(list(devai_steps(item.trajectory)))
        assert not re.search(r"/(?:home|Users)/dev\b", text), show_path(sample.path)
