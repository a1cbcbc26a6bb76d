"""What programs print."""

from __future__ import annotations

from typing import Any

import pytest

from judge.score.compare import stdout_equal
from judge.score.suite.model import Compare


@pytest.mark.parametrize(
    ("output", "expected", "rules", "ok"),
    [
        (b"4\n", "4\n", {"stdout": "exact"}, True),
        (b"4", "4\n", {"stdout": "exact"}, False),
        (b"4\r\n", "4\n", {"stdout": "exact"}, False),
        (b"4  \r\n\n\n", "4\n", {}, True),
        (b"\n4\n", "4\n", {}, False),
        (b"a  b\n", "a b\n", {}, False),
        (b"a  b\n", "a b\n", {"stdout": "tokens"}, True),
        (b"a\nb", "a b\n", {"stdout": "tokens"}, True),
        (b"1.0", "1", {"stdout": "tokens"}, False),
        (b"1.0", "1", {"stdout": "floats"}, True),
        (b"0.30000000000000004", "0.3", {"stdout": "floats"}, False),
        (b"0.30000000000000004", "0.3", {"stdout": "floats", "abs_tol": 1e-9}, True),
        (b"nan", "0.3", {"stdout": "floats", "abs_tol": 1e9}, False),
        (b"9007199254740993", "9007199254740992", {"stdout": "floats"}, False),
        (b"1_0", "10", {"stdout": "floats"}, False),
        (b"x 1", "y 1", {"stdout": "floats", "abs_tol": 1e9}, False),
        (b"\xff", "\udcff", {"stdout": "exact"}, True),
        (b"", "", {}, True),
    ],
)
def test_modes(output: bytes, expected: str, rules: dict[str, Any], ok: bool) -> None:
    verdict = stdout_equal(output, expected, Compare(**rules))
    assert verdict.ok is ok
    assert bool(verdict.reason) is not ok


def test_the_place_is_named() -> None:
    assert stdout_equal("a\nb\n", "a\nc\n", Compare()).reason == "line 2: 'b' is not 'c'"
    assert stdout_equal("a\n", "a\nc\n", Compare()).reason == "line 2 is missing: 'c'"
    assert stdout_equal("a b c", "a b", Compare(stdout="tokens")).reason == "word 3 is too much: 'c'"


def test_huge_output_gives_a_short_reason() -> None:
    assert len(stdout_equal("x" * 10**6, "y", Compare()).reason) < 300
