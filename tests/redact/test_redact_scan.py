"""The quick way of finding secrets finds what every pattern on every place would, and stays linear."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.redact.checks import passes
from judge.redact.patterns import PRIVATE_KEY, WORD, table
from judge.redact.private_keys import private_keys
from judge.redact.scan import find_secrets

A1 = "a1B2c3D4e5F6"
PARTS = [
    "ghp_" + A1 * 4,
    "sk-" + A1 * 4,
    "AKIA" + "A1B2" * 4,
    "SK" + "0123456789abcdef" * 2,
    "eyJ" + A1 + ".eyJ" + A1 + "." + A1,
    "-----BEGIN RSA PRIVATE KEY-----\n" + A1 * 5,
    "/home/mjones/x",
    "/mnt/c/Users/mjones/x",
    r"C:\Users\mjones\x",
    "mjones@uni.edu",
    "db://b:hunter22@c",
    "API_KEY=" + A1 * 2,
    "api_key: '" + A1 * 2 + "'",
    "--token " + A1 * 2,
    "--password=hunter22",
    "password: hunter22",
    "curl -u a:hunter22 x",
    "echo hunter22 | docker login --password-stdin",
    "Cookie: sessionid=" + A1 * 3,
    "X-Api-Key: " + A1 * 2,
    "?key=" + A1 * 2,
    "wandb login " + "0123456789" * 4,
    "bearer " + A1 * 2,
    "\u0130\u0130",  # Its lower case is longer than itself.
    "key",
    "token",
    "x" * 170,
    "y" * 900,
]
TEXTS = st.lists(st.sampled_from([*PARTS, " ", "\n", "\n\n", "'", '"', "=", ":", "é", ";"]), max_size=16).map("".join)


def _all_places(text: str, *, everything: bool) -> list[tuple[int, int, str]]:
    found = list(private_keys(text))
    for pattern in table().patterns:
        if pattern.kind != PRIVATE_KEY and (everything or pattern.everywhere):
            group = 1 if pattern.regex.groups else 0
            matches = pattern.regex.finditer(text)
            found += [(*m.span(group), pattern.kind) for m in matches if passes(pattern.check, m[group])]
    return sorted(found)


@settings(max_examples=400, deadline=None)
@given(TEXTS, st.booleans())
def test_hints_lose_and_change_nothing(text: str, everything: bool) -> None:
    assert find_secrets(text, everything=everything) == _all_places(text, everything=everything)


@pytest.mark.parametrize("part", PARTS[:23])
def test_every_part_is_found_among_much_else(part: str) -> None:
    text = f"{'x ' * 2000}\n{part}\n{'y ' * 2000}"
    found = find_secrets(text, everything=True)
    assert found == _all_places(text, everything=True)
    assert found


def test_the_table_keeps_its_own_rules() -> None:
    for pattern in table().patterns:
        assert not pattern.word or pattern.word >= WORD
        assert pattern.word or all(hint == hint.lower() for hint in pattern.hints)
        assert pattern.then is None or not pattern.word


@pytest.mark.parametrize(
    "unit",
    [
        "curl ", "curl -u ", "curl -u a:", "mysql ", "mysql -p", "docker login ", "docker login -p ", "echo a | ",
        "echo a|--password-stdin", "--a-", "--a-key ", "--password ", "cookie: ", "cookie:session", "cookie: a_session",
        "ENV ", "ENV A_KEY ", "?a_", "?key=", "&key=a1", "machine a login ", ";password=", "password: ", "\npassword: ",
        "a.password: ", "x-a-token:", "x-", "wandb login ", "wandb login --a ", "_auth=", "A_KEY=", "A_PASS=", "wsl$\\",
        "/mnt/c/Users/", "file:///home/", "aws_key ", "A" * 60 + "_PASSWORD=",
    ],
)  # fmt: skip
def test_linear_time_on_hostile_text(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    started = time.process_time()
    find_secrets(text, everything=True)
    assert time.process_time() - started < 5
