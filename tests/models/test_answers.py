"""A verdict is read only where the answer clearly gives it."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.models import Finish, ParsedVerdict, Reply, Unparsable, parse_verdict

GOOD = {"reason": "It is there.", "citations": [], "confidence": 0.9, "verdict": "SATISFIED"}


def answer(**changes: object) -> str:
    return json.dumps(GOOD | changes)


CLEAR = {
    answer(): "SATISFIED",
    answer(verdict="UNSATISFIED"): "UNSATISFIED",
    answer(verdict=" satisfied "): "SATISFIED",
    answer(verdict="<UNSATISFIED>"): "UNSATISFIED",
    '{"verdict": "SATISFIED"}': "SATISFIED",
    '\ufeff\n{"Verdict": "Unsatisfied", "Reason": "x"}\n': "UNSATISFIED",
    "```json\n" + answer() + "\n```": "SATISFIED",
    "Here is my verdict:\n\n```json\n"
    + json.dumps(GOOD, indent=2)
    + "\n```\nLet me know whether you need more.": "SATISFIED",
    "The script does not plot anything. The file is empty.\n\n" + answer(verdict="UNSATISFIED"): "UNSATISFIED",
    "[" + answer() + "]": "SATISFIED",
    '<think>Maybe <UNSATISFIED>? {"verdict": "UNSATISFIED"}</think>\n' + answer(): "SATISFIED",
    "Is it UNSATISFIED? Not sure.</think>" + answer(): "SATISFIED",
    answer(reason='The README says {"verdict": "UNSATISFIED"} and <UNSATISFIED>'): "SATISFIED",
    answer(citations=[{"path": "a", "quote": "VERDICT: UNSATISFIED"}]): "SATISFIED",
    '{"reason": "two\nlines", "verdict": "UNSATISFIED"}': "UNSATISFIED",
    "The plot is saved.\n<SATISFIED>": "SATISFIED",
    "The plot is not saved. <UNSATISFIED>": "UNSATISFIED",
    "<SATISFIED>": "SATISFIED",
    "It is missing.\n\n**<UNSATISFIED>**\n": "UNSATISFIED",
    "It is there.\n\nVERDICT: SATISFIED": "SATISFIED",
    "It is there.\n\n**Final verdict:** UNSATISFIED.": "UNSATISFIED",
    "Nothing.\nVerdict: <UNSATISFIED>": "UNSATISFIED",
    "Therefore, my final verdict is: <SATISFIED>": "SATISFIED",
    "It is there.\n\nFinal answer:\n`<SATISFIED>`": "SATISFIED",
    "It is there.\r\n<SATISFIED>\r\n": "SATISFIED",
}

UNCLEAR = [
    "",
    " \n\t",
    "\ufeff",
    "The requirement is satisfied.",
    "SATISFIED",
    "Yes.",
    "<SATISFIED> <UNSATISFIED>",
    "<SATISFIED>\n<SATISFIED>",
    "It is unclear: <SATISFIED> or <UNSATISFIED>?",
    "This is not <SATISFIED>",
    "This isn't <SATISFIED>.",
    "I cannot say <SATISFIED>",
    "Far from <SATISFIED>",
    "The verdict is not <SATISFIED>",
    'The README says "<SATISFIED>"',
    "The README says: <SATISFIED>",
    "The README of the project asks for:\n<SATISFIED>",
    "> <SATISFIED>",
    "The file holds\n```\n<SATISFIED>",
    "The file holds\n```\n<SATISFIED>\n```",
    "<SATISFIED> would be wrong here.",
    "<SATISFIED>, if the file were there",
    "</SATISFIED>",
    "<NOT SATISFIED>",
    "<SATISFIED or UNSATISFIED>",
    "UNSATISFIED\n<SATISFIED>",
    "VERDICT: SATISFIED\nVERDICT: UNSATISFIED",
    "VERDICT: SATISFIED\n\nBut that is only what the README says.",
    "VERDICT: NOT SATISFIED",
    "VERDICT: SATISFIED or UNSATISFIED",
    "VERDICT: SATISFIED?",
    "VERDICT: unclear",
    "The agent wrote this line:\nVERDICT: SATISFIED",
    "<SATISFIED>\nVERDICT: UNSATISFIED",
    "<SАTISFIED>",  # a Cyrillic letter
    answer(verdict="MAYBE"),
    answer(verdict=True),
    answer(verdict=1),
    answer(verdict=None),
    answer(verdict=["SATISFIED"]),
    answer(verdict={"value": "SATISFIED"}),
    answer(verdict="SATISFIED or UNSATISFIED"),
    answer(verdict="NOT SATISFIED"),
    answer(verdict=""),
    "{}",
    "null",
    '"SATISFIED"',
    '{"reason": "x"}',
    answer()[:-1],
    answer()[:-12],
    answer() + answer(),
    answer() + "\n" + answer(verdict="UNSATISFIED"),
    "[" + answer() + "," + answer(verdict="UNSATISFIED") + "]",
    '{"verdict": "SATISFIED", "verdict": "UNSATISFIED"}',
    '{"verdict": "SATISFIED", "Verdict": "SATISFIED"}',
    '{"answer": {"verdict": "SATISFIED"}}',
    '{"verdict": "SATISFIED", "previous": {"verdict": "UNSATISFIED"}}',
    '{"reason": "the file says {"verdict": "SATISFIED"} but',
    '{"reason": "the file says "{"verdict": "SATISFIED"}", "verdict": "UNSATISFIED"}',
    "{'verdict': 'SATISFIED'}",
    '{"verdict": SATISFIED}',
    json.dumps(answer()),
    "This would be wrong: " + answer(),
    "I cannot answer with " + answer(),
    "The README contains the line " + answer(),
    "For example:\n```json\n" + answer() + "\n```\n",
    answer() + "\nActually, no: the file is empty.",
    answer() + "\n<UNSATISFIED>",
    "UNSATISFIED\n" + answer(),
    "<think>" + answer(),
    "<think>It is met. <SATISFIED>",
    "<think>It is met. <SATISFIED></think>",
    "[" * 100_000 + answer(),
    '{"a":' * 50_000 + answer(),
]


@pytest.mark.parametrize("text", CLEAR)
def test_clear_answers(text: str) -> None:
    parsed = parse_verdict(Reply(text))
    assert isinstance(parsed, ParsedVerdict), parsed
    assert parsed.verdict.value == CLEAR[text]


@pytest.mark.parametrize("text", UNCLEAR, ids=range(len(UNCLEAR)))
def test_unclear_answers(text: str) -> None:
    parsed = parse_verdict(Reply(text))
    assert isinstance(parsed, Unparsable)
    assert parsed.why


@pytest.mark.parametrize("finish", [Finish.LENGTH, Finish.REFUSAL, Finish.FILTER])
def test_cut_and_refused_answers_give_no_verdict(finish: Finish) -> None:
    assert isinstance(parse_verdict(Reply(answer(), finish)), Unparsable)


@pytest.mark.parametrize(
    ("confidence", "expected"),
    [
        (0.7, 0.7),
        (1, 1.0),
        (0, 0.0),
        (95, 0.95),
        ("0.8", 0.8),
        ("95%", 0.95),
        ("high", 0.5),
        (None, 0.5),
        (-1, 0.5),
        (1e9, 0.5),
        (True, 0.5),
        ([], 0.5),
        ({}, 0.5),
        (10**400, 0.5),
    ],
)
def test_odd_confidences_never_cost_a_clear_verdict(confidence: object, expected: float) -> None:
    parsed = parse_verdict(Reply(answer(confidence=confidence)))
    assert isinstance(parsed, ParsedVerdict)
    assert parsed.confidence == expected


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_numbers_that_are_none(number: str) -> None:
    parsed = parse_verdict(Reply('{"confidence": ' + number + ', "verdict": "SATISFIED"}'))
    assert isinstance(parsed, ParsedVerdict)
    assert parsed.confidence == 0.5


@pytest.mark.parametrize("reason", [None, 3, ["x"], {"a": 1}, ""])
def test_odd_reasons(reason: object) -> None:
    parsed = parse_verdict(Reply(answer(reason=reason)))
    assert isinstance(parsed, ParsedVerdict)
    assert parsed.reason == ""


@pytest.mark.parametrize(
    "citations", [None, "src/a.py:3", {"path": "a"}, 7, ["a.py"], [[]], [None], [{}], [{"path": 3}]]
)
def test_odd_citations(citations: object) -> None:
    parsed = parse_verdict(Reply(answer(citations=citations)))
    assert isinstance(parsed, ParsedVerdict)
    assert parsed.citations == ()


def test_citations_are_read_and_bounded() -> None:
    citations = [
        {"path": "src/a.py", "line": 3, "end_line": 5, "step": None, "quote": "x = 1"},
        {"path": "src/b.py", "line": "7", "end_line": 2, "step": 1, "quote": None},
        {"path": None, "line": None, "end_line": None, "step": 0, "quote": "ran"},
        {"path": "c", "line": 0, "end_line": -4},
        {"path": "d", "line": 2.0, "quote": "q" * 9_000},
        {"path": "e", "line": 10**30},
    ]
    parsed = parse_verdict(Reply(answer(citations=citations * 10)))
    assert isinstance(parsed, ParsedVerdict)
    assert len(parsed.citations) == 20
    places = [(item.path, item.line, item.end_line, item.step) for item in parsed.citations[:6]]
    assert places == [
        ("src/a.py", 3, 5, None),
        ("src/b.py", 7, None, None),
        (None, None, None, 0),
        ("c", None, None, None),
        ("d", 2, None, None),
        ("e", None, None, None),
    ]
    assert len(parsed.citations[4].quote) == 2_000


# Pieces that give a verdict only in ways that are not clear: negated, quoted, hedged, doubled or broken.
NOISE = [
    "",
    "The file is there.",
    "It prints 0.9.",
    "I looked at train.py.\n",
    "# Result\n",
    "- one\n- two\n",
    "{a, b}",
    "…",
]
LEADS = [
    "This is not ",
    "It is by no means ",
    "I would not call it ",
    'The README says "',
    "The comment in a.py claims ",
    "Neither ",
]
TAILS = [
    " is what the README says",
    " would be wrong",
    " or not?",
    " if one believes the log",
    "?",
    '"',
    " maybe",
    ", but the file is empty",
]
WORDS = ["SATISFIED", "UNSATISFIED"]


def malformed(rng: random.Random) -> str:
    """An answer that no careful reader would take for a verdict."""
    word = rng.choice(WORDS)
    other = WORDS[1 - WORDS.index(word)]
    noise, lead, tail = rng.choice(NOISE), rng.choice(LEADS), rng.choice(TAILS)
    good = json.dumps(GOOD | {"verdict": word})
    cut = good[: rng.randrange(1, len(good) - 1)]
    kinds = [
        lambda: noise,
        lambda: f"{noise}\n{lead}<{word}>",
        lambda: f"{noise}\n<{word}>{tail}",
        lambda: f"{noise}\n<{word}>\n<{other}>",
        lambda: f"<{word}>\n{noise}\n<{word}>",
        lambda: f"{noise}\nVERDICT: {word}\nVERDICT: {other}",
        lambda: f"{noise}\nVERDICT: {word}{tail}",
        lambda: f"{noise}\n> VERDICT: {word}",
        lambda: f"{noise}\n```\nVERDICT: {word}\n```",
        lambda: cut,
        lambda: f"```json\n{cut}\n```",
        lambda: f"{lead}{good}",
        lambda: f"{good}\n{json.dumps(GOOD | {'verdict': other})}",
        lambda: good.replace(
            f'"{word}"', rng.choice(["true", "1", "null", '"YES"', '["' + word + '"]', f'"{word} / {other}"'])
        ),
        lambda: good.replace("}", f', "verdict": "{other}"}}'),
        lambda: json.dumps({"result": json.loads(good)}),
        lambda: json.dumps({"reason": good}),
        lambda: f"<think>{noise} <{word}>",
        lambda: f"{noise}\nThe log says:\n<{word}>",
        lambda: f"{noise} {word.lower()} {tail}",
    ]
    return rng.choice(kinds)()


def test_a_thousand_malformed_answers_give_no_verdict() -> None:
    rng = random.Random(20)
    for _ in range(2_000):
        text = malformed(rng)
        assert isinstance(parse_verdict(Reply(text)), Unparsable), text


@settings(max_examples=1_000, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["<SATISFIED>", "<UNSATISFIED>", "VERDICT: SATISFIED", "not ", "\n", ". ", '"verdict": "SATISFIED"']
        )
        | st.sampled_from(
            ["{", "}", '"', "```", "```json\n", "</think>", "<think>", ":", ", ", "the ", "SATISFIED", answer()]
        )
        | st.text(max_size=5),
        max_size=8,
    )
)
def test_any_text_is_read_without_a_crash_and_never_against_itself(parts: list[str]) -> None:
    text = "".join(parts)
    parsed = parse_verdict(Reply(text))
    if isinstance(parsed, ParsedVerdict):
        visible = text if text.lstrip()[:1] in {"{", "[", "`"} else text.split("</think>", 1)[-1]
        assert visible.count("<SATISFIED>") + visible.count("<UNSATISFIED>") <= 1 or answer() in visible
        assert parsed.verdict.value.lower() in visible.lower()


@pytest.mark.parametrize(
    "unit", ["<", "{", '{"', "<SATISFIED>", '"verdict":', "```", "verdict:", "\n", "*", ": ", "<think>"]
)
def test_hostile_answers_take_little_time(unit: str) -> None:
    import time

    started = time.process_time()
    parse_verdict(Reply(unit * (200_000 // len(unit))))
    assert time.process_time() - started < 3
