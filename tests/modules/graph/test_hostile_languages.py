"""Hostile sources in every language: no crash, no hang, and what stands before or after is still found."""

# ruff: noqa: E501 - small sources read best on one line

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.modules.graph.languages import LANGUAGES, Language, language_of_script
from judge.modules.graph.other_reach import spread
from judge.modules.graph.taming import tame
from judge.modules.graph.treesitter import extract
from tests.modules.graph.conftest import Make

OTHERS = [item for item in LANGUAGES if item.name != "python" and item.analysed]
SECONDS = 12.0
"""Processor time of one hostile file; a good deal more than it needs, because test machines are busy."""


def _hostile(size: int) -> dict[str, str]:
    return {
        "parens": "(" * size + ")" * size,
        "unclosed": "([{" * size,
        "lines of braces": "{\n" * size + "}\n" * size,
        "angles": "<a\n" * size,
        "quotes": "\"'`" * size,
        "chain": "a" + ".b()" * size,
        "sum": "x = " + "1 + " * size + "1",
        "nothing": "\ufffd" * size,
        "tags": "<div id='a'>\n" * size,
        "lines": "x\n" * size,
        "surrogate": "x = '\ud800'\n",
    }


@pytest.mark.parametrize("size", [2_000, pytest.param(50_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("language", OTHERS, ids=lambda item: item.name)
def test_hostile_sources_end(language: Language, size: int) -> None:
    for name, text in _hostile(size).items():
        start = time.process_time()
        raw = extract(f"a{language.suffixes[0]}", text, language)
        spread([raw], {})
        assert time.process_time() - start < SECONDS, name


@pytest.mark.parametrize("nested", ["(" * 5000 + ")" * 5000, "[" * 3000, "-" * 9000, "x" * 25_000])
@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("a.js", "function before() { return f(1); }", "function after() { return f(2); }"),
        ("a.go", "package a\nfunc before() int { return f(1) }", "func after() int { return f(2) }"),
        ("a.rs", "fn before() -> i32 { f(1) }", "fn after() -> i32 { f(2) }"),
        ("a.c", "int before(void) { return f(1); }", "int after(void) { return f(2); }"),
        ("a.rb", "def before\n  f(1)\nend", "def after\n  f(2)\nend"),
        ("a.kt", "fun before(): Int { return f(1) }", "fun after(): Int { return f(2) }"),
        ("a.php", "<?php\nfunction before() { return f(1); }", "function after() { return f(2); }"),
        ("a.jl", "function before()\n  f(1)\nend", "function after()\n  f(2)\nend"),
    ],
)
def test_one_absurd_line_hides_nothing_else(make: Make, path: str, before: str, after: str, nested: str) -> None:
    graph = make({path: before + "\n" + nested + "\n" * 40 + after + "\n"})
    assert {"before", "after"} <= {item.name for item in graph.files[path].definitions}
    assert graph.files[path].error


def test_one_huge_line_and_odd_bytes(make: Make) -> None:
    graph = make(
        {
            "big.js": "x = 1; " * 500_000,
            "nul.go": b"package a\nfunc F() int { return g(1) }\n\0\0\0\n",
            "latin.rb": "# caf\xe9\ndef f\n  g('caf\xe9')\nend\n".encode("latin-1"),
            "utf16.java": "class A { int f() { return g(1); } }".encode("utf-16"),
            "binary.rs": bytes(range(256)) * 40,
            "empty.swift": b"",
            "crlf.cs": b"class A {\r\n  int F() { var x = 1; return G(x); }\r\n}\r\n",
        }
    )
    assert graph.unparsed["big.js"] == "minified or generated"
    assert graph.unparsed["binary.rs"] == "no text"
    names = {path: [item.name for item in code.definitions] for path, code in graph.files.items()}
    assert names["nul.go"] == ["F"] and names["latin.rb"] == ["f"] and names["utf16.java"] == ["A", "f"]
    assert names["crlf.cs"] == ["A", "F"] and names["empty.swift"] == []
    assert graph.summary() and graph.nx.number_of_nodes() > 7


def test_only_the_grammars_at_hand_are_imported(tmp_path: Path) -> None:
    (tmp_path / "main.go").write_text("package main\nfunc main() { println(1) }\n", encoding="utf-8")
    (tmp_path / "run.R").write_text("print(1)\n", encoding="utf-8")
    code = (
        "import sys; from pathlib import Path; from judge.workspace import Workspace; from judge.modules.graph import build_graph\n"
        "graph = build_graph(Workspace.open(Path(sys.argv[1]))); assert len(graph.files) == 2\n"
        "print(*sorted(name for name in sys.modules if name.startswith('tree_sitter') and '.' not in name))"
    )
    ran = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["tree_sitter", "tree_sitter_go"]


def test_what_is_blanked_keeps_its_place() -> None:
    data = b"one\n" + b"(" * 1000 + b"\ntwo\n" + b"y" * 30_000 + b"\nthree\n"
    shown, changed = tame(data)
    assert changed and len(shown) == len(data)
    assert [line for line in shown.split(b"\n") if line.strip()] == [b"one", b"two", b"three"]
    assert tame(b"f(a[b{c<d>}])\n" * 1000) == (b"f(a[b{c<d>}])\n" * 1000, False)


@given(st.sampled_from(OTHERS), st.text(max_size=300))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_text(language: Language, text: str) -> None:
    raw = extract(f"a{language.suffixes[0]}", text, language)
    files, _ = spread([raw], {"package.json": text, "Cargo.toml": text, "composer.json": text, "go.mod": text})
    assert files[raw.path].source == text


_PIECES = st.lists(
    st.sampled_from(
        "f ( ) { } [ ] < > = . :: -> ; , \n \" ' ` $x ${ #{ \\( class def fn func fun function import use module begin end "
        "if then do CREATE TABLE <- |> @a #[test] <?php <script> </script> // /* */ # 1 x.y 'a/b.txt' write open".split(
            " "
        )
    ),
    max_size=60,
)


@given(st.sampled_from(OTHERS), _PIECES)
@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_pieces_of_code(language: Language, pieces: list[str]) -> None:
    raw = extract(f"a{language.suffixes[0]}", " ".join(pieces), language)
    files, _ = spread([raw], {})
    lines = raw.source.count("\n") + 1
    for code in files.values():
        assert all(1 <= item.line <= item.end_line <= lines for item in code.definitions)
        assert all(1 <= call.line <= call.end_line <= lines for call in code.calls)


@pytest.mark.parametrize(
    ("head", "language"),
    [
        ("#!/usr/bin/env python3\n", "python"),
        ("#!/bin/bash -e\n", "bash"),
        ("#!/usr/bin/env -S Rscript --vanilla\n", "r"),
        ("#! /usr/bin/ruby\n", "ruby"),
        ("#!/opt/unknown\n", ""),
        ("no script\n", ""),
    ],
)
def test_scripts_without_extension(head: str, language: str) -> None:
    found = language_of_script(head)
    assert (found.name if found is not None else "") == language


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("a.R", 'r"(' * 30_000),
        ("a.Rmd", "```{r}\n" * 30_000),
        ("a.sql", "COPY x " * 20_000),
        (
            "a.js",
            "\n".join(f"var v{n} = v{n + 1} + v{n * 7 % 500};" for n in range(500)) + "\nfs.writeFileSync(v0, 'x');",
        ),
        ("a.js", "function f(p) { f(p); f(p + p); fs.writeFileSync(p); }\n" + "f('a');\n" * 3000),
        ("a.sh", "\n".join(f"A{n}=$A{n + 1}$A{n + 2}" for n in range(300)) + "\necho x > $A0\n"),
        ("a.rb", "\n".join(f"class C{n} < C{n + 1}\n def m; super; x.m; end\nend" for n in range(3000))),
        ("A.java", "\n".join(f"class C{n} {{ void m() {{ x.m(); new C{n}().m(); }} }}" for n in range(3000))),
        ("a.go", "package a\n" + "\n".join(f"func f{n}() {{ x{n} := f{n + 1}(); x{n}.y() }}" for n in range(5000))),
    ],
)
def test_repetition_takes_time_that_grows_with_its_length(make: Make, path: str, source: str) -> None:
    start = time.process_time()
    make({path: source})
    assert time.process_time() - start < SECONDS
