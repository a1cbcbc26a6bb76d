"""The rubric: values computed by hand, a reason for each point lost, and nothing that hostile files can break."""

from __future__ import annotations

import json
import subprocess
import textwrap
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.results.score import QualityItem, QualityResult
from judge.score.quality import WEIGHTS, grade
from judge.score.quality import lint as linter
from judge.score.quality.complexity import complexity
from judge.score.quality.source import Source, read_source
from judge.score.suite.model import Override, Quality

GOOD = '''
"""Finds pairs."""


def find_pair(numbers: list[int], target: int) -> list[int] | None:
    """Find two places whose numbers add up to a target.

    Args:
        numbers: Where to look.
        target: The sum.
    """
    seen: dict[int, int] = {}
    for place, number in enumerate(numbers):
        if target - number in seen:
            return [seen[target - number], place]
        seen[number] = place
    return None
'''


def _grade(text: str, entry: str = "", overrides: tuple[Override, ...] = (), **more: Any) -> QualityResult:
    return grade(textwrap.dedent(text).encode(), Quality(ruff=[], **more), entry, overrides)


def _item(text: str, name: str, entry: str = "", **more: Any) -> QualityItem:
    return next(item for item in _grade(text, entry, **more).items if item.name == name)


def _value(text: str, name: str, entry: str = "", **more: Any) -> float:
    return _item(text, name, entry, **more).value


def test_a_good_file_has_full_marks_and_no_reasons() -> None:
    result = _grade(GOOD, "find_pair")
    assert result.value == pytest.approx(1.0)
    assert [item.reasons for item in result.items] == [()] * 7
    assert {item.name: item.weight for item in result.items} == pytest.approx(WEIGHTS)
    assert (result.functions, result.lines) == (1, 17)


def test_a_whole_file_by_hand() -> None:
    text = """
    def f(a, b):
        if a:
            return 1
        return
    """
    result = _grade(text, "f")
    values = {item.name: item.value for item in result.items}
    assert values == pytest.approx(
        {
            "docstring": 0.0,
            "hints": 0.0,  # two parameters and the return
            "naming": 0.0,  # a and b; the name of the entry is the suite's
            "complexity": 1.0,
            "length": 1.0,
            "branching": 1.0,
            "returns": 0.0,
        }
    )
    assert result.value == pytest.approx(0.20 + 0.10 + 0.05)
    assert all(item.reasons and "line " in item.reasons[0] for item in result.items if item.value < 1)


@pytest.mark.parametrize(
    ("docstring", "value"),
    [
        ("", 0.0),
        ('"""Add."""', 0.5),
        ('"""Add up two numbers of the till."""', 0.75),
        ('"""Add up two numbers of the till, first and second."""', 1.0),
        ('"""Add up numbers, beginning with first."""', 0.875),
        ('"""add up: first, second"""', 1.0),
        ('"""TODO docstring"""', 0.5),
    ],
)
def test_docstrings(docstring: str, value: float) -> None:
    body = docstring or "pass"
    assert _value(f"def add_up(first, second):\n    {body}\n    return first + second\n", "docstring") == value


def test_docstrings_mention_what_is_raised() -> None:
    text = '''
    def root_of(value):
        """Find the root of a value."""
        if value < 0:
            raise ValueError("negative")
        return value
    '''
    item = _item(text, "docstring")
    assert item.value == 0.875
    assert item.reasons == ("line 2: the docstring of 'root_of' does not mention ValueError",)


def test_private_helpers_need_no_docstring_unless_all_is_private() -> None:
    helper = "def _helper(value):\n    return value\n"
    public = 'def area_of(value):\n    """Give the area of a value."""\n    return _helper(value)\n'
    assert _value(helper + public, "docstring") == 1.0
    assert _value(helper, "docstring") == 0.0
    assert _value(helper + public, "docstring", "_helper") == 0.25  # the entry is public: worst 0, mean one half


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("def go(one: int, two: str) -> None: ...", 1.0),
        ("def go(one: int, two) -> None: ...", 2 / 3),
        ("def go(*rest, **named): ...", 0.0),
        ("def go(one: 'list[int] | None') -> 'int': ...", 1.0),
        ("def go(one: 'no type at all') -> 1: ...", 0.0),
        ("def go(): ...", 0.0),
        ("def go() -> None:\n    def inner(value): ...", 1 / 3),
        ("go = lambda one: one", 0.0),
        ("go: Callable[[int], int] = lambda one: one", 1.0),
        ("class Go:\n    def __init__(self, one: int): ...\n    def two(self) -> int: ...", 1.0),
        ("class Go:\n    @staticmethod\n    def two(one) -> int: ...", 0.5),
    ],
)
def test_hints(header: str, value: float) -> None:
    assert _value(header, "hints") == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("def find_it(value, n, k): ...", 1.0),
        ("def find_it(value, l): ...", 2 / 3),
        ("def findIt(value): ...", 0.5),
        ("def find_it(value):\n    myValue = value\n    return myValue", 2 / 3),
        ("def find_it():\n    return [c for c in range(3)]", 0.5),
        ("class find_it:\n    pass", 0.0),
        ("class FindIt:\n    LIMIT = 3", 1.0),
        ("T = TypeVar('T')\nLIMIT = 3\nRow = dict\ndef find_it(_): ...", 1.0),
        ("def find_it(größe, 名前): ...", 1.0),
        ("def find_it():\n    global LIMIT\n    LIMIT = 3", 1.0),
        ("def find_it(value):\n    match value:\n        case {'a': Q, **R}:\n            pass", 0.5),
    ],
)
def test_names(text: str, value: float) -> None:
    assert _value(text, "naming") == pytest.approx(value)


def test_half_is_the_worst_function() -> None:
    text = "def find_it(value): ...\ndef find_two(value): ...\ndef F(a): ...\n"
    assert _value(text, "naming") == pytest.approx((0.0 + 2 / 3) / 2)


def _number(text: str) -> int:
    read = read_source(textwrap.dedent(text).encode())
    assert isinstance(read, Source)
    return complexity(getattr(read.tree.body[0], "body"))  # noqa: B009


@pytest.mark.parametrize(
    ("body", "number"),
    [
        ("return 1", 1),
        ("return 1 if x else 2", 2),
        ("return x and y and z", 3),
        ("return x and y or z", 3),
        ("return [y for y in x if y and x or 3]", 5),
        ("return [a for b in x for a in b]", 3),
        ("return sorted(x, key=lambda y: y if y else 0)", 3),
        ("for a in x:\n        pass\n    else:\n        pass", 2),
        ("match x:\n        case 1: pass\n        case 2 if y: pass\n        case _: pass", 4),
        ("match x:\n        case 1: pass\n        case 2: pass", 3),
        ("try:\n        pass\n    except A:\n        pass\n    except B:\n        pass\n    finally:\n        pass", 3),
        ("def inner():\n        if x:\n            pass", 3),
        ("with x:\n        assert y", 1),
        ("class Inner:\n        def one(self):\n            while x: pass", 3),
    ],
)
def test_complexity_by_hand(body: str, number: int) -> None:
    assert _number(f"def f(x):\n    {body}\n") == number


@pytest.mark.parametrize(
    "body",
    [
        "if x:\n        pass\n    elif y:\n        pass\n    else:\n        pass",
        "for a in x:\n        while a:\n            break",
        "try:\n        pass\n    except A:\n        pass\n    except B:\n        pass",
        "def inner():\n        if x:\n            for a in x: pass\n    return inner",
        "match x:\n        case 1: pass\n        case 2: pass\n        case _: pass",
        "with x:\n        return 1",
    ],
)
def test_complexity_agrees_with_mccabe_as_ruff_counts_it(body: str) -> None:
    program = linter.find_ruff()
    if program is None:
        pytest.skip("ruff is not installed")
    text = f"def f(x):\n    {body}\n"
    command = [program, "check", "--isolated", "--select", "C901", "--config", "lint.mccabe.max-complexity=0"]
    command += ["--no-cache", "--output-format", "json", "--exit-zero", "-"]
    found = json.loads(subprocess.run(command, input=text.encode(), capture_output=True, check=True).stdout)
    outer = next(item for item in found if item["location"]["row"] == 1)
    assert f"({_number(text)} > 0)" in outer["message"]


@pytest.mark.parametrize(("arms", "value"), [(4, 1.0), (9, 0.5), (14, 0.0), (20, 0.0)])
def test_complexity_costs_from_six_to_fifteen(arms: int, value: float) -> None:
    body = "".join(f"    if x == {number}:\n        pass\n" for number in range(arms))
    assert _value(f"def f(x):\n{body}", "complexity") == pytest.approx(value)


@pytest.mark.parametrize(("lines", "value"), [(39, 1.0), (40, 40 / 41), (60, 20 / 41), (80, 0.0), (200, 0.0)])
def test_length_counts_code_lines(lines: int, value: float) -> None:
    body = '    """Says.\n\n    Much.\n    """\n' + "    # a comment\n\n    call()\n" * (lines - 1)
    assert _value(f"def f():\n{body}", "length") == pytest.approx(value)


def test_length_cannot_be_hidden_on_one_line() -> None:
    assert _value("def f():\n    " + "call(); " * 79 + "\n", "length") == 0.0


def test_length_counts_what_is_inside_a_string() -> None:
    text = 'def f():\n    return """\n' + "# no comment\n\n" * 40 + '"""\n'
    assert _value(text, "length") == 0.0


@pytest.mark.parametrize(("arms", "value"), [(7, 1.0), (8, 8 / 9), (16, 0.0)])
def test_branching_counts_the_arms_of_one_choice(arms: int, value: float) -> None:
    chain = "    if x == 0:\n        pass\n" + "".join(
        f"    elif x == {number}:\n        pass\n" for number in range(1, arms)
    )
    cases = "    match x:\n" + "".join(f"        case {number}: pass\n" for number in range(arms))
    handlers = "    try:\n        pass\n" + "".join(f"    except E{number}: pass\n" for number in range(arms))
    last = " else ".join(f"{number} if x == {number}" for number in range(arms - 1))
    for body in (chain, cases, handlers, f"    return {last} else 9\n"):
        assert _value(f"def f(x):\n{body}", "branching") == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("def f(x):\n    if x:\n        return 1\n    return 2.5", 1.0),
        ("def f(x):\n    if x:\n        return 1\n    return 'a'", 0.0),
        ("def f(x) -> int | str:\n    if x:\n        return 1\n    return 'a'", 0.5),
        ("def f(x):\n    if x:\n        return 1\n    return", 0.0),
        ("def f(x):\n    if x:\n        return 1", 0.5),
        ("def f(x) -> 'int | None':\n    if x:\n        return 1\n    return None", 1.0),
        ("def f(x) -> Optional[int]:\n    if x:\n        return 1\n    return None", 1.0),
        ("def f(x) -> int:\n    if x:\n        return 1\n    return None", 0.5),
        ("def f(x):\n    return None", 1.0),
        ("def f(x):\n    yield 1\n    return", 1.0),
        ("def f(x):\n    return x.go() if x else other(x)", 1.0),
        ("def f(x):\n    return [] if x else ()", 0.0),
        ("def f(x):\n    def inner():\n        if x:\n            return 1\n        return 'a'\n    return inner", 0.0),
        ("def f(x):\n    while True:\n        if x:\n            return 1", 1.0),
        ("def f(x):\n    while True:\n        if x:\n            return 1\n        break", 0.5),
        ("def f(x):\n    try:\n        return 1\n    except E:\n        raise", 1.0),
        ("def f(x):\n    try:\n        return 1\n    except E:\n        pass", 0.5),
        ("def f(x):\n    match x:\n        case 1: return 1\n        case _: return 2", 1.0),
        ("def f(x):\n    with x:\n        return 1", 1.0),
        ("def f(x):\n    if x:\n        return 1\n    elif x > 2:\n        return 2\n    else:\n        raise E", 1.0),
        ("f = lambda x: x", 1.0),
    ],
)
def test_returns(text: str, value: float) -> None:
    assert _value(text, "returns") == value


def test_code_of_the_module_is_no_hiding_place() -> None:
    hidden = "".join(f"if x == {number}:\n    y = 1\n" for number in range(40))
    item = _item(f"def f(value):\n    return value\n{hidden}", "complexity")
    assert item.value == pytest.approx(0.25)  # worst 0, mean one half
    assert "the module's own code" in item.reasons[0]
    table = "TABLE = [\n" + "    1,\n" * 100 + "]\n"
    assert _value(f"{table}def f(value):\n    return value\n", "length") == 1.0


def test_a_program_without_functions_is_judged_by_what_there_is() -> None:
    result = _grade('"""Adds up the numbers of all lines."""\n\nfor line in open(0):\n    print(line)\n')
    weights = {item.name: item.weight for item in result.items}
    assert weights["hints"] == weights["returns"] == 0.0
    assert sum(weights.values()) == pytest.approx(1.0)
    assert result.value == pytest.approx(1.0)


def test_comments_that_silence_tools_change_nothing() -> None:
    plain = "def f(a):\n    return a\n"
    silenced = "# ruff: noqa\n# flake8: noqa\n# type: ignore\ndef f(a):  # noqa\n    return a  # noqa: E741\n"
    assert [item.value for item in _grade(plain).items] == [item.value for item in _grade(silenced).items]
    quality = Quality(ruff=["D1", "ANN"])
    codes = [
        sorted(line.split(": ")[1].split()[0] for line in grade(text.encode(), quality, "f").findings)
        for text in (plain, silenced)
    ]
    assert codes[0] == codes[1] == ["ANN001", "ANN201", "D100", "D103"]


@pytest.mark.parametrize(
    "source",
    [
        b"def f(:\n",
        b"x = 1\0",
        b"x = " + b"(" * 5000 + b")" * 5000,
        b"x = " + b"-" * 100_000 + b"1",
        b"x = " + b"1+" * 50_000 + b"1",
        b"x = a" + b".a" * 50_000,
        b"x = " + b"lambda: " * 5000 + b"1",
        b"x = " + b"9" * 5000,
        b"# coding: nosuch\nx = 1\n",
        b"# coding: rot13\nk = 1\n",
        "x = 1".encode("utf-16"),
        b"#" * 1_000_001,
        b"",
        b'"""Only words."""',
        b"# only a comment",
        bytes(range(256)),
    ],
)
def test_what_cannot_be_parsed_is_worth_nothing_and_says_why(source: bytes) -> None:
    result = grade(source, Quality(), "f")
    assert result.value == 0.0
    assert all(item.value == 0.0 and len(item.reasons) == 1 for item in result.items)
    assert result.items[0].reasons[0].isprintable()


def test_declared_encodings_are_honoured() -> None:
    text = 'def größe_von(wert: int) -> str:\n    """Gibt die Größe, von wert."""\n    return "é"\n'
    latin = f"# -*- coding: latin-1 -*-\n{text}".encode("latin-1")
    plain = f"# a comment\n{text}".encode()
    quality = Quality(ruff=["D1", "ANN", "E9"])
    assert grade(latin, quality, "f") == grade(plain, quality, "f")
    assert grade(b"\xef\xbb\xbf" + plain, quality, "f").value == grade(plain, quality, "f").value > 0.9
    assert grade(plain.replace(b"\n", b"\r\n"), quality, "f") == grade(plain, quality, "f")


def test_thresholds_weights_and_exemptions_are_the_suites() -> None:
    text = "def f(a):\n    if a:\n        if a > 1:\n            return 1\n    return 2\n"
    assert _value(text, "complexity", max_complexity=2) == pytest.approx(0.0)
    assert _value(text, "length", max_length=3) == pytest.approx(1 / 4)
    assert _value(text, "branching", max_branching=1) == pytest.approx(1 / 2)
    result = _grade(text, "f", exempt=["docstring", "hints", "naming"])
    weights = {item.name: item.weight for item in result.items}
    assert weights["naming"] == 0.0
    assert weights["complexity"] == pytest.approx(0.20 / 0.45)
    assert result.value == pytest.approx(1.0)
    only = _grade(text, "f", weights={name: float(name == "naming") for name in WEIGHTS})
    assert only.value == 0.0
    nothing = _grade(text, "f", exempt=list(WEIGHTS))
    assert [item.weight for item in nothing.items] == [0.0] * 7


def test_overrides_stay_visible() -> None:
    review = Override(submission="a.py", item="naming", value=1.0, author="Ada", reason="names of\nthe paper")
    wrong = Override(submission="a.py", item="beauty", value=1.0, author="Ada", reason="-")
    result = _grade("def f(a): return a\n", "f", (review, wrong))
    item = next(item for item in result.items if item.name == "naming")
    assert (item.value, item.overridden_from, item.author) == (1.0, 0.0, "Ada")
    assert item.override_reason == "names of\\x0athe paper"
    assert item.reasons
    assert result.value == pytest.approx(0.15 + 0.20 + 0.10 + 0.05 + 0.10)
    assert result.findings == ("note: a reviewer's value for 'beauty' names no criterion",)


def test_without_the_linter_a_note_stands_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linter, "find_ruff", lambda: None)
    result = grade(GOOD.encode(), Quality(), "find_pair")
    assert result.value == pytest.approx(1.0)
    assert result.findings == ("note: the linter was not asked: ruff is not installed",)


def test_nothing_of_the_file_is_run(tmp_path: Any, capfd: pytest.CaptureFixture[str]) -> None:
    marker = tmp_path / "ran"
    grade(f"open({str(marker)!r}, 'w')\nprint('ran')\n@print\ndef f(a=print('x')): ...\n".encode(), Quality(), "f")
    assert not marker.exists()
    assert capfd.readouterr().out == ""


_LINES = st.lists(
    st.sampled_from(
        """def f(a):|    if a:|        return 1|    return|class C:|    x = lambda: 0|x = [i for i in y]|    pass
|match x:|    case 1:|        pass|try:|except E as e:|    yield|@f|else:
|\f|    def g(self): return None|'''|# noqa|global q
|async def h(): await x|type T = int""".replace("\n", "").split("|")
    ),
    max_size=12,
)


@settings(max_examples=150, deadline=None)
@given(_LINES)
def test_any_file_has_a_value_between_0_and_1(lines: list[str]) -> None:
    result = grade("\n".join(lines).encode(), Quality(ruff=[]), "f")
    assert 0.0 <= result.value <= 1.0
    assert len(result.items) == 7
    assert all(0.0 <= item.value <= 1.0 and (item.value == 1.0 or item.reasons) for item in result.items)
