"""Python files that are mostly data, or far too big: bounded memory, and the code beside the data is kept."""

from __future__ import annotations

import tracemalloc

from judge.modules.graph.python.parse import parse_module


def test_data_in_code_is_passed_over_and_lines_keep_their_numbers() -> None:
    table = "X = [\n" + ("1, 2.5e3, -0x1f, 'a b',\n" * 100_000) + "]\n"
    tracemalloc.start()
    module = parse_module("x.py", table + "def after(value):\n    return open('out.txt', 'w')\n")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert not module.error
    (found,) = [item for item in module.scopes if item.name == "after"]
    assert found.line == 100_003
    assert peak < 60_000_000


def test_what_is_too_big_is_said() -> None:
    module = parse_module("x.py", "x = f(y)\n" * 100_000)
    assert module.error == "too big to be analysed"
    assert not [item for item in module.scopes if item.kind == "function"]


def test_a_long_ordinary_file_is_analysed() -> None:
    module = parse_module("x.py", "".join(f"def f{n}(a, b):\n    return g(a.b, b)\n\n" for n in range(8_000)))
    assert not module.error
    assert len([item for item in module.scopes if item.name.startswith("f")]) == 8_000


def test_short_tables_are_left_alone() -> None:
    module = parse_module("x.py", "X = [" + "'data/a.csv', " * 500 + "]\nfor x in X:\n    open(x)\n")
    assert not module.error
