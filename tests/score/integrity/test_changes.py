"""Inputs changed a little."""

import random

from hypothesis import given
from hypothesis import strategies as st

from judge.score.integrity.changes import can_change, change, change_question
from judge.score.questions import AsReference, Question
from judge.score.suite.model import Compare

LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5)
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4) | st.tuples(inner, inner) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
)


def question(**more: object) -> Question:
    return Question("q", "written", "", 1.0, AsReference(), Compare(), **more)  # type: ignore[arg-type]


@given(value=VALUES, seed=st.integers(0, 99))
def test_a_change_keeps_the_type_and_leaves_the_original_alone(value: object, seed: int) -> None:
    before = repr(value)
    if can_change(value):
        changed = change(value, random.Random(seed))
        assert type(changed) is type(value)
    assert repr(value) == before


@given(value=st.lists(st.integers(0, 10**6), min_size=1, max_size=9), seed=st.integers(0, 99))
def test_a_list_of_counts_stays_one_and_differs(value: list[int], seed: int) -> None:
    changed = change(value, random.Random(seed))
    assert all(type(item) is int and item >= 0 for item in changed)
    assert changed != value


@given(value=st.text(alphabet="abcXYZ019", min_size=1, max_size=9), seed=st.integers(0, 99))
def test_letters_stay_letters_and_digits_digits(value: str, seed: int) -> None:
    changed = change(value, random.Random(seed))
    assert changed != value
    kinds = [[(c.isdigit(), c.isupper(), c.islower()) for c in text] for text in (value, changed)]
    assert kinds[0] == kinds[1]


def test_nothing_to_change() -> None:
    assert change_question(question(args=([], None, "")), random.Random(1)) is None
    assert change_question(question(stdin=b"no digits\n"), random.Random(1)) is None
    assert change_question(question(calls=(("pop", (), {}),)), random.Random(1)) is None


def test_calls_and_standard_input_are_changed_too() -> None:
    asked = question(calls=(("put", (1, 10), {}), ("get", (1,), {})))
    changed = change_question(asked, random.Random(1))
    assert changed is not None
    assert changed.calls != asked.calls
    assert [call[0] for call in changed.calls or ()] == ["put", "get"]
    text = change_question(question(stdin=b"3\n10 20 30\n"), random.Random(1))
    assert text is not None
    assert (text.stdin or b"").startswith(b"3\n")
    assert text.stdin != b"3\n10 20 30\n"


def test_a_deep_value_is_left_alone_without_an_error() -> None:
    value: object = 7
    for _ in range(50_000):
        value = [value]
    change_question(question(args=(value,)), random.Random(1))
