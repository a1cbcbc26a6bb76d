"""Every kind of mistake in a suite is found, with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.errors import InputError
from judge.score.suite import SuiteError, load_suite

REFERENCE = """
def add(first, second=0):
    return first + second

def other(x): ...

class Box:
    def __init__(self, size): ...
    def put(self, key, value): ...
    def get(self, key): ...
"""
GOOD = """\
schema: 1
problem: add
target: {kind: function, entry: add, signature: "(first: int, second: int = 0) -> int"}
reference: {file: reference.py}
cases:
  - {args: [1, 2], expected: 3}
"""
CLASS = """\
schema: 1
problem: box
target: {kind: class, entry: Box, init: [1]}
reference: {file: reference.py}
cases:
"""
PROGRAM = """\
schema: 1
problem: echo
target: {kind: program}
cases:
"""


def _problems(folder: Path, text: str | bytes) -> list[tuple[int, str]]:
    (folder / "reference.py").write_text(REFERENCE, encoding="utf-8")
    path = folder / "suite.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(SuiteError) as caught:
        load_suite(path)
    for problem in caught.value.problems:
        assert 1 <= problem.line <= max(1, path.read_bytes().count(b"\n") + 1)
        assert problem.column >= 1
        assert "\n" not in str(problem)
    return [(problem.line, str(problem)) for problem in caught.value.problems]


CASES = [
    ("{args: [1, 2]}", "has no oracle: exactly one of expected, raises, property, reference"),
    ("{args: [1, 2], expected: 3, raises: ValueError}", "has 2 oracles (expected, raises)"),
    ("{args: [1, 2], expected: 3, reference: true}", "has 2 oracles"),
    ("{expected: 3}", "has no input"),
    ("{args: [1], expectd: 3, expected: 1}", "expectd: unknown key (did you mean expected?)"),
    ("{args: 1, expected: 3}", "args: expects a list, not 1"),
    ("{args: [], expected: 3}", "does not fit the signature: missing a required argument: 'first'"),
    ("{args: [1, 2, 3], expected: 3}", "does not fit the signature: too many positional arguments"),
    ("{kwargs: {first: 1, third: 2}, expected: 3}", "unexpected keyword argument 'third'"),
    ("{args: [1], expected: 1, weight: 0}", "weight: expects more than 0"),
    ('{args: [1], expected: 1, weight: "2"}', "weight: expects a number, not '2'"),
    ("{args: [1], expected: 1, weight: true}", "weight: expects a number, not true"),
    ("{args: [1], expected: 1, weight: .inf}", "weight: expects a finite number"),
    ("{args: [1], expected: 1, tier: egde}", "expects standard or edge, not 'egde' (did you mean edge?)"),
    ("{args: [1], expected: 1, id: 5}", "id: expects text, not 5 (put it into quotes)"),
    ("{args: [1], expected: 1, id: no}", "id: expects text, not false (put it into quotes)"),
    ("{args: [1], expected: 1, id: twice}\n  - {args: [2], expected: 2, id: twice}", "already that of cases[1]"),
    ('{args: [1], raises: ValueError, match: "("}', "match: is no regular expression"),
    ("{args: [1], expected: 1, match: x}", "is a pattern for the message of raises"),
    ("{args: [1], raises: len}", "len is no exception"),
    ("{args: [1], raises: 'not a name'}", "expects the name of an exception"),
    ("{args: [1], raises: ''}", "raises: is empty"),
    ("{args: [1], property: []}", "property: is empty"),
    ("{args: [1], property: [sortd]}", "there is no property 'sortd' (did you mean sorted?)"),
    ("{args: [1], property: sorted}", "property: expects a list, not 'sorted'"),
    ("{args: [1], property: ['nothing.py:f']}", "nothing.py is missing"),
    ("{args: [1], property: ['reference.py:ad']}", "reference.py defines no 'ad' (did you mean add?)"),
    ("{args: [1], property: ['reference.py']}", "expects file.py:function"),
    ("{args: [1], property: ['../reference.py:add']}", "leaves the suite's folder"),
    ("{args: [1], property: ['/etc/x.py:add']}", "leaves the suite's folder"),
    ("{generate: {file: reference.py, func: nope}, expected: 1}", "defines no 'nope'"),
    ("{generate: {file: nope.py, func: f}, expected: 1}", "nope.py is missing"),
    ("{generate: {file: suite.yaml, func: f}, expected: 1}", "is no Python file"),
    ("{generate: {file: folder.py, func: f}, expected: 1}", "is no regular file"),
    ("{generate: {file: broken.py, func: f}, expected: 1}", "broken.py is no Python, line 1"),
    ("{generate: {func: f}, expected: 1}", "generate.file: is missing"),
    ("{generate: {file: reference.py, func: add}, args: [1], expected: 1}", "stands beside generate"),
    ("{args: [1], calls: [[put, [1]]], expected: 1}", "calls: belongs to a class; the target is a function"),
    ("{args: [1], stdin: x, expected: 1}", "stdin: belongs to a program; the target is a function"),
    ("{args: [1], stdout: x}", "stdout: belongs to a program"),
    ("{args: [1], expected: {a: 1, a: 2}}", "the key 'a' stands twice"),
    ("{args: [1], expected: {1: 1, true: 2}}", "the key True stands twice in one mapping, or one"),
    ("{args: [1], expected: {[1]: 1}}", "a key cannot be a list"),
    ("{args: [1], expected: !set [[1]]}", "an element of a set cannot be a list"),
    ("{args: [1], expected: !set [1, 1]}", "the element 1 stands twice in the set"),
    ("{args: [1], expected: !tupel [1]}", "the tag !tupel is unknown"),
    ("{args: [1], expected: !python/object:os.system x}", "is unknown"),
    ("{args: [1], expected: !!python/name:os.system x}", "is unknown"),
    ("{args: [1], expected: !!python/object/apply:os.system [x]}", "is unknown"),
    ("{args: [1], expected: !!timestamp 2020-01-01}", "is unknown"),
    ("{args: [1], expected: !hex 0g}", "is no bytes as pairs of hexadecimal digits"),
    ("{args: [1], expected: !bytes \u0100}", "is no text of characters up to \\xff"),
    ("{args: [1], expected: !complex x}", "is no complex number"),
    ("{args: [1], expected: !complex [1]}", "!complex expects two numbers"),
    ("{args: [1], expected: !dict [1]}", "!dict expects a list of [key, value]"),
    ("{args: [1], expected: !!int x}", "'x' is no int"),
    (f"{{args: [1], expected: {'9' * 5000}}}", "more than 4000 characters"),
    ("{args: [1], expected: *nothing}", "the alias *nothing is used before it is set"),
    ("{args: [1], expected: &a [*a]}", "the alias *a stands inside what it names"),
    ("{args: [1], expected: 1, compare: {abs_tol: -1}}", "compare.abs_tol: expects at least 0"),
    ("{args: [1], expected: 1, compare: {checker: 'x'}}", "checker: expects file.py:function"),
    ("{args: [1], <<: 5, expected: 1}", "<< expects a mapping"),
    ("5", "cases[1]: expects a mapping, not 5"),
    ("", "cases[1]: expects a mapping, not nothing"),
]


@pytest.mark.parametrize(("case", "message"), CASES, ids=[message[:40] for _, message in CASES])
def test_a_mistake_of_a_case_is_found_on_its_line(tmp_path: Path, case: str, message: str) -> None:
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "broken.py").write_text("def", encoding="utf-8")
    found = _problems(tmp_path, GOOD + f"  - {case}\n")
    assert [line for line, text in found if message in text], found
    assert all(line in (7, 8) for line, _ in found), found


PARTS = [
    ("limits: {memory_mb: 1.5}", "limits.memory_mb: expects a whole number, not 1.5"),
    ("limits: {memory_mb: 1}", "expects at least 64, not 1"),
    ("limits: {network: true}", "limits.network: expects False, not true"),
    ("limit: {}", "limit: unknown key (did you mean limits?)"),
    ("compare: {list_type: stric}", "did you mean strict?"),
    ("compare: {unordered: 1}", "compare.unordered: expects true or false, not 1"),
    ("compare: {checker: 'reference.py:nope'}", "reference.py defines no 'nope'"),
    ('inputs: {domain: {frist: "integers()"}}', "'frist' is no parameter (did you mean first?)"),
    ('inputs: {domain: {first: "integrs()"}}', "domain.first: the domain cannot be read"),
    ("inputs: {domain: {first: \"__import__('os').system('true')\"}}", "the domain cannot be read"),
    ("inputs: {domain: {first: 5}}", "inputs.domain.first: expects text, not 5"),
    ('inputs: {requires: ["first <"]}', "inputs.requires[0]: is no condition"),
    ('inputs: {requires: ["frist > 0"]}', "'frist' is no parameter (did you mean first?)"),
    ("inputs: {requires: first > 0}", "expects a list"),
    ("edge_cases: {boundary: {values: {thrid: [1]}}}", "'thrid' is no parameter"),
    ("edge_cases: {property: [nothing]}", "there is no property 'nothing'"),
    ("edge_cases: {random: {examples: -1}}", "expects at least 0"),
    ("edge_cases: {plugins: ['x.py:f']}", "x.py is missing"),
    (
        "edge_cases: {metamorphic: [{name: a, transform: x, relation: 'reference.py:add'}]}",
        "transform: expects file.py",
    ),
    ("edge_cases: {shares: {written: 0, boundary: 0, random: 0}}", "are all 0"),
    ("performance: {iterations: 5}", "expects at least 6, not 5"),
    ("performance: {discard: 5}", "drops all iterations"),
    ("performance: {inputs: {file: reference.py, func: nope, size: 3}}", "defines no 'nope'"),
    ("performance: {growth: {sizes: [9, 3]}, inputs: {file: reference.py, func: add}}", "larger largest"),
    (
        "performance: {growth: {sizes: [9]}, inputs: {file: reference.py, func: add}}",
        "sizes: expects [smallest, largest]",
    ),
    ("performance: {growth: {sizes: [1, 9]}}", "performance.growth: needs inputs"),
    ("performance: {baseline: ../baseline.json}", "leaves the suite's folder"),
    ("weights: {correctness: 0, edge_cases: 0, performance: 0, quality: 0}", "are all 0"),
    ("weights: {correctness: -1}", "expects at least 0"),
    ("weights: {style: 1}", "style: unknown key"),
    ("env: {python: three}", "expects versions such as"),
    ("env: {packages: [numpy]}", "the standard library alone"),
    ("overrides: [{submission: a, item: naming, value: 2, author: me, reason: x}]", "value: expects at most 1, not 2"),
    ("integrity: {on_cheating: cry}", "expects cap, zero or report"),
    ("tags: x", "tags: expects a list"),
    ("problem: again", "the key 'problem' stands twice"),
    ("1: x", "expects names as keys"),
    ("quality: {weights: 5}", "expects a mapping, not 5"),
]


@pytest.mark.parametrize(("part", "message"), PARTS, ids=[message[:40] for _, message in PARTS])
def test_a_mistake_of_another_part_is_found_on_its_line(tmp_path: Path, part: str, message: str) -> None:
    found = _problems(tmp_path, GOOD + part + "\n")
    assert [line for line, text in found if message in text] == [7], found


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("schema: 1", "schema: 2", 1, "schema: expects 1, not 2"),
        ("schema: 1", "schema: true", 1, "schema: expects 1, not true"),
        ("schema: 1", "", 2, "schema: is missing"),
        ("problem: add", "problem: 7", 2, "problem: expects text, not 7"),
        ("problem: add", 'problem: " "', 2, "problem: is empty"),
        ("kind: function", "kind: functoin", 3, "did you mean function?"),
        ("entry: add", "entry: 'a b'", 3, "expects the name of a function"),
        ("entry: add,", "", 3, "has no entry"),
        ("entry: add", "entry: ad", 4, "reference.py defines no 'ad' (did you mean add?)"),
        ('"(first: int, second: int = 0) -> int"', '"(first: int"', 3, "target.signature: is no signature"),
        ('"(first: int, second: int = 0) -> int"', '"(a): import os\\ndef g()"', 3, "signature"),
        ("entry: add", "entry: add, init: [1]", 3, "target.init: belongs to a class"),
        ("file: reference.py", "file: gone.py", 4, "gone.py is missing"),
        ("file: reference.py", "file: ''", 4, "is no Python file"),
        ("reference: {file: reference.py}", "reference: reference.py", 4, "reference: expects a mapping"),
        ("  - {args: [1, 2], expected: 3}", "  []", 6, "has no cases"),
        ("  - {args: [1, 2], expected: 3}", "  - {args: [1, 2], reference: true}", 6, None),
    ],
)
def test_mistakes_of_the_head(tmp_path: Path, old: str, new: str, line: int, message: str | None) -> None:
    assert old in GOOD
    text = GOOD.replace(old, new)
    if message is None:
        text = text.replace("reference: {file: reference.py}\n", "")
        found = _problems(tmp_path, text)
        assert found == [
            (5, "line 5: cases[0].reference: there is no reference to ask: add reference: {file: reference.py}")
        ]
        return
    found = _problems(tmp_path, text)
    assert (line, True) in [(number, message in text) for number, text in found], found


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ("{calls: [[put, [1]]], expected: [null]}", "does not fit the signature: missing a required argument: 'value'"),
        ("{calls: [[pop, []]], expected: [null]}", "the reference has no method 'pop'"),
        ("{calls: [[get, [1]], [get, [2]]], expected: [null]}", "expects a list of one output for each of the 2 calls"),
        ("{calls: [[get, [1]]], expected: null}", "expects a list of one output"),
        ("{calls: [], expected: []}", "calls: is empty"),
        ("{calls: [[get]], expected: [1]}", "calls[0]: expects [method, [arguments]]"),
        ("{calls: [[get, 1]], expected: [1]}", "calls[0]: expects [method, [arguments]]"),
        ("{calls: get, expected: [1]}", "calls: expects a list"),
        ("{args: [1], calls: [[get, [1]]], expected: [1]}", "args: belongs to a function; the target is a class"),
        ("{init: [], calls: [[get, [1]]], expected: [1]}", "missing a required argument: 'size'"),
        ("{expected: [1]}", "has no input: a class expects calls"),
    ],
)
def test_mistakes_of_classes(tmp_path: Path, case: str, message: str) -> None:
    found = _problems(tmp_path, CLASS + f"  - {case}\n")
    assert [line for line, text in found if message in text] == [6], found


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ("{args: [1], stdout: x}", "args: belongs to a function; the target is a program"),
        ("{stdin: x, expected: x}", "expected: belongs to a function; the target is a program"),
        ("{stdin: x}", "has no oracle: exactly one of property, reference, stdout"),
        ("{stdout: x}", "has no input: a program expects stdin or argv"),
        ("{stdin: 5, stdout: x}", "stdin: expects text, not 5"),
        ("{stdin: x, stdout: x, exit: '1'}", "exit: expects a whole number"),
    ],
)
def test_mistakes_of_programs(tmp_path: Path, case: str, message: str) -> None:
    found = _problems(tmp_path, PROGRAM + f"  - {case}\n")
    assert [line for line, text in found if message in text] == [5], found


def test_all_mistakes_come_at_once_in_order(tmp_path: Path) -> None:
    text = GOOD.replace("problem: add", "problem: 5") + "  - {args: [1]}\nlimitz: {}\nweights: {correctness: -1}\n"
    found = _problems(tmp_path, text)
    assert [line for line, _ in found] == [2, 7, 8, 9]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "is empty"),
        ("# nothing\n", 1, "is empty"),
        ("just text\n", 1, "expects a mapping with schema, problem, target and cases, not 'just text'"),
        ("- 1\n", 1, "expects a mapping"),
        ("null\n", 1, "expects a mapping"),
        ("schema: 1\n---\nschema: 1\n", 3, "a second document begins"),
        ("schema: 1\nproblem: [\n", 3, "is no YAML"),
        ("schema: 1\n\tproblem: x\n", 2, "indented with a tab"),
        ("schema: 1\nproblem: a: b\n", 2, "put text that holds ': ' into quotes"),
        ("schema: 1\nproblem: @x\n", 2, "into quotes"),
        ("schema: 1\nproblem: a\x00b\n", 2, "does not allow"),
        ("a: " + "[" * 5000, 1, "nested deeper than 100"),
        ("a: " + "{a: " * 5000, 1, "nested deeper than 100"),
        ("- " * 5000, 1, "nested deeper than 100"),
        ("%FOO\n", 1, "is no YAML"),
        ('a: "\\ud800"\n', 1, "is no YAML"),
    ],
)
def test_text_that_is_no_suite(tmp_path: Path, text: str, line: int, message: str) -> None:
    found = _problems(tmp_path, text)
    assert any(number == line and message in text for number, text in found), found


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    assert _problems(tmp_path, b"schema: 1\nproblem: \xff\n") == [
        (2, "line 2: the byte 0xff is no UTF-8 (save it as UTF-8)")
    ]


def test_aliases_cannot_blow_up(tmp_path: Path) -> None:
    rows = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    rows += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 12)]
    found = _problems(tmp_path, "\n".join(rows))
    assert len(found) == 1 and "more than 100000 values" in found[0][1]


def test_aliases_cannot_nest_deeply(tmp_path: Path) -> None:
    rows = ["a0: &a0 [1]"] + [f"a{i}: &a{i} [*a{i - 1}]" for i in range(1, 300)]
    found = _problems(tmp_path, "\n".join(rows))
    assert len(found) == 1 and "nested deeper than 100" in found[0][1]


def test_a_huge_file_is_refused(tmp_path: Path) -> None:
    assert "larger than" in _problems(tmp_path, b"a" * (5 * 1024 * 1024))[0][1]


def test_many_mistakes_are_bounded(tmp_path: Path) -> None:
    text = GOOD + "  - {args: [1]}\n" * 3000
    (tmp_path / "reference.py").write_text(REFERENCE, encoding="utf-8")
    (tmp_path / "suite.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(SuiteError) as caught:
        load_suite(tmp_path / "suite.yaml")
    assert len(caught.value.problems) == 200
    assert len(str(caught.value)) < 10_000
    assert "3000 mistakes" in str(caught.value)


def test_a_link_that_leaves_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("def f(): ...\n", encoding="utf-8")
    folder = tmp_path / "suite"
    folder.mkdir()
    (folder / "gen.py").symlink_to(tmp_path / "secret.py")
    found = _problems(folder, GOOD + "  - {generate: {file: gen.py, func: f}, expected: 1}\n")
    assert found and "leaves the suite's folder" in found[0][1]


@pytest.mark.parametrize("name", ["gone.yaml", "."])
def test_a_file_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        load_suite(tmp_path / name)


def test_a_device_is_no_suite() -> None:
    with pytest.raises(InputError, match="no regular file"):
        load_suite(Path("/dev/zero"))
