"""Suites that are right: what their values become, and what is noted."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from judge.errors import InputError
from judge.score.suite import LoadedSuite, SuiteError, load_suite

HEAD = """\
schema: 1
problem: echo
target: {kind: function, entry: echo, signature: "(value)"}
"""
CASE = "cases:\n  - {args: [0], expected: 0}\n"


def _load(folder: Path, text: str) -> LoadedSuite:
    path = folder / "suite.yaml"
    path.write_text(text, encoding="utf-8")
    return load_suite(path)


def _value(folder: Path, text: str) -> tuple[Any, tuple[str, ...]]:
    loaded = _load(folder, HEAD + f"cases:\n  - args: [0]\n    expected: {text}\n")
    return loaded.suite.cases[0].expected, loaded.warnings


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("null", None),
        ("", None),
        ("~", None),
        ("true", True),
        ("12", 12),
        ("-0", 0),
        ("0x1F", 31),
        ("0o17", 15),
        ("1e3", 1000.0),
        ("1.5E-3", 0.0015),
        (".5", 0.5),
        ("-.inf", -math.inf),
        ("+.inf", math.inf),
        ("'no'", "no"),
        ('"\\u00e9\\n"', "é\n"),
        ("1.2.3", "1.2.3"),
        ("[-1, +2]", [-1, 2]),
        ("a b", "a b"),
        ("0x", "0x"),
        ("+", "+"),
        (".", "."),
        ("..", ".."),
        ("1e", "1e"),
        ("e5", "e5"),
        ("! 12", "12"),
        ("!!str 12", "12"),
        ("!!float 1", 1.0),
        ("!!int '7'", 7),
        ("!!binary AAE=", b"\x00\x01"),
        ("!!set {a, b}", {"a", "b"}),
        ("!tuple []", ()),
        ("!tuple [1, !tuple [2]]", (1, (2,))),
        ("!set [1, 2]", {1, 2}),
        ("!set [!tuple [1], !frozenset [2]]", {(1,), frozenset({2})}),
        ('!bytes "\\x00\\xffa"', b"\x00\xffa"),
        ("!hex 00 ff", b"\x00\xff"),
        ("!complex 1+2j", 1 + 2j),
        ("!complex [1, -2.5]", 1 - 2.5j),
        ("!dict [[!tuple [1, 2], a], [3, b]]", {(1, 2): "a", 3: "b"}),
        ("{1: a, null: b, 1.5: c}", {1: "a", None: "b", 1.5: "c"}),
        ("{? !tuple [1] : a}", {(1,): "a"}),
        ("[&a [1], *a]", [[1], [1]]),
        ("{<<: {a: 1, b: 2}, b: 3}", {"a": 1, "b": 3}),
        ("{<<: [{a: 1}, {a: 2, b: 2}]}", {"a": 1, "b": 2}),
        ("9" * 4000, int("9" * 1000) * 10**3000 + int("9" * 3000)),
    ],
    ids=lambda part: str(part)[:30] if isinstance(part, str) else "",
)
def test_values(tmp_path: Path, text: str, value: Any) -> None:
    found, warnings = _value(tmp_path, text)
    assert found == value
    assert type(found) is type(value)
    assert warnings == ()


def test_nan_and_negative_zero(tmp_path: Path) -> None:
    assert math.isnan(_value(tmp_path, ".nan")[0])
    assert math.copysign(1, _value(tmp_path, "-0.0")[0]) == -1


@pytest.mark.parametrize(
    ("text", "value", "note"),
    [
        ("no", False, "no is read as false: write false, or 'no' for the text"),
        ("Yes", True, "Yes is read as true"),
        ("OFF", False, "OFF is read as false"),
        ("012", 10, "read as octal, 10"),
        ("1:30", 90, "read as base 60, 90"),
        ("1_000", 1000, "read as the number 1000"),
        ("0b11", 3, "read as 3"),
        ("2024-05-01", "2024-05-01", "kept as text, not a date"),
        ("1e999", math.inf, "too large for a float"),
        ("089", 89.0, "is read as the number 89.0"),
    ],
)
def test_surprises_are_noted_with_their_line(tmp_path: Path, text: str, value: Any, note: str) -> None:
    found, warnings = _value(tmp_path, text)
    assert found == value and type(found) is type(value)
    assert len(warnings) == 1 and note in warnings[0] and warnings[0].startswith("line 6: cases[0].expected: ")


def test_a_word_that_python_takes_for_true_works_where_a_truth_value_is_wanted(tmp_path: Path) -> None:
    loaded = _load(tmp_path, HEAD + CASE + "edge_cases: {auto: no}\n")
    assert loaded.suite.edge_cases.auto is False
    assert "no is read as false" in loaded.warnings[0]


def test_an_exception_that_is_nearly_a_known_one_is_noted(tmp_path: Path) -> None:
    loaded = _load(tmp_path, HEAD + "cases:\n  - {args: [1], raises: ValuError}\n")
    assert loaded.warnings == (
        "line 5: cases[0].raises: ValuError is no exception of Python's own: did you mean ValueError?",
    )
    assert [note.line for note in loaded.notes] == [5]


def test_json_is_a_suite(tmp_path: Path) -> None:
    suite = yaml.safe_load(HEAD + CASE)
    assert _load(tmp_path, json.dumps(suite, indent=1)).suite.problem == "echo"


def test_byte_order_mark_and_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "suite.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + (HEAD + CASE).replace("\n", "\r\n").encode())
    assert load_suite(path).suite.problem == "echo"


def test_a_folder_stands_for_the_suite_in_it(tmp_path: Path) -> None:
    _load(tmp_path, HEAD + CASE)
    assert load_suite(tmp_path).path == tmp_path / "suite.yaml"


def test_cases_without_an_id_are_numbered(tmp_path: Path) -> None:
    cases = (
        "cases:\n  - {id: case-2, args: [0], expected: 0}\n  - {args: [1], expected: 0}\n  - {args: [2], expected: 0}\n"
    )
    ids = [case.id for case in _load(tmp_path, HEAD + cases).suite.cases]
    assert ids == ["case-2", "case-2'", "case-3"]


def test_a_case_changes_only_the_rules_that_it_writes(tmp_path: Path) -> None:
    cases = "cases:\n  - {args: [0], expected: 0, compare: {abs_tol: 0.5}}\n  - {args: [1], expected: 0}\n"
    suite = _load(tmp_path, HEAD + "compare: {list_type: sequence, abs_tol: 0.25}\n" + cases).suite
    first, second = (suite.rules(case) for case in suite.cases)
    assert (first.list_type, first.abs_tol) == ("sequence", 0.5)
    assert second == suite.compare and second.abs_tol == 0.25


def test_a_checker_is_an_oracle_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "checks.py").write_text("def right(args, kwargs, output, expected): ...\n", encoding="utf-8")
    loaded = _load(tmp_path, HEAD + "compare: {checker: 'checks.py:right'}\ncases:\n  - {args: [0]}\n")
    assert loaded.suite.cases[0].has_expected is False
    assert loaded.files.keys() == {"checks.py"}


def test_null_is_an_expected_value(tmp_path: Path) -> None:
    assert _load(tmp_path, HEAD + "cases:\n  - {args: [0], expected: null}\n").suite.cases[0].has_expected


def test_helpers_beside_the_suite_go_along(tmp_path: Path) -> None:
    (tmp_path / "checks.py").write_text("import tools, json\nfrom more import x as right\n", encoding="utf-8")
    (tmp_path / "tools.py").write_text("import deeper\n", encoding="utf-8")
    for name in ("more", "deeper", "unused"):
        (tmp_path / f"{name}.py").write_text("", encoding="utf-8")
    loaded = _load(tmp_path, HEAD + "compare: {checker: 'checks.py:right'}\n" + CASE)
    assert loaded.files.keys() == {"checks.py", "tools.py", "more.py", "deeper.py"}


def test_nothing_of_a_suite_runs(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    code = f"open({str(mark)!r}, 'w')\ndef echo(value): ...\n"
    (tmp_path / "reference.py").write_text(code, encoding="utf-8")
    _load(tmp_path, HEAD + "reference: {file: reference.py}\n" + CASE)
    assert not mark.exists()


def test_the_digest_is_of_the_meaning(tmp_path: Path) -> None:
    (tmp_path / "checks.py").write_text("def right(): ...\n", encoding="utf-8")
    text = HEAD + "compare: {checker: 'checks.py:right'}\n" + CASE
    first = _load(tmp_path, text).digest
    assert _load(tmp_path, "# a comment\n" + text.replace("{args: [0], ", "{ args: [ 0 ], ")).digest == first
    assert _load(tmp_path, text.replace("expected: 0", "expected: 1")).digest != first
    assert _load(tmp_path, text.replace("expected: 0", "expected: 0.0")).digest != first
    assert _load(tmp_path, text.replace("expected: 0", "expected: false")).digest != first
    (tmp_path / "checks.py").write_text("def right(): return 1\n", encoding="utf-8")
    assert _load(tmp_path, text).digest != first


def test_the_file_is_left_as_it_is_and_can_be_read_again(tmp_path: Path) -> None:
    first = _load(tmp_path, HEAD + CASE)
    assert load_suite(first.path) == first


def test_methods_are_not_checked_where_a_class_may_have_others(tmp_path: Path) -> None:
    (tmp_path / "reference.py").write_text("class Box(dict):\n    def own(self): ...\n", encoding="utf-8")
    head = "schema: 1\nproblem: box\ntarget: {kind: class, entry: Box}\nreference: {file: reference.py}\n"
    assert _load(tmp_path, head + "cases:\n  - {calls: [[get, [1]]], expected: [null]}\n").suite.cases[0].calls == [
        ("get", [1])
    ]


def test_wrong_numbers_of_arguments_may_be_asked_for_a_type_error(tmp_path: Path) -> None:
    assert _load(tmp_path, HEAD + "cases:\n  - {args: [], raises: TypeError}\n").suite.cases[0].raises == "TypeError"


def test_the_schema_for_editors_takes_what_the_program_takes(root: Path) -> None:
    schema = json.loads((root / "judge" / "jsonschema" / "score-suite.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for text in (HEAD + CASE, HEAD + "cases:\n  - {args: [1], raises: ValueError, weight: 2, tier: edge}\n"):
        validator.validate(yaml.safe_load(text))
    for text in (HEAD + CASE + "limitz: {}\n", CASE, HEAD + "cases:\n  - {args: 1}\n"):
        assert not validator.is_valid(yaml.safe_load(text))


_WORDS = st.sampled_from(
    [
        *"""schema problem target kind function class program entry cases args kwargs expected raises match property
        reference generate file func params compare inputs domain requires calls init stdin stdout limits weights id
        tier edge 1 2 0 -1 true no null .nan 1.5 'x' "y" echo reference.py gen.py:f ../x.py !tuple !set !bytes !x & &a
        *a << ? : , [ ] { } - | > # % @ --- ...""".split(),
        *("\n", "\n", "\n  ", "\n  - ", ": ", ": ", " ", "\t", "{", "}", "[", "]", "\u2028", "\ufeff"),
    ]
)


def _only_suite_errors(folder: Path, data: bytes) -> None:
    path = folder / "suite.yaml"
    path.write_bytes(data)
    try:
        loaded = load_suite(path)
    except SuiteError as error:
        assert error.problems
        assert all(problem.line >= 1 and problem.column >= 1 for problem in error.problems)
    else:
        assert isinstance(loaded, LoadedSuite)


@settings(max_examples=250, deadline=None, derandomize=True)
@given(words=st.lists(_WORDS, max_size=40))
@example(words=["? ", "[", "1", "]"])
@example(words=["{", "<<", ": ", "[", "1", "]", "}"])
def test_any_text_gives_a_suite_or_its_mistakes(words: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.getbasetemp()
    _only_suite_errors(folder, "".join(words).encode())
    _only_suite_errors(folder, (HEAD + CASE + "".join(words)).encode())


@settings(max_examples=200, deadline=None, derandomize=True)
@given(data=st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_give_a_suite_or_its_mistakes(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    _only_suite_errors(tmp_path_factory.getbasetemp(), data)
    _only_suite_errors(tmp_path_factory.getbasetemp(), (HEAD + "cases:\n  - ").encode() + data)


_TREES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["echo", "x.py:f"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=5) | st.sampled_from(["args", "file", "kind", "calls"]), inner, max_size=3)
    ),
    max_leaves=6,
)
_KEYS = [
    "schema", "problem", "target", "contract", "reference", "compare", "inputs", "limits", "env", "cases",
    "edge_cases", "performance", "quality", "weights", "integrity", "overrides", "tags",
]  # fmt: skip


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    parts=st.dictionaries(st.sampled_from(_KEYS), _TREES, max_size=4),
    case=st.dictionaries(
        st.sampled_from(["args", "kwargs", "calls", "init", "generate", "expected", "raises", "match", "property", "id",
                         "compare", "stdout", "stdin", "reference", "weight"]), _TREES, max_size=5),
)  # fmt: skip
def test_any_types_give_a_suite_or_its_mistakes(
    parts: dict[str, Any], case: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    whole = {**yaml.safe_load(HEAD + CASE), **parts}
    if isinstance(whole.get("cases"), list):
        whole["cases"].append(case)
    _only_suite_errors(tmp_path_factory.getbasetemp(), json.dumps(whole).encode())


@pytest.mark.parametrize("error", [SuiteError])
def test_a_suite_error_is_an_input_error(error: type[Exception]) -> None:
    assert issubclass(error, InputError)
