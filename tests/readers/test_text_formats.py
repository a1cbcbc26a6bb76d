"""Text, code, data and markup: lines as they are, and what is measured on them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import pytest

from judge.readers import Document, Family, State

Read = Callable[..., Document]


def test_lines_of_code_are_kept(read: Read) -> None:
    found = read("src/m.py", "# coding: latin-1\r\nname = 'café'\r\n\x0cx = 1\r\n".encode("latin-1"))
    assert found.text == "# coding: latin-1\nname = 'café'\n\x0cx = 1\n"
    assert (found.family, found.state, found.lines_match, found.facts["lines"]) == (Family.CODE, State.SOUND, True, 3)


@pytest.mark.parametrize("name", ["Makefile", "Dockerfile", "a.ts", "b.R", "c.sql", "d.sh"])
def test_code_of_many_kinds(read: Read, name: str) -> None:
    assert read(name, "x\n").family is Family.CODE


def test_no_extension(read: Read) -> None:
    assert read("run", "#!/bin/sh\necho\n").family is Family.CODE
    assert read("notes", "some words\n").family is Family.TEXT
    assert read("blob", bytes(range(256)) * 4).family is Family.BINARY
    assert read("MZ", "MZ is how this text begins\n").family is Family.TEXT


@pytest.mark.parametrize("name", ["a.py", "a.txt", "a.csv", "a.json", "a.ipynb", "a.pdf", "a.png", "a.pt", "a"])
@pytest.mark.parametrize("data", [b"", b" \n\t\n"])
def test_nothing_is_empty(read: Read, name: str, data: bytes) -> None:
    assert read(name, data).state is State.EMPTY


def test_long_text_is_cut_and_told(read: Read) -> None:
    found = read("a.txt", "line\n" * 1000, max_chars=100)
    assert len(found.text) == 100
    assert found.facts["text_cut"] is True
    found = read("a.txt", "line\n" * 1000, max_bytes=100)
    assert found.state is State.PARTIAL
    assert found.facts["size"] == 5000


def test_json(read: Read) -> None:
    found = read("a.json", '{"accuracy": 0.9, "n": [1]}')
    assert (found.state, found.facts["keys"], found.facts["type"]) == (State.SOUND, ["accuracy", "n"], "object")
    assert read("a.json", "{}").state is State.EMPTY
    assert read("a.json", '{"a": ').state is State.BROKEN
    assert read("a.json", "hello").state is State.MISMATCH
    assert read("a.json", '{"a": 1}\n{"a": 2}\n').format == "jsonl"
    assert read("a.json", "[" * 200_000).state is State.BROKEN
    assert read("a.json", "[" + "9" * 10_000 + "]").state is State.SOUND
    assert read("a.json", b'{"a": "\\ud800"}').state is State.SOUND


def test_jsonl(read: Read) -> None:
    assert read("a.jsonl", '{"a": 1}\n\n{"a": 2}\n').facts["rows"] == 2
    assert read("a.jsonl", '{"a": 1}\noops\n').state is State.BROKEN


def test_yaml(read: Read) -> None:
    found = read("a.yaml", "model:\n  kind: svm\nlist: [1, 2]\n")
    assert (found.state, found.facts["keys"]) == (State.SOUND, ["model", "list"])
    assert read("a.yaml", "a: [1, 2\nb: }").state is State.BROKEN
    assert read("a.yaml", "# only a comment\n").state is State.EMPTY
    assert read("a.yaml", "!!python/object/apply:os.system ['touch /tmp/x']\n").state is State.SOUND


def test_yaml_that_explodes_does_not(read: Read) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 30)]
    start = time.process_time()
    assert read("a.yaml", "\n".join(lines)).state is State.SOUND
    assert read("a.yaml", "[" * 100_000).state is State.BROKEN
    assert time.process_time() - start < 3


def test_toml_and_ini(read: Read) -> None:
    assert read("a.toml", '[tool]\nname = "x"\n').facts["keys"] == ["tool"]
    assert read("a.toml", "[tool\n").state is State.BROKEN
    assert read("a.ini", "[part]\na = 1\n").facts["keys"] == ["part"]
    assert read("nginx.conf", "server { listen 80; }\n").state is State.SOUND


def test_env_values_are_masked(read: Read) -> None:
    for name in (".env", ".env.local", "prod.env"):
        found = read(name, '# settings\nAPI_KEY=sk-secret\nexport DB="a\nsecret2"\nEMPTY=\n#OLD=secret3\nPORT = 1\n')
        assert "secret" not in found.text
        assert found.text.split("\n")[1] == "API_KEY=****"
        assert found.text.count("\n") == 7
        assert found.facts["variables"] == ["API_KEY", "DB", "OLD", "PORT"]
        assert "secret" not in json.dumps(dict(found.facts))


def test_html(read: Read) -> None:
    found = read(
        "a.html", "<!doctype html><title>T</title><body><h1>Hi</h1><img src='p.png'><script>var x = '<b>';</script>"
    )
    assert (found.facts["title"], found.facts["images"], found.facts["pictures"]) == ("T", 1, ["p.png"])
    assert found.facts["shown_chars"] == 2
    assert read("a.html", "<html><head></head><body></body></html>").state is State.EMPTY
    assert read("a.html", "just words").state is State.MISMATCH


@pytest.mark.parametrize("piece", ["<!--", "<a ", "<script>", "</", "<!", "<", "<img src=", "<!---->"])
def test_hostile_html_takes_linear_time(read: Read, piece: str) -> None:
    start = time.process_time()
    read("a.html", piece * (1_000_000 // len(piece)))
    read("a.csv", piece * 100_000)
    assert time.process_time() - start < 5


def test_xml(read: Read) -> None:
    assert read("a.xml", "<a><b>hi</b></a>").facts["elements"] == 2
    assert read("a.xml", "<a><b></a>").state is State.BROKEN
    assert read("a.xml", "words").state is State.MISMATCH
    assert read("a.xml", "<a>" * 100_000).state is State.BROKEN


@pytest.mark.parametrize("name", ["a.xml", "a.svg"])
def test_xml_entities_are_refused(read: Read, name: str) -> None:
    laughs = '<!DOCTYPE s [<!ENTITY a "ha">' + "".join(
        f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(10)
    )
    external = '<!DOCTYPE s [<!ENTITY x SYSTEM "file:///etc/hostname">]><svg>&x;</svg>'
    for text in (laughs + "]><svg>&k;</svg>", external):
        found = read(name, text)
        assert found.state is State.BROKEN
        assert "entities" in found.problems[0]


def test_markdown(read: Read) -> None:
    found = read("a.md", "# Title\n\n![plot](figures/p.png)\n\n```python\nx\n```\n")
    assert (found.facts["headings"], found.facts["pictures"], found.facts["code_blocks"]) == (
        ["Title"],
        ["figures/p.png"],
        1,
    )
    start = time.process_time()
    read("a.md", "![" * 500_000 + "<img " * 100_000)
    assert time.process_time() - start < 5


def notebook(*cells: dict[str, object]) -> str:
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": list(cells)})


def test_notebook(read: Read) -> None:
    picture = {
        "output_type": "display_data",
        "data": {"image/png": "iVBORw0KGgoAAAANSUhEUgAAAAUA" * 4, "text/plain": "<Figure>"},
    }
    printed = {"output_type": "stream", "name": "stdout", "text": ["acc ", "0.9\n"]}
    failed = {"output_type": "error", "ename": "ValueError", "evalue": "no", "traceback": []}
    found = read(
        "a.ipynb",
        notebook(
            {"cell_type": "markdown", "source": ["# Hello\n", "world"]},
            {"cell_type": "code", "source": "print('acc')", "execution_count": 1, "outputs": [printed, picture]},
            {"cell_type": "code", "source": "boom()", "execution_count": 2, "outputs": [failed]},
            {"cell_type": "code", "source": "never()", "execution_count": None, "outputs": []},
        ),
    )
    facts = found.facts
    assert (facts["cells"], facts["code_cells"], facts["executed_cells"]) == (4, 3, 2)
    assert (facts["output_images"], facts["errors"]) == (1, ["ValueError"])
    assert found.text.index("# cell 1 [markdown]\n# Hello\nworld") < found.text.index("# cell 2 [code]\nprint('acc')")
    assert "acc 0.9" in found.text
    assert found.family is Family.NOTEBOOK


@pytest.mark.parametrize(
    "text", ['{"nbformat": 4', "[1]", '{"nbformat": 4, "cells": [null, 3, {"source": 5}]}', '{"cells": 3}']
)
def test_damaged_notebooks(read: Read, text: str) -> None:
    assert read("a.ipynb", text).state in {State.BROKEN, State.MISMATCH, State.EMPTY}


def test_notebook_without_cells(read: Read) -> None:
    assert read("a.ipynb", notebook()).state is State.EMPTY


def test_git_lfs_pointer(read: Read) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 12345\n"
    for name in ("model.pt", "data.csv", "plot.png"):
        found = read(name, pointer)
        assert found.state is State.UNREADABLE
        assert "LFS" in found.problems[0]
