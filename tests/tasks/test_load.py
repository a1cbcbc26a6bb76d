from __future__ import annotations

import codecs
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.errors import InputError
from judge.jsontext import parse_text
from judge.tasks import InvalidTask, check_task, load_tasks


def task(**changes: Any) -> dict[str, Any]:
    base = {
        "name": "t1",
        "query": "Do it.",
        "tags": ["A"],
        "requirements": [
            {"requirement_id": 0, "prerequisites": [], "criteria": "One.", "category": "Other", "satisfied": None},
            {"requirement_id": 1, "prerequisites": [0], "criteria": "Two."},
        ],
        "preferences": [{"preference_id": 0, "criteria": "Nice.", "satisfied": None}],
        "is_training_needed": True,
    }
    return base | changes


def requirement(number: Any, *prerequisites: Any, **more: Any) -> dict[str, Any]:
    return {"requirement_id": number, "prerequisites": list(prerequisites), "criteria": f"Criterion {number}."} | more


def write(folder: Path, name: str, value: Any) -> Path:
    path = folder / name
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def only_invalid(path: Path) -> InvalidTask:
    loaded = load_tasks([path])
    assert not loaded.tasks
    assert len(loaded.invalid) == 1
    return loaded.invalid[0]


def lines(path: Path) -> list[str]:
    return [str(problem) for problem in only_invalid(path).problems]


def test_all_official_tasks_load(shared_dir: Path) -> None:
    for place in ("devai/instances", "devai"):
        loaded = load_tasks([shared_dir / place])
        assert (len(loaded.tasks), loaded.requirements, loaded.preferences) == (55, 365, 125)
        assert loaded.invalid == ()
        assert sum(len(item.warnings) for item in loaded.tasks) == 2
        assert sum(len(r.prerequisites) for item in loaded.tasks for r in item.task.requirements) == 641 - 2


def test_unknown_fields_stay_and_labels_go(tmp_path: Path) -> None:
    data = task(hint="look", executed_successfully=True, satisfied_all_requirements=False)
    data["requirements"][0] |= {"satisfied": True, "reason": "because", "weight": 2}
    data["preferences"][0]["satisfied"] = True
    (loaded,) = load_tasks([write(tmp_path, "a.json", data)]).tasks
    dumped = loaded.task.model_dump_json()
    assert loaded.warnings == ()
    assert '"hint":"look"' in dumped and '"weight":2' in dumped
    assert (
        "because" not in dumped
        and "executed_successfully" not in dumped
        and "true" not in dumped.replace('"is_training_needed":true', "")
    )


def test_every_problem_of_a_file_is_reported_at_once(tmp_path: Path) -> None:
    data = {
        "name": 7,
        "query": "",
        "tags": "x",
        "requirements": [
            {"requirement_id": "0", "criteria": None, "prerequisites": 3},
            5,
            requirement(2, 9, "1", True, category=4),
            requirement(2),
        ],
        "preferences": [{"preference_id": 0}, []],
        "is_training_needed": "yes",
    }
    found = lines(write(tmp_path, "a.json", data))
    places = [line.partition(": ")[0] for line in found]
    assert places == [
        "$.name",
        "$.query",
        "$.tags",
        "$.requirements[0].requirement_id",
        "$.requirements[0].prerequisites",
        "$.requirements[0].criteria",
        "$.requirements[1]",
        "$.requirements[2].prerequisites[0]",
        "$.requirements[2].prerequisites[1]",
        "$.requirements[2].prerequisites[2]",
        "$.requirements[2].category",
        "$.requirements[3].requirement_id",
        "$.preferences[0].criteria",
        "$.preferences[1]",
        "$.is_training_needed",
    ]
    assert all("(expected " in line for line in found)


def test_a_cycle_is_named_and_stops_only_its_task(tmp_path: Path) -> None:
    ring = task(
        requirements=[requirement(0, 2), requirement(1, 0), requirement(2, 1), requirement(3, 4), requirement(4, 3)]
    )
    write(tmp_path, "a.json", ring | {"name": "ring"})
    write(tmp_path, "b.json", task())
    loaded = load_tasks([tmp_path])
    assert [item.task.name for item in loaded.tasks] == ["t1"]
    (broken,) = loaded.invalid
    assert broken.name == "ring"
    assert [p.path for p in broken.problems] == [
        "$.requirements[0].prerequisites[0]",
        "$.requirements[3].prerequisites[0]",
    ]
    assert "0 -> 2 -> 1 -> 0" in str(broken.problems[0])
    assert "3 -> 4 -> 3" in str(broken.problems[1])


def test_self_loops_and_repeated_links_are_dropped_with_a_warning(tmp_path: Path) -> None:
    data = task(requirements=[requirement(0), requirement(1, 0, 1, 0)])
    (loaded,) = load_tasks([write(tmp_path, "a.json", data)]).tasks
    assert loaded.task.requirements[1].prerequisites == (0,)
    assert [w.partition(":")[0] for w in loaded.warnings] == [f"$.requirements[1].prerequisites[{i}]" for i in (1, 2)]


def test_a_missing_or_null_category_is_fine(tmp_path: Path) -> None:
    data = task(requirements=[requirement(0, category=None), requirement(1)])
    (loaded,) = load_tasks([write(tmp_path, "a.json", data)]).tasks
    assert loaded.warnings == () and loaded.task.requirements[0].category is None


@pytest.mark.parametrize(
    "name",
    [
        "a/b",
        "..",
        ".",
        "",
        "  ",
        "a\0b",
        "a\nb",
        "x" * 201,
        "é" * 101,
        "a\\b",
        "\u202eabc",
        "a\x1b[31m",
        " a",
        3,
        None,
        ["a"],
    ],
)
def test_names_that_cannot_be_folders_are_refused(tmp_path: Path, name: Any) -> None:
    (line,) = lines(write(tmp_path, "a.json", task(name=name)))
    assert line.startswith("$.name: ")
    assert line.isprintable()


@pytest.mark.parametrize(
    "name", ["39_Drug", "v1.2 – über", "タスク", "x" * 200, "...", "a'b\"c", "-rf", ".NET", "a%20b"]
)
def test_unusual_names_are_fine(tmp_path: Path, name: str) -> None:
    assert load_tasks([write(tmp_path, "a.json", task(name=name))]).tasks[0].task.name == name


def test_a_name_taken_twice_is_a_problem_of_the_later_file(tmp_path: Path) -> None:
    write(tmp_path, "a.json", task())
    write(tmp_path, "b.json", task())
    write(tmp_path, "c.json", task(name="T1"))
    loaded = load_tasks([tmp_path])
    assert [item.path.name for item in loaded.tasks] == ["a.json", "c.json"]
    assert [item.path.name for item in loaded.invalid] == ["b.json"]
    assert "a.json" in str(loaded.invalid[0].problems[0])
    assert "differs only in case" in loaded.tasks[1].warnings[0]


def test_naming_a_file_twice_is_no_problem(tmp_path: Path) -> None:
    path = write(tmp_path, "a.json", task())
    loaded = load_tasks([tmp_path, path, tmp_path])
    assert len(loaded.tasks) == 1 and not loaded.invalid


@pytest.mark.parametrize(
    "encode",
    [
        lambda s: codecs.BOM_UTF8 + s.encode(),
        lambda s: s.encode("utf-16"),
        lambda s: s.encode("utf-16-le"),
        lambda s: s.encode("utf-16-be"),
        lambda s: s.encode("utf-32"),
        lambda s: s.replace("\n", "\r\n").encode(),
    ],
)
def test_any_unicode_encoding_and_line_end_is_read(tmp_path: Path, encode: Any) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(encode(json.dumps(task(query="Öffne 💾"), indent=1, ensure_ascii=False)))
    assert load_tasks([path]).tasks[0].task.query == "Öffne 💾"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "$: is empty"),
        (b" \n ", "$: is empty"),
        (b'{"name": "a",\n "query": "b', "line 2, column 11: a string starts here"),
        (b'{"name": "a",\n "query"', "line 2, column 9: the text ends early"),
        (b'{"name": "a",\n}', "line"),
        (b"{'name': 1}", "line 1, column 2"),
        (b'{"name": "caf\xe9"}', "line 1, column 14: byte 0xe9 is no UTF-8"),
        (b'{"query": NaN, "name": "a", "requirements": []}', "$.query: is nan"),
        (b'{"query": 1e999, "name": "a", "requirements": []}', "$.query: is inf"),
        (b'{"query": "\\ud800", "name": "a", "requirements": []}', "$.query: holds half of a surrogate pair"),
        (b"[" * 100_000, "$: is nested deeper than 100 levels"),
        (b'{"query": ' + b"[" * 300 + b"]" * 300 + b"}", "$: is nested deeper than 100 levels"),
        (b'{"query": ' + b"9" * 10_000 + b"}", "thousands of digits"),
        (b'"text"', '$: is "text" (expected a task'),
        (b"null", "$: is null (expected a task"),
        (b"[]", "$: is a list of 0 (expected a task"),
        (b'{"a": 1}', "$: is no task: it has neither query nor requirements"),
        (b"\x00\x01\x02\xff", "$: "),
        (b"PK\x03\x04zip", "$: line 1, column 1"),
    ],
)
def test_broken_files_say_where_and_how(tmp_path: Path, content: bytes, expected: str) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(content)
    assert any(expected in line for line in lines(path)), lines(path)


def test_duplicate_keys_are_a_warning_with_their_path(tmp_path: Path) -> None:
    text = json.dumps(task()).replace('"criteria": "Two."', '"criteria": "x", "criteria": "Two."')
    (loaded,) = load_tasks([write(tmp_path, "a.json", text)]).tasks
    assert loaded.warnings == ("$.requirements[1].criteria: is given twice; the last one counts",)


def test_lists_and_json_lines_hold_many_tasks(tmp_path: Path) -> None:
    good, bad = task(), task(name="bad", query=None)
    write(tmp_path, "a.json", [good, bad])
    write(tmp_path, "b.jsonl", json.dumps(task(name="c")) + "\n\n{broken\n" + json.dumps(task(name="d")) + "\n")
    write(tmp_path, "c.json", json.dumps(task(name="e")) + "\n" + json.dumps(task(name="f")))
    loaded = load_tasks([tmp_path])
    assert [item.task.name for item in loaded.tasks] == ["t1", "c", "d", "e", "f"]
    assert [str(item.problems[0]).partition(": ")[0] for item in loaded.invalid] == ["$[1].query", "$[1]"]
    assert "line 3" in str(loaded.invalid[1].problems[0])


def test_other_json_in_a_folder_is_skipped_and_said(tmp_path: Path) -> None:
    write(tmp_path, "task.json", task())
    write(tmp_path, "package.json", {"name": "x"})
    write(tmp_path, ".hidden.json", "{")
    loaded = load_tasks([tmp_path])
    assert len(loaded.tasks) == 1 and not loaded.invalid
    assert len(loaded.warnings) == 1 and "package.json" in loaded.warnings[0]


def test_folders_without_tasks_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no task files"):
        load_tasks([tmp_path])
    write(tmp_path, "package.json", {"name": "x"})
    with pytest.raises(InputError, match="none of its 1 JSON files is a task"):
        load_tasks([tmp_path])
    with pytest.raises(InputError, match="no such file or folder"):
        load_tasks([tmp_path / "missing"])
    with pytest.raises(InputError):
        load_tasks([tmp_path / "nul\0"])


def test_special_files_are_refused_without_hanging(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.json")
    (tmp_path / "loop.json").symlink_to("loop.json")
    write(tmp_path, "b.json", task())
    loaded = load_tasks([tmp_path])
    assert len(loaded.tasks) == 1
    assert len(loaded.invalid) == 2
    assert any("not a regular file" in str(p) for item in loaded.invalid for p in item.problems)


def test_hostile_extra_keys_change_nothing(tmp_path: Path) -> None:
    keys = ["cls", "self", "_fields_set", "__class__", "model_config", "model_fields", "requirement", "a b\n"]
    data = task(**dict.fromkeys(keys, 1))
    for item in (*data["requirements"], *data["preferences"]):
        item |= dict.fromkeys(keys, 1)
    (loaded,) = load_tasks([write(tmp_path, "a.json", data)]).tasks
    assert loaded.task.requirement(1).criteria == "Two."


def test_many_requirements_in_a_chain_do_not_recurse(tmp_path: Path) -> None:
    count = 5000
    chain = [requirement(i, *([i - 1] if i else [])) for i in range(count)]
    assert load_tasks([write(tmp_path, "a.json", task(requirements=chain))]).requirements == count
    chain[0]["prerequisites"] = [count - 1]
    assert "closes a cycle" in lines(write(tmp_path, "a.json", task(requirements=chain)))[0]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["name", "query", "requirements", "requirement_id", "prerequisites", "criteria", "satisfied", "x"]
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=25,
)


@given(JSON)
def test_no_json_value_breaks_the_check(value: Any) -> None:
    checked = check_task(value)
    assert (checked.task is None) == bool(checked.problems)
    assert all(str(problem).isprintable() for problem in checked.problems)


@given(st.text(max_size=60))
def test_no_text_breaks_the_parser(text: str) -> None:
    value = parse_text(text)
    assert value.parsed or value.problems


def test_a_broken_link_among_the_files_is_one_invalid_task(tmp_path: Path) -> None:
    (tmp_path / "loop.json").symlink_to("loop.json")
    loaded = load_tasks([tmp_path / "loop.json"])
    assert len(loaded.invalid) == 1 and loaded.invalid[0].problems
