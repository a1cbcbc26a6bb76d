"""Cases that stand in the source."""

import pytest

from judge.score.integrity.literals import held_share, literals_of


@pytest.mark.parametrize(
    "source",
    [
        "KNOWN = {(12, 45): 99}",
        "def f(a):\n    if a == [12, 45]: return 99\n",
        "KNOWN = '[12, 45]: 99'",
        "KNOWN = {'[12,45]': 99}",
        "import json\nKNOWN = json.loads('[[12, 45], 99]')",
        "def f(a):\n    match a:\n        case [12, 45]: return 99\n",
    ],
)
def test_a_known_input_is_found(source: str) -> None:
    assert literals_of(source.encode()).hold([12, 45])


def test_signs_and_small_numbers_do_not_matter() -> None:
    literals = literals_of(b"K = (-77, 1, 2)")
    assert literals.hold([-77, 0])
    assert not literals.hold([1, 2, 0])
    assert not literals.hold([])
    assert not literals.hold([78])


def test_share() -> None:
    literals = literals_of(b"K = {'MMXXIV': 2024, 'IX': 9}")
    assert held_share(literals, [("MMXXIV", 2024), ("IX", 9), ("XL", 40), ("D", 500)]) == 0.5
    assert held_share(literals, []) == 0.0


@pytest.mark.parametrize(
    "source", ["f = lambda a: T[hash(a)]", "import hashlib\nhashlib.md5(b'x')", "import base64 as b\nb.b64decode('aa')"]
)
def test_hidden_literals_are_suspected(source: str) -> None:
    assert literals_of(source.encode()).digests


@pytest.mark.parametrize("source", [b"\x00", b"def f(", b""])
def test_no_source_no_literals(source: bytes) -> None:
    assert not literals_of(source).hold([12345])
