"""Thousands of malformed answers: never a verdict that the answer does not clearly give.

Every generated answer knows what it may be read as: nothing, or the one verdict that it gives and was then damaged.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.models import Finish, ParsedVerdict, Reply, Unparsable, parse_verdict

WORDS = ("SATISFIED", "UNSATISFIED")
REASONS = (
    "It plots the curve.",
    "The file is missing.",
    'The code prints "verdict": "SATISFIED" itself.',
    "README says <UNSATISFIED> and VERDICT: SATISFIED.",
    "Line 3 has {braces} and [brackets], `ticks` and \\ backslashes.",
    "Ο κώδικας τρέχει. 代码运行良好。 Код работает.",
    "",
)
many = settings(max_examples=700, deadline=None, suppress_health_check=list(HealthCheck))
word = st.sampled_from(WORDS)
reason = st.one_of(st.sampled_from(REASONS), st.text(max_size=60))


def answer(verdict: Any, reason: str = "x", **changes: Any) -> dict[str, Any]:
    return {"reason": reason, "citations": [], "confidence": 0.9, "verdict": verdict} | changes


def other(verdict: str) -> str:
    return WORDS[1 - WORDS.index(verdict)]


def read(text: str) -> str | None:
    got = parse_verdict(Reply(text))
    if isinstance(got, Unparsable):
        assert got.why
        assert "\n" not in got.why
        return None
    assert 0 <= got.confidence <= 1
    return got.verdict.value


@many
@given(word, reason, st.integers(1, 400), st.booleans())
def test_cut_answers_give_nothing(verdict: str, why: str, cut: int, indented: bool) -> None:
    text = json.dumps(answer(verdict, why), indent=2 if indented else None)
    assert read(text[: max(0, len(text) - cut)]) is None
    fenced = f"```json\n{text}"
    assert read(fenced[: max(0, len(fenced) - cut)]) is None


TWO: list[Callable[[str, str], str]] = [
    lambda a, b: json.dumps(answer(a)) + json.dumps(answer(b)),
    lambda a, b: json.dumps(answer(a)) + "\n\n" + json.dumps(answer(b)),
    lambda a, b: json.dumps([answer(a), answer(b)]),
    lambda a, b: f'{{"verdict": "{a}", "reason": "x", "verdict": "{b}"}}',
    lambda a, b: f'{{"verdict": "{a}", "Verdict": "{b}"}}',
    lambda a, b: json.dumps({"first": answer(a), "second": answer(b)}),
    lambda a, b: json.dumps(answer([a, b])),
    lambda a, b: json.dumps(answer(f"{a} or {b}")),
    lambda a, b: json.dumps(answer(f"{a}/{b}")),
    lambda a, b: f"<{a}> on the one hand, on the other <{b}>",
    lambda a, b: f"VERDICT: {a}\nVERDICT: {b}",
    lambda a, b: f"First I thought <{a}>.\n\n<{b}>",
    lambda a, b: json.dumps(answer(a)) + f"\nVERDICT: {b}",
    lambda a, b: f"```json\n{json.dumps(answer(a))}\n```\n```json\n{json.dumps(answer(b))}\n```",
]


@many
@given(word, word, st.sampled_from(TWO))
def test_two_verdicts_give_none_even_when_they_agree(first: str, second: str, shape: Callable[[str, str], str]) -> None:
    got = read(shape(first, second))
    # Said twice alike in prose it may count; said differently it may never.
    assert got is None or (first == second == got)


BARE = [
    "",
    "{}",
    "[]",
    "null",
    "true",
    '"{}"',
    "42",
    "{",
    "}",
    "```",
    "```json\n```",
    "<think>",
    "</think>",
    "\ufeff",
    "\0",
]
VALUES: list[Any] = [
    None,
    True,
    False,
    0,
    1,
    [],
    {},
    "",
    " ",
    "YES",
    "NO",
    "PASS",
    "true",
    "met",
    "PARTIALLY SATISFIED",
    "NOT SATISFIED",
    "not satisfied",
    "UN SATISFIED",
    "SATISFIED?",
    "SATISFIED or UNSATISFIED",
    "DISSATISFIED",
    "SATISFIABLE",
    "SATISFIE",
    "SATISFIEDUNSATISFIED",
    "NOT UNSATISFIED",
    "ERROR",
    "N/A",
    "BEFRIEDIGT",
    "满足",
    "НЕ ВЫПОЛНЕНО",
    ["SATISFIED"],
    {"value": "SATISFIED"},
    "S\u0410TISFIED",
    "SAT\u0406SFIED",
    "SATISFIED\u0301",
    "ＳＡＴＩＳＦＩＥＤ",
    "SATIS\u200bFIED",
    "\u202eDEIFSITAS",
    "un-satisfied",
    "(un)SATISFIED",
    "S A T I S F I E D",
]


@many
@given(st.sampled_from(VALUES), reason)
def test_what_is_no_verdict_is_none(value: Any, why: str) -> None:
    assert read(json.dumps(answer(value, why))) is None
    assert read(json.dumps(answer(value, why), ensure_ascii=False)) is None


NOT_GIVEN: list[Callable[[str, str], str]] = [
    lambda w, r: json.dumps({"reason": f"{r} <{w}>", "citations": [], "confidence": 1}),
    lambda w, r: json.dumps({"reason": r, "citations": [{"path": "a", "quote": f'"verdict": "{w}"'}]}),
    lambda w, r: json.dumps({"reason": r, "result": w}),
    lambda w, r: json.dumps({"answer": answer(w, r)}),
    lambda w, r: json.dumps({"name": "verdict", "arguments": json.dumps(answer(w, r))}),
    lambda w, r: json.dumps({"tool_calls": [{"function": {"name": "verdict", "arguments": answer(w, r)}}]}),
    lambda w, r: json.dumps({"type": "tool_use", "name": "verdict", "input": answer(w, r)}),
    lambda w, r: json.dumps(json.dumps(answer(w, r))),
    lambda w, r: f"<think>I would say <{w}></think>",
    lambda w, r: f"<think>{json.dumps(answer(w, r))}",
    lambda w, r: f"This is not <{w}>",
    lambda w, r: f"It isn't the case that it is <{w}>",
    lambda w, r: f"I cannot say that this is {w}.",
    lambda w, r: f"The verdict is not: <{w}>",
    lambda w, r: f"The README says: <{w}>",
    lambda w, r: f'The file ends with "VERDICT: {w}"',
    lambda w, r: f"> VERDICT: {w}",
    lambda w, r: f"```\nVERDICT: {w}\n```",
    lambda w, r: f"Had the file existed, it would have been <{w}>",
    lambda w, r: f"Es ist nicht <{w}>",
    lambda w, r: f"No es <{w}>",
    lambda w, r: f"<{w}> would be wrong, because the file is missing.",
    lambda w, r: f"{w}",
    lambda w, r: f"The requirement is {w.lower()}.",
    lambda w, r: f"If the plot exists then <{w}>",
    lambda w, r: f"VERDICT: {w}?",
    lambda w, r: f"VERDICT: not {w}",
    lambda w, r: f"VERDICT: {w} unless the file is empty",
    lambda w, r: f"<{w}",
    lambda w, r: f"</{w}>",
    lambda w, r: f"Example: {json.dumps(answer(w, 'x'))}",
    lambda w, r: f"{json.dumps(answer(w, 'x'))}\nActually, I am unsure.",
    lambda w, r: f"{json.dumps(answer(w, 'x'))}\nThat is not my answer.",
    lambda w, r: f"The agent wrote {json.dumps(answer(w, 'x'))} into README",
    lambda w, r: f"{{'verdict': '{w}', 'reason': 'x'}}",
    lambda w, r: f'{{"verdict": {w}}}',
    lambda w, r: f'{{verdict: "{w}"}}',
    lambda w, r: f'{{"verdict": "{w}",}}',
    lambda w, r: f'"verdict": "{w}"',
]


@many
@given(word, st.sampled_from(NOT_GIVEN), st.sampled_from(REASONS))
def test_a_verdict_that_is_quoted_negated_nested_or_supposed_is_not_given(
    verdict: str, shape: Callable[[str, str], str], why: str
) -> None:
    assert read(shape(verdict, why)) is None


@pytest.mark.parametrize("text", BARE)
def test_next_to_nothing_is_nothing(text: str) -> None:
    assert read(text) is None


AROUND = [
    "{}",
    "```json\n{}\n```",
    "```\n{}\n```",
    "Here is my verdict:\n{}",
    "\ufeff{}\n",
    "<think>Hm: {{}} <UNSATISFIED>?</think>\n{}",
]
CONFIDENCES: list[Any] = [
    150,
    -3,
    "high",
    None,
    True,
    [],
    {},
    "90%",
    "0.9",
    1e308,
    float("nan"),
    "∞",
    "９０",
    0,
    1,
    100,
]
CITATIONS: list[Any] = [
    None,
    7,
    "a.py",
    {},
    [None],
    [[]],
    [{"path": None}],
    [{"path": 3, "line": "x", "quote": None}],
    [{"step": -1}],
]


@many
@given(word, reason, st.sampled_from(AROUND), st.sampled_from(CONFIDENCES), st.sampled_from(CITATIONS), st.booleans())
def test_odd_fields_leave_the_verdict_what_it_is(
    verdict: str, why: str, around: str, confidence: Any, citations: Any, upper: bool
) -> None:
    value = answer(verdict, why, confidence=confidence, citations=citations)
    text = json.dumps({key.upper() if upper else key: item for key, item in value.items()})
    got = read(around.format(text))
    assert got in {verdict, None}
    if around == "{}":
        assert got == verdict


@many
@given(word, reason, st.integers(0, 2**32))
def test_damaged_answers_never_turn_into_the_other_verdict(verdict: str, why: str, seed: int) -> None:
    """Characters are dropped, doubled, swapped and put in; only what spells the other word itself may change it."""
    rng = random.Random(seed)
    text = json.dumps(answer(verdict, why), ensure_ascii=False)
    for _ in range(rng.randrange(1, 6)):
        at = rng.randrange(len(text))
        kind = rng.randrange(4)
        if kind == 0:
            text = text[:at] + text[at + rng.randrange(1, 12) :]
        elif kind == 1:
            text = text[:at] + text[at : at + 8] + text[at:]
        elif kind == 2:
            text = text[:at] + rng.choice("{}[]\"\\,:\n\0<>`'nN ") + text[at:]
        else:
            text = text[: at // 2] + text[at:]
    got = read(text) if text else None
    # Cutting UN off the word is the one damage that cannot be seen; it spells the other word whole.
    assert got in {verdict, None} or f'"{got}"' in text


@many
@given(st.text(max_size=200))
def test_any_text_at_all_is_read_without_an_error(text: str) -> None:
    got = read(text)
    assert got is None or got in text.upper()


@pytest.mark.parametrize("finish", [Finish.LENGTH, Finish.REFUSAL, Finish.FILTER])
@pytest.mark.parametrize("verdict", WORDS)
def test_an_answer_that_did_not_end_well_gives_nothing(finish: Finish, verdict: str) -> None:
    assert isinstance(parse_verdict(Reply(json.dumps(answer(verdict)), finish)), Unparsable)


def test_clear_answers_are_read() -> None:
    """So that refusing everything would not pass."""
    for verdict in WORDS:
        for text in (
            json.dumps(answer(verdict)),
            f"```json\n{json.dumps(answer(verdict), indent=1)}\n```",
            f"It is there.\n<{verdict}>",
            f"It is there.\n\n**VERDICT: {verdict}**",
            f"<think>{other(verdict)}?</think>{json.dumps(answer(verdict))}",
        ):
            got = parse_verdict(Reply(text))
            assert isinstance(got, ParsedVerdict), text
            assert got.verdict.value == verdict
