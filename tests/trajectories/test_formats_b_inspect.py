"""Inspect logs: archives, old and new records, sub-agents, and archives that mean harm."""

from __future__ import annotations

import json
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pytest
import zstandard

from judge.errors import InputError
from judge.trajectories import convert, detect
from tests.trajectories.converted import actions, only, rows, save, tokens

EVAL = {"version": 2, "status": "success", "eval": {"task": "plants", "model": "m"}, "plan": {}}


def call(id: str, command: str) -> dict[str, Any]:
    return {"id": id, "function": "bash", "arguments": {"cmd": command}, "type": "function"}


def says(id: str, text: object, *calls: dict[str, Any]) -> dict[str, Any]:
    return {"id": id, "role": "assistant", "content": text, "tool_calls": list(calls)}


def result(id: str, text: object, **more: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": text, **more}


USER = {"id": "u", "role": "user", "content": "Count the plants."}
MESSAGES = [USER, says("a", "I look.", call("c", "ls")), result("c", "a.py")]


def log(*samples: dict[str, Any]) -> dict[str, Any]:
    return {**EVAL, "samples": [{"id": "s", "epoch": 1, "input": USER["content"], **sample} for sample in samples]}


def model(message: dict[str, Any], fed: int = 5, **more: Any) -> dict[str, Any]:
    output = {"model": "m", "choices": [{"message": message}], "usage": {"input_tokens": fed, "output_tokens": 1}}
    return {"event": "model", "input": [], "output": output, **more}


PICTURE = {"type": "image", "image": "data:image/png;base64," + "A" * 400}
SEARCH = {"type": "tool_use", "id": "w", "name": "web_search", "arguments": '{"q": 1}', "result": "found"}
TIMEOUT = {"type": "timeout", "message": "Command timed out."}
SAMPLES: dict[str, tuple[dict[str, Any], list[tuple[str | None, str | None]]]] = {
    "messages": ({"messages": MESSAGES}, [("ls", "a.py")]),
    "a tool's error beside what it printed": (
        {"messages": [*MESSAGES[:2], result("c", "half", error=TIMEOUT)]},
        [("ls", "Error (reported by the tool):\nhalf\nCommand timed out.")],
    ),
    "content as blocks": (
        {"messages": [*MESSAGES[:2], result("c", [{"type": "text", "text": "a.py"}, PICTURE])]},
        [("ls", "a.py\n[image/png, 300 bytes]")],
    ),
    "attachments": (
        {"messages": [*MESSAGES[:2], result("c", "attachment://ff")], "attachments": {"ff": "a.py"}},
        [("ls", "a.py")],
    ),
    "the transcript of old logs": (
        {
            "messages": [],
            "transcript": {
                "events": [model(MESSAGES[1]), {"event": "tool", "id": "c", "function": "bash", "result": "tc://ff"}],
                "content": {"ff": "a.py"},
            },
        },
        [("ls", "a.py")],
    ),
    "a tool at the model's provider": (
        {"messages": [USER, says("a", [SEARCH])]},
        [('web_search {"q": 1}', "found")],
    ),
    "an error of the sample": ({"messages": MESSAGES[:2], "error": {"message": "killed"}}, [("ls", None)]),
}


@pytest.mark.parametrize("case", SAMPLES)
def test_samples(case: str, tmp_path: Path) -> None:
    sample, wanted = SAMPLES[case]
    item = only(save(tmp_path / "t", log(sample)), "inspect")
    assert actions(item) == wanted
    assert item.trajectory.steps[0].user_message == "Count the plants."
    assert item.report.notes.get("error") == sample.get("error", {}).get("message")


def test_epochs_are_trajectories_of_their_own(tmp_path: Path) -> None:
    samples = [{"messages": MESSAGES, "epoch": epoch} for epoch in (1, 2)]
    path = save(tmp_path / "t", log(*samples))
    assert [item.name for item in convert(path)] == ["s_epoch_1", "s_epoch_2"]
    (item,) = convert(Path(f"{path}#s_epoch_2"))
    assert actions(item) == [("ls", "a.py")]


def test_after_a_compaction_the_events_count(tmp_path: Path) -> None:
    more = {"id": "v", "role": "user", "content": "Now the cacti."}
    summary = {
        "id": "x",
        "role": "user",
        "content": "[CONTEXT COMPACTION SUMMARY]\n\nLooked.",
        "metadata": {"summary": True},
    }
    pool = [USER, summary, more]
    events = [
        model(says("a", "I look.", call("c", "ls")), input_refs=[[0, 1]]),
        {"event": "tool", "id": "c", "function": "bash", "arguments": {"cmd": "ls"}, "result": "a.py"},
        {"event": "compaction"},
        model(says("b", "Two."), fed=9, input_refs=[[1, 3]]),
        {"event": "model", "error": "overloaded", "output": {"choices": []}},
        model(says("g", "GRADE: C"), span_id="score"),
        {"event": "span_begin", "id": "score", "type": "scorers", "name": "scorers"},
    ]
    sample = {"messages": [summary, says("b", "Two.")], "events": events, "events_data": {"messages": pool}}
    item = only(save(tmp_path / "t", log(sample)), "inspect")
    assert rows(item) == [
        ("Count the plants.", "I look.", "ls", "a.py"),
        ("Now the cacti.", "Two.", None, None),
    ]
    assert tokens(item) == [(5, 1, None), (9, 1, None)]
    assert item.report.skipped["event of a scorer"] == 1
    assert any("overloaded" in line for line in item.trajectory.problems)


@pytest.mark.parametrize("spans", [True, False], ids=["spans", "events inside the tool's event"])
def test_sub_agents_stand_behind_their_call(spans: bool, tmp_path: Path) -> None:
    inner = [
        model(says("i", "I search.", call("k", "grep x")), fed=7),
        {"event": "tool", "id": "k", "function": "bash", "result": "found"},
    ]
    tool = {"event": "tool", "id": "c", "function": "helper", "agent": "helper", "result": "done"}
    if spans:
        events = [
            {"event": "span_begin", "id": "main", "type": "agent", "name": "react"},
            {"event": "span_begin", "id": "t", "type": "tool", "name": "helper", "parent_id": "main"},
            {"event": "span_begin", "id": "h", "type": "agent", "name": "helper", "parent_id": "t"},
            model(says("a", "", {"id": "c", "function": "helper", "arguments": {}}), span_id="main"),
            *({**event, "span_id": "h"} for event in inner),
            {**tool, "span_id": "t"},
        ]
    else:
        events = [model(says("a", "", {"id": "c", "function": "helper", "arguments": {}})), {**tool, "events": inner}]
    messages = [USER, says("a", "", {"id": "c", "function": "helper", "arguments": {}}), result("c", "done")]
    item = only(save(tmp_path / "t", log({"messages": messages, "events": events})), "inspect")
    shown = [(s.agent_name, s.action, s.environment, s.usage.input_tokens) for s in item.trajectory.steps]
    assert shown == [(None, "helper {}", "done", 5), ("helper", "grep x", "found", 7)]


def test_usage_without_ids_goes_by_the_order(tmp_path: Path) -> None:
    messages = [USER, {**says("", "x", call("c", "ls")), "id": None}, result("c", "a")]
    sample = {"messages": messages, "events": [model({"role": "assistant", "content": "x"}, fed=11)]}
    assert tokens(only(save(tmp_path / "t", log(sample)), "inspect")) == [(11, 1, None)]


def test_a_log_without_samples_says_so(tmp_path: Path) -> None:
    path = save(tmp_path / "t", {**EVAL, "status": "error", "error": {"message": "no such model"}})
    with pytest.raises(InputError, match="no such model"):
        list(convert(path))


def archive(path: Path, *, method: int = zipfile.ZIP_DEFLATED, count: int = 2, header: bool = True) -> Path:
    with zipfile.ZipFile(path, "w", method) as made:
        for epoch in range(1, count + 1):
            sample = {"id": "s", "epoch": epoch, "input": "x", "messages": MESSAGES}
            made.writestr(f"samples/s_epoch_{epoch}.json", json.dumps(sample))
        made.writestr("header.json" if header else "_journal/start.json", json.dumps(EVAL))
    return path


def zstandard_archive(
    path: Path, data: bytes, *, size: int | None = None, name: str = "samples/s_epoch_1.json"
) -> Path:
    """An archive with one member that is packed with Zstandard, by hand: older Pythons cannot write it."""
    packed = zstandard.compress(data)
    size = len(data) if size is None else size
    fields = (20, 0, 93, 0, 0, zlib.crc32(data), len(packed), size, len(name), 0)
    local = b"PK\3\4" + struct.pack("<HHHHHIIIHH", *fields) + name.encode() + packed
    central = b"PK\1\2" + struct.pack("<HHHHHHIIIHHHHHII", 20, *fields, 0, 0, 0, 0, 0) + name.encode()
    rest = b""
    with zipfile.ZipFile(path.with_suffix(".zip"), "w") as made:
        made.writestr("_journal/start.json", json.dumps(EVAL))
    plain = path.with_suffix(".zip").read_bytes()
    end = plain.rindex(b"PK\5\6")
    start = struct.unpack("<I", plain[end + 16 : end + 20])[0]
    old = bytearray(plain[start:end])
    old[42:46] = struct.pack("<I", len(local))
    directory = central + bytes(old)
    rest = b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 2, 2, len(directory), len(local) + start, 0)
    path.write_bytes(local + plain[:start] + directory + rest)
    return path


@pytest.mark.parametrize("header", [True, False], ids=["finished", "cut off while it ran"])
@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED], ids=["stored", "deflate"])
def test_archives(header: bool, method: int, tmp_path: Path) -> None:
    path = archive(tmp_path / "a", method=method, header=header)
    assert detect(path)[0].format.name == "inspect"
    items = list(convert(path))
    assert [item.name for item in items] == ["s_epoch_1", "s_epoch_2"]
    assert [actions(item) for item in items] == [[("ls", "a.py")]] * 2
    assert items[0].trajectory.steps[0].usage.model == "m"


def test_archives_with_zstandard(tmp_path: Path) -> None:
    data = json.dumps({"id": "s", "epoch": 1, "messages": MESSAGES}).encode()
    item = only(zstandard_archive(tmp_path / "a", data), "inspect")
    assert actions(item) == [("ls", "a.py")]


@pytest.mark.parametrize("size", [10, 5_000_000], ids=["says less", "says more"])
def test_a_size_that_is_not_true_is_not_believed(size: int, tmp_path: Path) -> None:
    path = zstandard_archive(tmp_path / "a", b" " * 50_000_000, size=size)
    with pytest.raises(InputError, match=r"damaged|reason"):
        list(convert(path))


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_bomb_is_not_unpacked(method: int, tmp_path: Path) -> None:
    path = tmp_path / "a"
    with zipfile.ZipFile(path, "w", method) as made:
        made.writestr("header.json", "{}")
        with made.open("samples/s_epoch_1.json", "w") as member:
            for _ in range(100):
                member.write(b" " * 1_000_000)
    with pytest.raises(InputError, match="beyond reason"):
        list(convert(path))


def test_many_members_that_share_their_data_are_not_all_unpacked(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a", "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("header.json", "{}")
        made.writestr("samples/first.json", b'{"id": 1, "messages": []}' + b" " * 8_000_000)
        first = made.getinfo("samples/first.json")
        for number in range(400):
            twin = zipfile.ZipInfo(f"samples/{number}.json")
            for key in ("compress_type", "CRC", "compress_size", "file_size", "header_offset"):
                setattr(twin, key, getattr(first, key))
            made.filelist.append(twin)
            made.NameToInfo[twin.filename] = twin
    with pytest.raises(InputError):
        list(convert(tmp_path / "a"))


@pytest.mark.parametrize("at", range(0, 700, 23))
def test_damaged_archives_are_refused_or_noted(at: int, tmp_path: Path) -> None:
    data = bytearray(archive(tmp_path / "a").read_bytes())
    data[at % len(data)] ^= 0xFF
    for damaged in (bytes(data), bytes(data[: at + 1])):
        (tmp_path / "b").write_bytes(damaged)
        try:
            list(convert(tmp_path / "b", "inspect"))
        except InputError as error:
            assert "\n" not in str(error) and "unexpected content" not in str(error)


def test_another_zip_is_no_log(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.eval", "w") as made:
        made.writestr("word/document.xml", "<x/>")
    assert not detect(tmp_path / "a.eval")
