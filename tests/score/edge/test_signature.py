"""Signatures and hints are read from text; nothing in them runs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.errors import InputError
from judge.score.edge import Kind, parse_signature
from judge.score.edge.hints import obstacle
from judge.score.edge.typehint import TypeHint


def hint_of(text: str) -> TypeHint:
    return parse_signature(f"(x: {text})").parameters[0].hint


def shape(hint: TypeHint) -> object:
    inner = [shape(item) for item in hint.arguments]
    return (hint.kind, inner) if inner else hint.kind


@pytest.mark.parametrize(
    "text",
    [
        "(nums: list[int], target: int = 0) -> int",
        "def two_sum(nums: list[int], target: int = 0) -> int:",
        "async def two_sum(nums: list[int], target: int = 0) -> int: ...",
        "two_sum(\n    nums: list[int],\n    target: int = 0,\n) -> int",
    ],
)
def test_all_usual_spellings_are_read_alike(text: str) -> None:
    found = parse_signature(text)
    assert [(item.name, item.optional, item.default) for item in found.parameters] == [
        ("nums", False, None),
        ("target", True, 0),
    ]
    assert found.returns.kind == "int"


def test_each_kind_of_parameter() -> None:
    found = parse_signature("(a, /, b, *rest: int, c: str, d: float = -1.5, **more: bool)")
    assert [(item.name, item.kind) for item in found.parameters] == [
        ("a", Kind.POSITIONAL_ONLY),
        ("b", Kind.POSITIONAL),
        ("rest", Kind.REST),
        ("c", Kind.KEYWORD_ONLY),
        ("d", Kind.KEYWORD_ONLY),
        ("more", Kind.NAMED_REST),
    ]
    assert found.parameters[4].default == -1.5


def test_defaults_without_a_spelling_still_count_as_defaults() -> None:
    found = parse_signature("(a: int = <object object at 0x7f00>, b: 'list[str]' = <class 'int'>) -> None")
    assert [(item.optional, item.default) for item in found.parameters] == [(True, None), (True, None)]
    assert shape(found.parameters[1].hint) == ("list", ["str"])


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("int | None", ("union", ["int", "none"])),
        ("typing.Optional[typing.List[int]]", ("union", [("list", ["int"]), "none"])),
        ("Union[int, str, int]", ("union", ["int", "str"])),
        ("Union[int, Union[str, None]]", ("union", ["int", "str", "none"])),
        ("Union[int]", "int"),
        ("collections.abc.Sequence[str]", ("list", ["str"])),
        ("Iterable[tuple[int, ...]]", ("list", [("variadic", ["int"])])),
        ("tuple[int, str]", ("tuple", ["int", "str"])),
        ("tuple[()]", "tuple"),
        ("Mapping[str, set[int]]", ("dict", ["str", ("set", ["int"])])),
        ("'dict[str, \"list[int]\"]'", ("dict", ["str", ("list", ["int"])])),
        ("Annotated[int, 'positive']", "int"),
        ("t.FrozenSet[bytes]", ("frozenset", ["bytes"])),
        ("None", "none"),
    ],
)
def test_hints(text: str, wanted: object) -> None:
    assert shape(hint_of(text)) == wanted
    assert obstacle(hint_of(text)) == ""


def test_literals_keep_their_values_and_types() -> None:
    assert hint_of("Literal['a', 1, True, None, b'x', -3]").values == ("a", 1, True, None, b"x", -3)


@pytest.mark.parametrize(
    "text",
    [
        "Callable[[int], int]",
        "T",
        "~T",
        "Movie",
        "np.ndarray",
        "my.list[int]",
        "Any",
        "list",
        "dict[str]",
        "list[Movie]",
        "set[list[int]]",
        "dict[dict[str, int], int]",
        "Literal[x]",
        "Iterator[int]",
        "list[int](3)",
        "'not a ( hint'",
    ],
)
def test_what_cannot_be_made_says_why(text: str) -> None:
    assert obstacle(hint_of(text))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nums",
        "(a: int",
        "(a, a)",
        "(a=1, b)",
        "(a): pass\nimport os\ndef f(",
        "(a: int) -> int: return 1",
        "(a) -> int: x = 1; y = 2",
        "(" * 500,
        "(a: " + "list[" * 90 + "int" + "]" * 90 + ")",
        "(a: int)\x00",
        "x" * 30_000,
        "(a: " + " | ".join(["int"] * 4000) + ")",
    ],
)
def test_what_is_no_signature_is_one_clear_line(text: str) -> None:
    try:
        found = parse_signature(text)
    except InputError as error:
        assert "\n" not in str(error)
        assert "signature" in str(error)
        assert len(str(error)) < 400
    else:
        assert [item.hint.kind for item in found.parameters] == ["int"]


def test_nothing_in_a_signature_runs(tmp_path: object) -> None:
    ran: list[int] = []
    parse_signature(f"(a: __import__('os').abort() = [].append(1), b: {id(ran)} = print('x'))")
    assert ran == []


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    for form in (text, f"({text})", f"(a: {text}) -> int"):
        try:
            parse_signature(form)
        except InputError as error:
            assert str(error)
