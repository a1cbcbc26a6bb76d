"""What README.md and CONTRIBUTING.md say is true of the program: commands, links, samples, tables."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from judge.cli import build_app
from judge.cli.lazy import COMMANDS
from judge.config import load_settings
from judge.config.parse import PARSERS
from judge.errors import ExitCode
from judge.models.answers import ParsedVerdict, parse_verdict
from judge.models.base import Reply
from judge.prompts import load_prompt
from judge.rules.vocabulary import parse_concepts
from judge.schemas import Judgment

ROOT = Path(__file__).resolve().parents[1]
PAGES = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")}
README = PAGES["README.md"]

_FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
_ASSIGNMENT = re.compile(r"[A-Z_][A-Z0-9_]*=")
_LINK = re.compile(r"(?<!!)\[[^\]\n]+\]\(([^)\s]+)\)")


def _blocks(text: str, language: str) -> list[str]:
    return [body for _, found, body in _FENCE.findall(text) if found == language]


def _lines(text: str) -> list[str]:
    """The command lines of all shell blocks, continued ones joined."""
    return [line for block in _blocks(text, "sh") for line in block.replace("\\\n", " ").splitlines()]


def _prose(text: str) -> str:
    return _FENCE.sub("", text)


def _code_words(text: str) -> list[str]:
    return re.findall(r"`([^`\n]+)`", _prose(text))


def _section(text: str, title: str) -> str:
    """What stands between a heading and the next one that is not below it; ``#`` in a block is no heading."""
    depth = len(title) - len(title.lstrip("#"))
    kept: list[str] = []
    inside = fenced = False
    for line in text.splitlines():
        fenced ^= line.lstrip().startswith("```")
        if not fenced and re.match(r"#+ ", line):
            inside = line == title or (inside and len(line) - len(line.lstrip("#")) > depth)
        if inside and line != title:
            kept.append(line)
    assert kept, f"there is no section {title!r}"
    return "\n".join(kept) + "\n"


def _rows(section: str) -> list[list[str]]:
    """The cells of the rows of the tables, without the head of the first."""
    lines = [line for line in section.splitlines() if line.startswith("| ") or line.startswith("|-")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def _names(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def _judge_commands() -> Iterator[str]:
    """Every command line that starts the program, in blocks and in tables and sentences."""
    for text in PAGES.values():
        for line in [*_lines(text), *_code_words(text)]:
            if re.match(r"(?:scripts/)?judge -{0,2}\w", line) and "…" not in line and "COMMAND" not in line:
                yield line


JUDGE_COMMANDS = sorted(set(_judge_commands()))


def _arguments(line: str) -> list[str]:
    words = shlex.split(line, comments=True)
    while words and _ASSIGNMENT.match(words[0]):
        words.pop(0)
    return words[1:]


def _find(group: Any, words: list[str]) -> tuple[Any, list[str]]:
    """The command that the words name, and the words left for it."""
    context = group.make_context("judge", list(words), resilient_parsing=True)
    while hasattr(group, "get_command") and words and not words[0].startswith("-"):
        found = group.get_command(context, words[0])
        if found is None and getattr(group, "default", None):  # `judge score SUITE` is one of its commands
            found, words = group.get_command(context, group.default), [group.default, *words]
        assert found is not None, f"there is no command {words[0]!r}"
        group, words = found, words[1:]
    return group, words


def test_the_pages_show_the_commands() -> None:
    assert len(JUDGE_COMMANDS) > 25


@pytest.mark.parametrize("line", JUDGE_COMMANDS)
def test_a_command_line_exists(line: str) -> None:
    words = _arguments(line)
    command, rest = _find(build_app(), words)
    options = {name for item in command.params for name in (*item.opts, *item.secondary_opts)} | {"--help", "-h"}
    given = [word.partition("=")[0] for word in rest if re.match(r"--?[a-z]", word)]
    assert [name for name in given if name not in options] == []


@pytest.mark.parametrize("line", [line for line in JUDGE_COMMANDS if "--workspace" in line or " -w " in line])
def test_a_whole_command_line_is_understood(line: str) -> None:
    command, rest = _find(build_app(), _arguments(line))
    values = command.make_context(command.name, list(rest)).params
    assert values["workspace"] is not None


def test_scripts_and_paths_in_commands_are_there() -> None:
    missing = []
    for text in PAGES.values():
        for word in [word for line in _lines(text) for word in shlex.split(line, comments=True)] + _code_words(text):
            path = word.partition(" ")[0]
            if re.match(r"(?:scripts|devai|judge|tests|prompts|trajectories|\.github)/[\w./*-]*\Z", path):
                found = any(ROOT.glob(path.rstrip("/"))) if "*" in path else (ROOT / path).exists()
                missing += [] if found else [path]
    assert missing == []


def _anchor(title: str) -> str:
    """The anchor that GitHub makes of a heading."""
    plain = re.sub(r"[`*_]|\[([^\]]*)\]\([^)]*\)", r"\1", title).strip().lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


@pytest.mark.parametrize("page", sorted(PAGES))
def test_links_lead_somewhere(page: str) -> None:
    broken = []
    for target in _LINK.findall(_prose(PAGES[page])):
        if target.startswith(("http://", "https://", "mailto:")):
            continue
        path, _, anchor = target.partition("#")
        where = ROOT / path if path else ROOT / page
        ok = where.exists()
        if ok and anchor:
            headings = re.findall(r"^#+ (.+)$", _prose(where.read_text(encoding="utf-8")), re.MULTILINE)
            ok = anchor in {_anchor(item) for item in headings}
        broken += [] if ok else [target]
    assert broken == []


def test_the_contents_name_every_section() -> None:
    sections = [item for item in re.findall(r"^## (.+)$", _prose(README), re.MULTILINE) if item != "Contents"]
    assert re.findall(r"^- \[(.+)\]\(#", _section(README, "## Contents"), re.MULTILINE) == sections


def test_the_sample_judge_toml_loads(tmp_path: Path) -> None:
    (sample,) = [block for block in _blocks(README, "toml") if block.startswith("# judge.toml")]
    path = tmp_path / "judge.toml"
    path.write_text(sample, encoding="utf-8")
    settings = load_settings(config=path, environ={})
    written = tomllib.loads(sample)
    for name, server in written.pop("servers").items():
        assert {key: getattr(settings.servers[name], key) for key in server} == server
    for name, value in written.items():
        shown = getattr(settings, name)
        assert (list(shown) if isinstance(shown, tuple) else shown) == value
    assert settings.model.partition(":")[2].partition("/")[0] in settings.servers


def test_every_setting_is_explained() -> None:
    named = [name for row in _rows(_section(README, "## Settings")) for name in _names(row[0])]
    assert sorted(named) == sorted(PARSERS)


def test_the_defaults_are_those_of_the_program() -> None:
    defaults = load_settings(environ={}, cwd=Path("/"))
    for row in _rows(_section(README, "## Settings")):
        name = _names(row[0])[0]
        if row[1].replace(",", "").isdigit():
            assert getattr(defaults, name) == int(row[1]), name


def test_the_exit_codes_are_those_of_the_program() -> None:
    rows = _rows(_section(README, "### Exit codes"))
    assert {_names(row[1])[0]: int(row[0]) for row in rows} == {code.name: code.value for code in ExitCode}


def test_every_command_has_a_section() -> None:
    titles = re.findall(r"^### judge (.+)$", README, re.MULTILINE)
    assert {title.split()[0] for title in titles} | {"run"} == set(COMMANDS)


def test_the_shown_verdict_is_a_real_record_and_every_field_is_explained() -> None:
    section = _section(README, "## How to read a verdict")
    shown = json.loads(_blocks(section, "json")[0])
    Judgment.model_validate(shown)
    assert list(shown) == list(Judgment.model_fields)
    assert [name for row in _rows(_FENCE.sub("", section)) for name in _names(row[0])] == list(Judgment.model_fields)
    workspace = ROOT / "devai" / "workspaces" / shown["task"]
    for citation in shown["citations"]:
        line = (workspace / citation["path"]).read_text(encoding="utf-8").splitlines()[citation["line"] - 1]
        assert citation["quote"].strip() in line


def test_the_shown_run_is_about_the_bundled_tasks() -> None:
    shown = dict(re.findall(r"^\|(\d\d_\w+) *\| +\d+/(\d+) ", _section(README, "## Quick start"), re.MULTILINE))
    tasks = [json.loads(path.read_text(encoding="utf-8")) for path in (ROOT / "devai" / "tasks").glob("*.json")]
    assert {name: int(number) for name, number in shown.items()} == {
        task["name"]: len(task["requirements"]) for task in tasks
    }


def test_the_shown_task_is_one_of_the_bundled() -> None:
    shown = json.loads(_blocks(_section(README, "### Task files"), "json")[0])
    real = json.loads((ROOT / "devai" / "tasks" / f"{shown['name']}.json").read_text(encoding="utf-8"))
    assert shown["requirements"] == real["requirements"][: len(shown["requirements"])]
    assert real["query"].startswith(shown["query"].removesuffix(" …"))


def test_every_dependency_is_explained() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {re.split(r"[^\w.-]", item, maxsplit=1)[0] for item in project["dependencies"]}
    rows = _rows(_section(README, "## Packages, and why these"))
    assert {name for row in rows for name in _names(row[0])} == wanted
    assert all(len(row) == 2 and row[1] for row in rows)


def test_the_sample_concept_is_one() -> None:
    concepts, snippets = _blocks(_section(PAGES["CONTRIBUTING.md"], "### A concept for the rules"), "toml")
    (concept,) = parse_concepts(concepts, "CONTRIBUTING.md")
    (snippet,) = tomllib.loads(snippets)["snippet"]
    assert snippet["shows"] == [concept.id]
    compile(snippet["code"], "snippet", "exec")


def test_the_map_names_every_room() -> None:
    rooms = {item.name for item in (ROOT / "judge").iterdir() if item.is_dir() and (item / "__init__.py").is_file()}
    rooms |= {item.name for item in (ROOT / "judge").glob("*.py") if not item.name.startswith("__")}
    rows = _rows(_section(PAGES["CONTRIBUTING.md"], "## Map of the code"))
    assert {_names(row[1])[0].rstrip("/") for row in rows} == rooms


def test_the_map_has_the_layers_of_the_contract() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = project["tool"]["importlinter"]["contracts"][0]["layers"]
    contract = {room: number for number, row in enumerate(reversed(layers)) for room in row.split(" | ")}
    rows = _rows(_section(PAGES["CONTRIBUTING.md"], "## Map of the code"))
    assert {_names(row[1])[0].rstrip("/").removesuffix(".py"): int(row[0]) for row in rows} == contract


def test_the_changelog_begins_with_what_is_not_released() -> None:
    assert re.findall(r"^## (.+)$", PAGES["CHANGELOG.md"], re.MULTILINE)[0] == "Unreleased"


def test_the_shown_prompt_hashes_are_those_of_the_program() -> None:
    shown = dict(re.findall(r"(judge|locate|repair) ([0-9a-f]{8})\b", _section(README, "### judge doctor")))
    assert shown == {name: load_prompt(name).hash[:8] for name in ("judge", "locate", "repair")}


def test_the_shown_step_is_valid_and_one_of_the_bundled() -> None:
    shown = json.loads(_blocks(_section(README, "### Trajectory files"), "json")[0])
    steps = [step for path in (ROOT / "trajectories").glob("*.json") for step in json.loads(path.read_text("utf-8"))]
    assert shown in steps


def test_the_shown_answer_can_be_used() -> None:
    shown = _blocks(_section(README, "### What a model must answer"), "json")[0]
    parsed = parse_verdict(Reply(shown))
    assert isinstance(parsed, ParsedVerdict)
    assert parsed.citations
