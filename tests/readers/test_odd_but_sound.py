"""Small and odd files that are just what they should be, and numbers written in other ways."""

from __future__ import annotations

import io
import pickle
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judge.readers import Document, State

Read = Callable[..., Document]


@pytest.mark.parametrize(
    ("text", "ranges"),
    [
        ("x;y\n1,5;2,25\n3,75;4,5\n", {"x": [1.5, 3.75], "y": [2.25, 4.5]}),
        ("x;y\n1,234;0,5\n3,750;1.234,5\n", {"x": [1.234, 3.75], "y": [0.5, 1234.5]}),
        ('x,y\n"1,234","12,345,678"\n"0,5",2\n', {"x": [0.5, 1234.0], "y": [2.0, 12345678.0]}),
    ],
)
def test_commas_in_numbers(read: Read, text: str, ranges: dict[str, list[float]]) -> None:
    assert read("a.csv", text).facts["ranges"] == ranges


@pytest.mark.parametrize(
    ("text", "rows", "header"),
    [
        ("accuracy,0.93\n", 1, False),
        ("Alice,30\n", 1, False),
        ("accuracy,0.93\nf1,0.91\n", 2, False),
        ("accuracy,f1\n0.93,0.91\n", 1, True),
        (",0,1\n0,5,6\n1,7,8\n", 2, True),
        (",,0,1\na,1,5,6\nb,2,7,8\n", 2, True),
        ("1,2\n3,4\n", 2, False),
    ],
)
def test_whether_the_first_row_is_a_header(read: Read, text: str, rows: int, header: bool) -> None:
    found = read("a.csv", text)
    assert (found.state, found.facts["rows"], found.facts["header"]) == (State.SOUND, rows, header)


def test_a_header_alone_is_empty(read: Read) -> None:
    assert read("a.csv", "a,b\n").state is State.EMPTY


def test_a_quote_that_is_never_closed_is_told(read: Read) -> None:
    assert "never closed" in read("a.csv", 'id,text\n1,"hello\n2,x\n3,y\n').problems[0]
    assert not read("a.csv", 'id,text\n1,"hello\nworld"\n').problems
    assert not read("a.csv", 'id,text\n1,5" long\n2,ok\n').problems


def workbook(*rows: list[Any]) -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    for row in rows:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_a_sheet_of_one_row_with_a_number(read: Read) -> None:
    found = read("a.xlsx", workbook(["Accuracy", 0.93]))
    assert (found.state, found.facts["rows"], found.problems) == (State.SOUND, 1, ())
    assert read("a.xlsx", workbook(["a", "b"])).state is State.EMPTY


def test_formulas_that_were_never_computed_are_shown(read: Read) -> None:
    found = read("a.xlsx", workbook(["v", "double"], [2, "=A2*2"], [3, "=A3*2"]))
    assert "=A2*2" in found.text
    assert "empty_columns" not in found.facts
    assert found.problems == ("2 formulas whose values were never computed",)


def test_settings_with_comments_are_json(read: Read) -> None:
    text = '{ // why\n "a": "http://x//y", /* more */ "b": [1, 2,],\n}'
    for name in ("tsconfig.json", ".vscode/settings.json", "a.jsonc"):
        assert (read(name, text).state, read(name, text).facts["keys"]) == (State.SOUND, ["a", "b"])
    assert read("metrics.json", text).state is State.BROKEN
    assert read("tsconfig.json", '{"a": ').state is State.BROKEN


def test_templates_of_yaml_are_no_damaged_yaml(read: Read) -> None:
    found = read("templates/a.yaml", "a: {{ .Values.x }}\n{{- if .y }}\nb: 1\n{{- end }}\n")
    assert (found.state, found.facts["template"]) == (State.SOUND, True)
    assert read("ci.yml", "a: ${{ secrets.x }}\nb: [1\n").state is State.BROKEN


def test_short_plain_entities_are_read(read: Read) -> None:
    text = (
        '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg">]>'
        '<svg xmlns="&ns;" width="9" height="9"><circle r="3"/></svg>'
    )
    found = read("a.svg", text)
    assert (found.state, found.facts["shapes"]) == (State.SOUND, {"circle": 1})


def test_tables_behind_an_index_for_full_text_are_not_counted(read: Read, tmp_path: Path) -> None:
    path = tmp_path / "made.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE VIRTUAL TABLE notes USING fts5(body)")
    connection.execute("CREATE TABLE my_data(a)")
    connection.commit()
    empty = path.read_bytes()
    connection.execute("INSERT INTO notes VALUES('hello')")
    connection.commit()
    connection.close()
    assert read("a.db", empty).state is State.EMPTY
    found = read("a.db", path.read_bytes())
    assert [(table["name"], table["rows"]) for table in found.facts["tables"]] == [("my_data", 0), ("notes", 1)]


def test_what_fitting_does_not_change_needs_no_fitting(read: Read) -> None:
    preprocessing = pytest.importorskip("sklearn.preprocessing")
    plain = preprocessing.FunctionTransformer()
    assert read("a.pkl", pickle.dumps(plain)).facts["fitted"] is None
    assert read("a.pkl", pickle.dumps(preprocessing.StandardScaler())).facts["fitted"] is False
