"""Domains are read by a list of what is allowed."""

from __future__ import annotations

import builtins

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.errors import InputError
from judge.score.edge import contains, parse_domain, parse_strategy, values
from judge.score.edge.draws import collect

GOOD = [
    "integers()",
    "integers(-5, 5)",
    "integers(min_value=-2**31, max_value=2**31 - 1)",
    "integers(max_value=-100)",
    "integers(10**6, 10**6 + 3)",
    "floats()",
    "floats(0, 1, exclude_max=True)",
    "floats(min_value=0.0, allow_infinity=False)",
    "floats(-1e308, 1e308, allow_nan=False)",
    "floats(3, 3.5, exclude_min=True, exclude_max=True)",
    "booleans()",
    "none()",
    "just([1, {'a': (2, b'x')}])",
    "sampled_from(['a', 'b', None, 1, 1.0, True])",
    "sampled_from('xyz') | integers(0, 3)",
    "sampled_from(range(0, 50, 7))",
    "one_of(none(), text(max_size=3), one_of(booleans()))",
    "text()",
    "text('ab', min_size=2, max_size=4)",
    "text(alphabet=['x', 'y'])",
    "text(alphabet=characters(codec='ascii', categories=['Lu', 'Nd']), min_size=1)",
    "text(characters(min_codepoint=97, max_codepoint=122), max_size=5)",
    "text(sampled_from('01'), max_size=40)",
    "text(characters(exclude_characters='aeiou', max_codepoint=126), max_size=20)",
    "characters(categories=['Ll'])",
    "from_regex('[a-z]{1,5}(-[0-9]+)?', fullmatch=True)",
    "binary(min_size=1, max_size=3)",
    "lists(integers(0, 9))",
    "lists(integers(0, 9), min_size=3, max_size=3)",
    "lists(integers(0, 9), min_size=10, max_size=10, unique=True)",
    "lists(lists(integers(-5, 5), min_size=2, max_size=2), max_size=6)",
    "lists(floats(allow_nan=False), min_size=60)",
    "lists(text('ab'), unique=True, max_size=5)",
    "sets(integers(0, 20), min_size=5)",
    "frozensets(tuples(booleans(), integers(0, 1)), max_size=4)",
    "dictionaries(text('abc', max_size=2), lists(integers(0, 2)), max_size=4)",
    "dictionaries(integers(0, 9), booleans(), min_size=9)",
    "tuples()",
    "tuples(integers(0, 1), text('z', max_size=1))",
    "fixed_dictionaries({'name': text(max_size=3), 'age': integers(0, 99)}, optional={'x': none()})",
    "permutations([1, 2, 3])",
    "complex_numbers()",
    " | ".join(["integers(0, 3)"] * 60),
]


@pytest.mark.parametrize("text", GOOD)
def test_all_that_is_drawn_lies_within_the_domain(text: str) -> None:
    spec = parse_domain(text)
    drawn = collect(parse_strategy(text), 60, 3)
    assert drawn
    answers = [contains(spec, value) for value in drawn]
    assert False not in answers
    assert ("from_regex" in text) == (None in answers)


@pytest.mark.parametrize("text", GOOD)
def test_boundary_values_lie_within_the_domain_and_are_different(text: str) -> None:
    found = values(parse_domain(text))
    assert found
    assert all(contains(parse_domain(text), item.value) is not False for item in found)
    assert values(parse_domain(text)) == found or "nan" in repr(found)


BAD = [
    ("", "domain"),
    ("integers", "not called"),
    ("st.integers(0, 5)", "dot"),
    ("integer(0, 5)", "did you mean integers?"),
    ("lists(integers(0, 5), max_sise=3)", "did you mean max_size?"),
    ("integers(5, 0)", "no number"),
    ("integers(0, 1.5)", "whole number"),
    ("integers(True, 5)", "whole number"),
    ("integers(0, 1, 2)", "at most 2"),
    ("integers(0, min_value=1)", "given twice"),
    ("integers(*[1, 2])", "cannot stand"),
    ("integers(**{'min_value': 1})", "no parameter"),
    ("integers(0, 10**10**10)", "too large"),
    ("integers(0, 2**99999)", "too large"),
    ("integers(0, 1 << 5)", "only"),
    ("floats(0, 1, allow_nan=True)", "just(nan)"),
    ("floats(0, 1, allow_infinity=True)", "just(inf)"),
    ("floats(width=32)", "width"),
    ("lists()", "needs elements"),
    ("lists(5)", "strategy"),
    ("lists(integers(), min_size=5, max_size=2)", "no size"),
    ("lists(integers(0, 2), min_size=5, unique=True)", "only 3"),
    ("lists(lists(integers()), unique=True)", "unique"),
    ("lists(lists(integers(), min_size=50000), min_size=50000)", "parts"),
    ("lists(integers(), min_size=10**9)", "min_size"),
    ("sets(lists(integers()))", "in a set"),
    ("dictionaries(lists(integers()), none())", "keys"),
    ("sampled_from([])", "nothing"),
    ("sampled_from({1, 2})", "order"),
    ("sampled_from(range(10**9))", "more than"),
    ("text(alphabet=5)", "alphabet"),
    ("text('', min_size=1)", "alphabet"),
    ("text(characters(categories=['Xx']))", "category"),
    ("text(characters(categories=['Cs']))", "urrogates"),
    ("from_regex('(')", "pattern"),
    ("from_regex('(a+)+$')", "repetition"),
    ("from_regex('a{100000}')", "repeats"),
    ("decimals()", "carried"),
    ("builds(int)", "generator"),
    ("integers(0, 5).map(str)", "dot"),
    ("lists(integers()).filter(lambda x: x)", "dot"),
    ("(lambda: integers())()", "only strategies"),
    ("__import__('os').system('true')", "dot"),
    ("eval('1')", "no known strategy"),
    ("[integers() for _ in range(3)]", "strategy"),
    ("integers() if True else none()", "strategy"),
    ("integers() & none()", "strategy"),
    ("(x := integers())", "strategy"),
    ("one_of()", "at least one"),
    ("none() |", "domain"),
    ("lists(" * 60 + "none()" + ")" * 60, "deep"),
    ("(" * 3000 + ")" * 3000, "domain"),
    ("none() | " * 1500 + "none()", "parts"),
    ("(none() | [" * 30 + "none()" + "])" * 30, "strategy"),
    ("f'{1}'", "strategy"),
    ("just(f'{1}')", "constants"),
    ("just(...)", "constants"),
    ("just('a' * 10**9)", "too long"),
    ("integers(0, 5)\nimport os", "domain"),
    ("fixed_dictionaries([1])", "dictionary"),
]


@pytest.mark.parametrize(("text", "said"), BAD, ids=lambda text: text[:40])
def test_what_is_wrong_is_said_on_one_line(text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_domain(text)
    message = str(caught.value)
    assert said in message
    assert "\n" not in message
    assert len(message) < 500


def test_the_column_is_that_of_the_fault() -> None:
    with pytest.raises(InputError, match="at column 7"):
        parse_domain("lists(integrs(0, 5))")


def test_hostile_text_never_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    for name in ("eval", "exec", "compile"):
        original = getattr(builtins, name)

        def watched(*args: object, name: str = name, original: object = original, **kwargs: object) -> object:
            flags = args[3] if len(args) > 3 else kwargs.get("flags", 0)
            if name != "compile" or not flags & 0x400:  # only a syntax tree is asked for
                ran.append(name)
            return original(*args, **kwargs)  # type: ignore[operator]

        monkeypatch.setattr(builtins, name, watched)
    for text, _ in BAD:
        with pytest.raises(InputError):
            parse_domain(text)
    assert ran == []


@given(st.text(alphabet="integrslsfoatx(),|=[]{}'\"0123456789.-*_ \\", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        parse_domain(text)
    except InputError as error:
        assert str(error)


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("integers(0, 5)", [0, 5], [-1, 6, True, 1.0, "1", None]),
        ("floats(0, 1)", [0.0, 1.0], [1, -0.5, float("nan"), float("inf")]),
        ("floats(0.0, 1, exclude_min=True)", [0.5], [0.0, -0.0]),
        ("sampled_from([1, 'a'])", [1, "a"], [1.0, True, "b", []]),
        ("text('ab', max_size=2)", ["", "ab"], ["abc", "c", b"a"]),
        ("lists(integers(0, 5), min_size=1)", [[0]], [[], [6], (1,), [[1]]]),
        ("lists(integers(), unique=True)", [[1, 2]], [[1, 1]]),
        ("sets(integers(0, 5))", [set(), {1}], [frozenset(), [1], {9}]),
        ("tuples(integers(0, 1), none())", [(1, None)], [(1,), [1, None], (2, None)]),
        ("fixed_dictionaries({'a': none()}, optional={'b': none()})", [{"a": None}], [{}, {"a": None, "c": None}]),
        ("permutations([1, 2, 2])", [[2, 1, 2]], [[1, 2], [1, 1, 2], (1, 2, 2)]),
        ("integers(0, 1) | none()", [0, None], [2, "0"]),
        ("text(characters(categories=['Lu']))", ["AÉ"], ["a", "A1"]),
    ],
)
def test_membership(text: str, inside: list[object], outside: list[object]) -> None:
    spec = parse_domain(text)
    assert [contains(spec, value) for value in inside] == [True] * len(inside)
    assert [contains(spec, value) for value in outside] == [False] * len(outside)
