"""Encodings, line breaks and escapes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.text import (
    decode,
    escape_name,
    json_printable,
    looks_like_text,
    one_line,
    printable,
    split_lines,
    unescape_name,
    valid_unicode,
)

GERMAN = "Größe der Straße, café, naïve façade; El niño comió piñas.\n"


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "latin-1", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"],
)
def test_common_encodings_are_told_apart(encoding: str) -> None:
    found = decode(GERMAN.encode(encoding))
    assert (found.text, found.lossy, found.binary) == (GERMAN, False, False)


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("gb18030", "数据集已经加载，模型训练完成。\n结果保存在文件中。\n"),
        ("shift_jis", "データを読み込みました。モデルの学習が完了しました。\n"),
        ("cp1251", "Данные загружены, модель обучена.\n"),
        ("cp1252", "“quoted” – 5 €, naïve\n"),
    ],
)
def test_legacy_encodings_are_guessed(encoding: str, text: str) -> None:
    assert decode(text.encode(encoding)).text == text


def test_a_coding_cookie_counts_unless_it_names_no_character_table() -> None:
    text = "# -*- coding: koi8-r -*-\n# привет\n"
    assert decode(text.encode("koi8-r")).text == text
    assert decode(b"# coding: utf-7\n# caf\xe9 +AGE-\n").text == "# coding: utf-7\n# café +AGE-\n"


def test_line_ends_and_nul_and_bom() -> None:
    found = decode(b"\xef\xbb\xbfa\r\nb\rc\n\0d\n")
    assert found.text == "a\nb\nc\n\ufffdd\n"


def test_lines_are_counted_as_editors_do() -> None:
    assert split_lines("a\x0cb\u2028c\nd\n") == ["a\x0cb\u2028c", "d"]
    assert split_lines("") == []
    assert split_lines("\n") == [""]


def test_a_character_cut_at_the_end_is_no_damage_when_the_file_goes_on() -> None:
    cut = "日本語".encode()[:-1]
    assert decode(cut, truncated=True) == decode("日本".encode())
    assert decode(cut).lossy
    assert decode(cut).encoding == "utf-8"


@pytest.mark.parametrize(
    "data", [b"\x89PNG\r\n\x1a\n" + bytes(range(256)), bytes(1000), b"\x80\x04\x95\x00\x01\x02" * 9]
)
def test_binary_is_no_text(data: bytes) -> None:
    assert decode(data).binary
    assert not looks_like_text(data)


@given(st.binary(max_size=300), st.booleans())
def test_decoding_never_fails(data: bytes, truncated: bool) -> None:
    found = decode(data, truncated=truncated)
    found.text.encode("utf-8")
    assert "\r" not in found.text
    assert "\0" not in found.text


@given(st.text())
def test_utf8_survives(text: str) -> None:
    wanted = text.encode("utf-8", "replace").decode()
    found = decode(wanted.encode())
    if not found.binary and found.encoding == "utf-8" and not wanted.startswith("\ufeff"):
        assert found.text == wanted.replace("\0", "\ufffd").replace("\r\n", "\n").replace("\r", "\n")


@given(st.binary(min_size=1, max_size=40))
def test_names_escape_to_one_line_and_back(raw: bytes) -> None:
    shown = escape_name(raw)
    shown.encode("utf-8")
    assert len(shown.splitlines()) == 1
    assert unescape_name(shown) == raw


def test_escapes_of_different_names_differ() -> None:
    names = [b"a\xff", b"a\\xff", b"a\\\\xff", b"a\xc2\x85", b"a\x85", b"a\n", b"a\\n", "a\u202e".encode(), b"a\\u202e"]
    assert len({escape_name(name) for name in names}) == len(names)
    with pytest.raises(ValueError, match="no escaped name"):
        unescape_name("a\\")


def test_messages_are_one_bounded_line() -> None:
    assert one_line("a\nb\u202e") == "a\\x0ab\\u202e"
    assert len(one_line("x" * 1000, 50)) == 50
    assert valid_unicode("a\ud800b") == "a\ufffdb"
    assert valid_unicode("😀") == "😀"


def test_what_steers_a_terminal_is_shown_and_not_sent() -> None:
    hostile = "\x1b[31mred\x1b]0;t\x07 \u202egnp \x9b2J \r over \u2028 \ud800"
    shown = printable(hostile)
    assert not any(ord(char) < 32 or 0x7F <= ord(char) < 0xA0 or char in "\u202e\u2028" for char in shown)
    assert "\\x1b[31mred" in shown and "\\u202egnp" in shown
    assert printable("two\nlines\tand a 👩\u200d🔬 é") == "two\nlines\tand a 👩\u200d🔬 é"


def test_json_for_a_terminal_means_the_same() -> None:
    value = {"a\x9b": "x\u202e\x7f\U000e0041 é"}
    text = json_printable(json.dumps(value, ensure_ascii=False))
    assert json.loads(text) == value and "\x9b" not in text and "\u202e" not in text and "é" in text
