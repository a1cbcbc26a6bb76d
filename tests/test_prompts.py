"""Templates are found, versioned and hashed; values are never read as templates."""

from __future__ import annotations

import hashlib
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.errors import InputError
from judge.prompts import _parse, load_prompt, prompt_ids

VARIABLES = {
    "judge": {"strictness", "trajectory", "query", "workspace", "criterion"},
    "llm-judge": {"strictness", "query", "workspace", "criterion"},
    "ask": {"workspace_map", "evidence", "question"},
    "locate": {"workspace_map", "criterion", "max_files"},
    "plan": {"query", "workspace_map", "criterion", "known", "calls", "result", "left"},
    "repair": {"why"},
}


def test_every_template_is_known_and_complete() -> None:
    assert set(prompt_ids()) >= set(VARIABLES)
    for name, variables in VARIABLES.items():
        prompt = load_prompt(name)
        assert prompt.variables == variables
        assert prompt.id == name
        assert prompt.version
        assert len(prompt.hash) == 16
        rendered = prompt.render(**dict.fromkeys(variables, "VALUE"))
        assert "{{" not in rendered
        assert "section:" not in rendered


def test_the_hash_is_of_the_file(root: Path) -> None:
    text = (root / "prompts" / "judge.md").read_text(encoding="utf-8")
    assert load_prompt("judge").hash == hashlib.sha256(text.encode()).hexdigest()[:16]


def test_the_criterion_is_told_once() -> None:
    assert load_prompt("judge").text.count("{{criterion}}") == 1


def test_shared_sections_are_the_same_for_every_requirement() -> None:
    prompt = load_prompt("judge")
    assert list(prompt.sections) == ["system", "literal", "intent", "gray_box", "task", "criterion"]
    assert all("{{criterion}}" not in prompt.sections[name] for name in prompt.sections if name != "criterion")
    assert "{{criterion}}" in prompt.sections["criterion"]
    first = prompt.render_section("task", query="q", workspace="m")
    assert first == prompt.render_section("task", query="q", workspace="m")


def test_both_readings_of_a_criterion_are_told_apart() -> None:
    for name in ("judge", "llm-judge"):
        sections = load_prompt(name).sections
        assert "as it is written" in sections["literal"] and "as it is written" not in sections["intent"]
        assert "trivial deviation" in sections["intent"] and "every part of it" in sections["intent"]


def test_a_rendered_prompt_does_not_change_unnoticed(root: Path) -> None:
    """Run scripts/golden_prompts.py after a change that is meant, and raise the version of the template."""
    found = _golden(root).prompts()
    folder = root / "tests" / "golden" / "prompts"
    assert {path.name for path in folder.iterdir()} == set(found)
    for name, text in found.items():
        assert text == (folder / name).read_text(encoding="utf-8"), name


def test_golden_prompts_hold_no_secret_and_all_parts(root: Path) -> None:
    golden = _golden(root)
    text = "\n".join(golden.prompts().values())
    assert golden.KEY not in text and "[redacted:openai-key]" in text
    assert all(part in text for part in ("[step 1]", "[file src/a.py]", "[note", "[search", "[memory", "1 images"))


def _golden(root: Path) -> Any:
    spec = importlib.util.spec_from_file_location("golden_prompts", root / "scripts" / "golden_prompts.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "rule",
    [
        "as it is written",
        "only from it",
        "final state",
        "really runs",
        "README",
        "never an instruction",
        "metric must be possible",
        "computed on the wrong data",
        "at odds with its inputs",
        "code could write it, not that it ran",
        "UNSATISFIED, and the reason names",
        "decided after the reason",
        "copied exactly",
        "step number",
        "failed prerequisite alone does not",
        "library or a local module that really does it",
        "output of commands in the trajectory is evidence",
        "typed in, copied, stale",
        "path and no line",
        "of the cells as shown",
        "the lines after it count on",
    ],
)
def test_the_judge_is_told_the_rules(rule: str) -> None:
    assert rule in load_prompt("judge").text


@given(st.text())
def test_values_are_put_in_as_they_are(value: str) -> None:
    rendered = load_prompt("repair").render(why=value)
    before, after = load_prompt("repair").text.strip("\n").split("{{why}}")
    assert rendered == before + value + after


@pytest.mark.parametrize(
    "value", ["{{criterion}}", "{{why}}", r"\1 \g<0>", "{why}", "${why}", "{% for %}", "{{{why}}}"]
)
def test_a_value_that_looks_like_a_variable_stays_text(value: str) -> None:
    text = load_prompt("judge").render_section("task", query="QUERY", workspace=value)
    assert value in text
    plain = load_prompt("judge").render_section("task", query="QUERY", workspace="")
    assert text.count("QUERY") == plain.count("QUERY")


@pytest.mark.parametrize("values", [{}, {"why": "x", "other": "y"}, {"Why": "x"}])
def test_missing_and_unknown_variables_are_errors(values: dict[str, str]) -> None:
    with pytest.raises(InputError, match=r"prompt repair: no (value for|variable)"):
        load_prompt("repair").render(**values)


@pytest.mark.parametrize("name", ["nothing", "../README", "a/b", "", "judge.md", "JUDGE"])
def test_unknown_prompts_are_one_line_errors(name: str) -> None:
    with pytest.raises(InputError) as caught:
        load_prompt(name)
    assert "\n" not in str(caught.value)


def test_an_unknown_section_is_an_error() -> None:
    with pytest.raises(InputError, match="no section 'nothing'"):
        load_prompt("judge").render_section("nothing")


@pytest.mark.parametrize(
    "text", ["no front matter", "---\nid: other\nversion: 1\n---\nx", "---\nid: a\n---\nx", "---\nid: a\n"]
)
def test_wrong_front_matter_is_an_error(text: str) -> None:
    with pytest.raises(InputError, match=r"prompts/a\.md"):
        _parse("a", text)


def test_found_in_an_installed_package(tmp_path: Path, root: Path) -> None:
    package = tmp_path / "site" / "judge"
    package.mkdir(parents=True)
    for name in ("__init__.py", "errors.py", "prompts.py"):
        shutil.copy(root / "judge" / name, package / name)
    shutil.copytree(root / "prompts", package / "_prompts")
    code = "from judge.prompts import load_prompt, prompt_ids; print(load_prompt('judge').hash, len(prompt_ids()))"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path / "site")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [load_prompt("judge").hash, str(len(prompt_ids()))]
