"""What several requirements need is shown once, and nothing is lost by that."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from judge.config import DEFAULT_MODULES
from judge.engine.cases import for_requirement
from judge.engine.evidence import Pipeline
from judge.fence import BREAK
from judge.modules.ask import Ask, share
from judge.modules.ask.repeats import without_repeats
from judge.modules.ask.thin import thin
from judge.modules.ask.union import covered, take_apart, united
from judge.modules.base import Case
from judge.schemas import Evidence, EvidenceKind
from judge.tokens import count

Make = Callable[..., Case]
_NUMBERED = re.compile(r"^(\d+)\| ?(.*)$")
LONG = "\n".join(f"def job_{n}(x):\n    return compute_{n}(x, {n})\n" for n in range(900))


def _read(path: str, text: str, *, line: int | None = 1) -> Evidence:
    return Evidence(
        module="read", kind=EvidenceKind.FILE, title=path, path=path, text=text, line=line, tokens=count(text)
    )


def _step(number: int, text: str) -> Evidence:
    return Evidence(
        module="retrieve", kind=EvidenceKind.STEP, title=f"Step {number}", step=number, text=text, tokens=count(text)
    )


def _numbered(lines: dict[int, str], total: int) -> str:
    rows, before = [], 0
    for number in sorted(lines):
        if number > before + 1:
            rows.append(f"… {number - before - 1} lines left out …")
        rows.append(f"{number}| {lines[number]}")
        before = number
    return "\n".join([*rows, *([f"… {total - before} lines left out …"] if total > before else [])])


line_text = st.text(st.characters(blacklist_characters="\n\r", blacklist_categories=("Cs",)), max_size=12)
excerpts = st.lists(st.sets(st.integers(1, 30), min_size=1), min_size=1, max_size=5)


@given(st.lists(line_text, min_size=30, max_size=30), excerpts)
def test_united_excerpts_show_every_line_of_each_and_no_other(lines: list[str], chosen: list[set[int]]) -> None:
    texts = [_numbered({number: lines[number - 1] for number in part}, 30) for part in chosen]
    whole = united(texts)
    assert whole is not None and all(covered(text, whole) for text in texts)
    found = take_apart(whole)
    assert found is not None and dict(found.lines) == {n: lines[n - 1] for part in chosen for n in part}
    assert found.total == 30


@given(st.lists(line_text, min_size=1, max_size=40), st.integers(1, 200))
def test_thinned_numbers_still_tell_the_number_of_every_line(lines: list[str], first: int) -> None:
    text = "\n".join(f"{number}| {line}" for number, line in enumerate(lines, first))
    number, found = 0, {}
    for row in thin(text).split("\n"):
        match = _NUMBERED.match(row)
        number = int(match.group(1)) if match else number + 1
        found[number] = match.group(2) if match else row.removeprefix(BREAK)
    assert {key: value.strip() for key, value in found.items()} == {
        key: value.strip() for key, value in enumerate((line.removeprefix(BREAK) for line in lines), first)
    }


def test_text_that_is_no_excerpt_is_not_taken_apart() -> None:
    assert take_apart("no numbers") is None
    assert take_apart("1| a\nsomething else\n2| b") is None
    assert take_apart("2| a\n1| b") is None
    assert united(["1| a", "free text"]) is None


def _asked(case: Case) -> tuple[list[list[Evidence]], list[Any]]:
    ask, pipeline = Ask(), Pipeline(DEFAULT_MODULES)
    cases = [for_requirement(case, item) for item in case.task.requirements]
    evidence = [asyncio.run(pipeline.gather(own)) for own in cases]
    ask.plan(case, evidence)
    return evidence, [ask.build(own, found).request for own, found in zip(cases, evidence, strict=True)]


def _lines(text: str) -> set[str]:
    return {row.strip() for row in re.sub(r"^ {0,9}\d+\| ?", "", text, flags=re.MULTILINE).split("\n") if row.strip()}


def test_no_line_of_evidence_is_lost_and_none_is_sent_twice(make_case: Make) -> None:
    code = "import helper\n\n\ndef main():\n    helper.work('results/out.txt')\n\n\nmain()\n"
    files = {"src/main.py": code, "src/helper.py": LONG, "results/out.txt": "Accuracy: 0.91\n", "notes.md": "# Plan\n"}
    criteria = ("`src/main.py` calls job_3.", "job_700 is in `src/helper.py`.", "`results/out.txt` is there.", "Good.")
    steps = [{"thought": f"run {n}", "action": "python src/main.py", "environment": f"ok {n}"} for n in range(6)]
    case = make_case(files, "`src/main.py` and `src/helper.py` work together.", earlier=criteria, steps=steps)
    evidence, requests = _asked(case)
    assert len({tuple(message.text for message in request.messages[:2]) for request in requests}) == 1
    for found, request in zip(evidence, requests, strict=True):
        prompt = "\n".join(message.text for message in request.messages)
        for item in found:
            if item.module == "read":
                missing = {row for row in _lines(item.text) if "left out" not in row and "long file" not in row}
                assert not {row for row in missing - _lines(prompt) if not row.startswith("[")}, item.path
            if item.kind == EvidenceKind.STEP:
                assert f"[step {item.step}]" in prompt
        assert prompt.count("helper.work('results/out.txt')") <= 1


def test_requirements_pay_for_their_own_part_alone(make_case: Make) -> None:
    body = "\n".join(f"value_{n} = compute({n})" for n in range(200)) + "\n"
    names = tuple(f"Value {n} is computed in `src/a.py`." for n in range(6))
    _, requests = _asked(make_case({"src/a.py": body}, "All is in `src/a.py`.", earlier=names))
    own = [count(request.messages[-1].text) for request in requests]
    assert max(own) < 60 and count(requests[0].messages[1].text) > 1_000 and requests[0].messages[1].cache


def test_one_requirement_shares_nothing_and_few_of_many_neither() -> None:
    text = "\n".join(f"{n}| value = {n}" for n in range(1, 40))
    assert not share([[_read("a.py", text)]], 10_000).items
    many = [[_read("a.py", text)] if number < 2 else [] for number in range(30)]
    assert not share(many, 10_000).items
    assert share(many[:8], 10_000).items
    assert not share(many[:8], 100).items


def test_the_wording_of_a_step_that_loses_least_is_shared_when_it_refers_to_nothing_hidden() -> None:
    text = "\n".join(f"{n}| value = {n}" for n in range(1, 40))
    cut, whole = "result: a\n[… 61 tokens cut …]\nz", "result: a\nb\nc\nz"
    hidden = "result: a\n[… as in secret.py, lines 1-4 …]\nz"
    evidence = [[_read("a.py", text), _step(3, body)] for body in (cut, hidden, whole)]
    (shown,) = [item for item in share(evidence, 10_000).items if item.kind == EvidenceKind.STEP]
    assert shown.text == whole
    assert not [item for item in share([[_step(3, hidden)], [_step(3, hidden)]], 10_000).items]


def test_steps_that_all_see_are_not_called_hidden() -> None:
    note = Evidence(
        module="retrieve",
        kind=EvidenceKind.NOTE,
        title="trajectory",
        text="steps not shown: 1-3, 7 (2 touches a.py; 7 was the last to write b.py)",
        facts={"steps": [1, 2, 3, 7]},
    )
    first = [_step(2, "action: x"), note.model_copy(update={"text": "steps not shown: 9", "facts": {"steps": [9]}})]
    common = share([first, [_step(2, "action: x")], [note]], 10_000)
    (left,) = common.own([note])
    assert left.text == "steps not shown: 1, 3, 7 (7 was the last to write b.py)" and left.facts["steps"] == [1, 3, 7]


def test_a_requirement_that_sees_other_lines_keeps_its_own() -> None:
    text = _numbered({n: f"value = {n}" for n in range(1, 60)}, 300)
    other = _numbered({n: f"value = {n}" for n in range(200, 240)}, 300)
    common = share([[_read("a.py", text)]] * 3, 10_000)
    assert common.own([_read("a.py", text)]) == []
    assert [item.text for item in common.own([_read("a.py", other)])] == [other]


def test_a_report_as_markdown_and_as_pdf_is_shown_once() -> None:
    said = [f"The {word} step of the work took {n} minutes and went well." for n, word in enumerate("abcdefgh")]
    markdown = "\n".join(f"{n}| - **{line}**" for n, line in enumerate(said, start=1))
    pdf = "[pdf; pages 1]\n# page 1\n" + "\n".join(f"• {line}" for line in said) + "\nAccuracy: 0.99 in the PDF alone"
    assert without_repeats(pdf, [("r.md", markdown)]) == (
        "[pdf; pages 1]\n# page 1\n[… as in r.md …]\nAccuracy: 0.99 in the PDF alone"
    )
    mixed = "\n".join(f"• {line}" for line in reversed(said))
    assert without_repeats(mixed, [("r.md", markdown)]).count("minutes") >= 4
    assert without_repeats("short\ntext", [("r.md", markdown)]) == "short\ntext"


def test_what_a_map_tells_of_shown_files_is_told_once() -> None:
    text = "\n".join(f"{n}| value = {n}" for n in range(1, 40))
    common = share([[_read("a.py", text)], [_read("a.py", text)]], 10_000)
    rows = "a.py  (1 kB, python)\n    def x()  [L1-2]\nb.py  (1 kB, python)\n    def y()  [L3-4]"
    tree = Evidence(module="map", kind=EvidenceKind.MAP, title="m", text=rows)
    assert common.tree(tree).text == "a.py  (1 kB, python)\nb.py  (1 kB, python)\n    def y()  [L3-4]"


def test_of_many_shared_parts_each_requirement_is_told_which_are_meant(make_case: Make) -> None:
    files: dict[str, str | bytes] = {f"src/m{n}.py": f"x_{n} = {n}\n" * 120 for n in range(8)}
    pair = [f"`src/m{n}.py` works." for n in range(8)]
    _, requests = _asked(make_case(files, "All.", earlier=tuple(pair + pair)))
    last = requests[1].messages[-1].text
    assert "these fit best: src/m0.py" in last and last.index("these fit best") < last.index("<<<END")


def _paths(items: Sequence[Evidence]) -> list[str | None]:
    return [item.path for item in items]


def test_the_choice_depends_on_the_evidence_alone() -> None:
    text = "\n".join(f"{n}| value = {n}" for n in range(1, 40))
    evidence = [[_read("b.py", text), _read("a.py", text)], [_read("a.py", text)], [_read("b.py", text)]]
    assert (
        _paths(share(evidence, 10_000).items)
        == _paths(share(list(reversed(evidence)), 10_000).items)
        == [
            "a.py",
            "b.py",
        ]
    )
