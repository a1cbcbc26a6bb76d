"""Reads a verdict out of an answer, strictly: one that is clearly given, or none.

An answer is JSON with exactly one ``verdict`` key, possibly in a code fence with text around, or text with exactly one
verdict at its very end: a tag ``<SATISFIED>`` or ``<UNSATISFIED>``, or a line ``VERDICT: …``. Whatever leaves a doubt
(two verdicts, a negated or quoted one, a cut or empty answer) is unparsable: a repair costs one call, a wrong verdict
costs trust.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import Any

from judge.models.base import Finish, Reply
from judge.schemas import Citation, VerdictValue

_DEFAULT_CONFIDENCE = 0.5
_MAX_CITATIONS = 20
_MAX_QUOTE = 2_000
_MAX_LINE = 1_000_000_000

_THOUGHT = re.compile(r"\s*<(think|thinking|thought|reasoning)>", re.IGNORECASE)
_THOUGHT_END = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_KEY = re.compile(r"""(?<!\\)["']\s*verdict\s*["']\s*:""", re.IGNORECASE)
_OBJECT = re.compile(r'\{\s*["}]')
_TAG = re.compile(r"<[\s/]*((?:UN|NOT[\s_-]+)?SATISFIED)[\s/]*>", re.IGNORECASE)
_LABELLED = re.compile(r"\bverdict[\s*_`]{0,4}[:=]", re.IGNORECASE)
_LAST_LINE = re.compile(
    r"\A[\s*_#`]{0,8}(?:final[ \t]+)?verdict[\s*_`]{0,4}[:=][\s*_`]{0,4}<?((?:UN)?SATISFIED)>?[\s*_`.!]{0,8}\Z",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?<![A-Za-z])((?:UN|NOT[\s_-]{1,3})?SATISFIED)(?![A-Za-z])")
# The words that may stand between the end of a sentence and the tag that closes the answer.
_LEADING = re.compile(
    r"so|thus|hence|therefore|overall|in|my|the|this|a|final|verdict|answer|judge?ment|conclusion|decision|result|is|are|"
    r"requirement|criterion|criteria|as|and|i|conclude|consequently|accordingly|here|below|follows|json|object|output|"
    r"response|structured|assessment|evaluation|for|of|requested|required"
)
_SENTENCE = re.compile(r"[.!?](?:\s|\Z)|\n")
_MARKUP = " \t*_#`-–—>→=:,;|"
# Around an object, these say that it is an example, a quotation, or what the answer is not.
_DOUBT_BEFORE = re.compile(r"\b(example|for instance|template|quot\w+|injected|readme)\b", re.IGNORECASE)
_DOUBT_AFTER = re.compile(
    r"\b(not|never|cannot|wrong|incorrect|example|instead|ignore|actually|correction|however|but|format|template|"
    r"unable|unsure|unclear|sorry|neither|either|or)\b|n[’']t\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ParsedVerdict:
    """What an answer clearly says.

    Attributes:
        verdict: SATISFIED or UNSATISFIED.
        reason: Why; empty when the answer gives none.
        confidence: 0 to 1; 0.5 when the answer gives no usable one.
        citations: Places it names, not yet looked up.
    """

    verdict: VerdictValue
    reason: str = ""
    confidence: float = _DEFAULT_CONFIDENCE
    citations: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True)
class Unparsable:
    """An answer that gives no clear verdict, and why."""

    why: str


class _Doubt(Exception):
    """Why an answer is unparsable."""


def parse_verdict(reply: Reply) -> ParsedVerdict | Unparsable:
    r"""Reads the verdict out of a reply; never guesses one.

    >>> parse_verdict(Reply("It plots the curve.\n<SATISFIED>")).verdict.value
    'SATISFIED'
    >>> parse_verdict(Reply("This is not <SATISFIED>"))
    Unparsable(why='the verdict is not given on its own at the end')
    """
    if reply.finish is Finish.LENGTH:
        return Unparsable("the answer was cut at the limit of output tokens")
    if reply.finish in {Finish.REFUSAL, Finish.FILTER}:
        return Unparsable(
            "the model refused" if reply.finish is Finish.REFUSAL else "a content filter stopped the answer"
        )
    try:
        text = _without_thoughts(reply.text).strip("\ufeff \t\r\n")
        if not text:
            return Unparsable("the answer is empty")
        return _from_json(text) if _KEY.search(text) else _from_text(text)
    except _Doubt as doubt:
        return Unparsable(str(doubt))


def _without_thoughts(text: str) -> str:
    """Drops a leading block of thoughts, with or without its opening tag."""
    opened = _THOUGHT.match(text)
    end = _THOUGHT_END.search(text)
    if opened:
        if not end:
            raise _Doubt("the answer ends in the middle of its thoughts")
        return text[end.end() :]
    if end and text.lstrip()[:1] not in {"{", "[", "`"}:
        return text[end.end() :]
    return text


def _from_json(text: str) -> ParsedVerdict:
    objects, outside = _objects(text)
    holders = [item for item in objects if item.verdicts]
    total = sum(item.verdicts for item in objects)
    if total != 1 or len(_KEY.findall(text)) != 1:
        raise _Doubt("the answer holds more than one verdict" if total else "the answer is not valid JSON")
    holder = holders[0]
    if len(objects) > 1:
        raise _Doubt("the answer holds more than one JSON object")
    fields = {key.strip().lower(): value for key, value in holder.value.items()}
    if "verdict" not in fields:
        raise _Doubt("the verdict is not at the top of the JSON object")
    verdict = _value(fields["verdict"])
    _check_around(outside, verdict)
    reason = fields.get("reason")
    return ParsedVerdict(
        verdict,
        reason.strip() if isinstance(reason, str) else "",
        _confidence(fields.get("confidence")),
        _citations(fields.get("citations")),
    )


@dataclass(frozen=True, slots=True)
class _Object:
    value: dict[str, Any]
    verdicts: int


def _objects(text: str) -> tuple[list[_Object], tuple[str, str]]:
    """All JSON objects of a text, and the text before the first and after the last one."""
    found: list[_Object] = []
    first, at = len(text), 0
    counter = [0]

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        counter[0] += sum(key.strip().lower() == "verdict" for key, _ in items)
        return dict(items)

    decoder = json.JSONDecoder(object_pairs_hook=pairs, strict=False)
    while start := _OBJECT.search(text, at):
        counter[0] = 0
        try:
            value, end = decoder.raw_decode(text, start.start())
        except (ValueError, RecursionError) as error:
            # An object inside a broken one might be a quotation, so nothing further is looked at.
            raise _Doubt("the answer is not valid JSON") from error
        found.append(_Object(value, counter[0]))
        first, at = min(first, start.start()), end
    return found, (text[:first], text[at:])


def _check_around(outside: tuple[str, str], verdict: VerdictValue) -> None:
    before, after = (re.sub(r"```[A-Za-z0-9]*", "", part).strip(" \t\r\n*_") for part in outside)
    if before.endswith("[") and after.startswith("]"):
        before, after = before[:-1].rstrip(), after[1:].lstrip()
    if before.endswith("[") or after.startswith("]"):
        raise _Doubt("the answer is not valid JSON")
    for part in (before, after):
        if any(_plain(word) != verdict.value for word in _BARE.findall(part) + _TAG.findall(part)):
            raise _Doubt("the text around the JSON object says otherwise")
    if _DOUBT_BEFORE.search(_SENTENCE.split(before.rstrip(" .!?"))[-1]) or _DOUBT_AFTER.search(after):
        raise _Doubt("the text around the JSON object leaves in doubt whether it is the answer")
    _check_lead(_SENTENCE.split(before)[-1])


def _from_text(text: str) -> ParsedVerdict:
    tags = list(_TAG.finditer(text))
    lines = text.splitlines()
    labelled = _LAST_LINE.match(lines[-1])
    if len(tags) + len(_LABELLED.findall(text)) == 0:
        raise _Doubt("the answer gives no verdict")
    if len(tags) > 1 or len(_LABELLED.findall(text)) > 1:
        raise _Doubt("the answer holds more than one verdict")
    if text.count("```") % 2 or lines[-1].startswith((">", "```", "    ", "\t")):
        raise _Doubt("the verdict stands inside a quotation")
    if labelled:
        word, before = labelled[1], "\n".join(lines[:-1])
        _check_lead(_fragment(before) if _announces(before) else "")
    elif tags and not text[tags[0].end() :].strip(" \t\r\n*_`.!"):
        word, before = tags[0][1], text[: tags[0].start()]
        if "/" in tags[0][0]:
            raise _Doubt("the answer gives no verdict")
        _check_lead(_fragment(before))
    else:
        raise _Doubt("the verdict is not given on its own at the end")
    verdict = _value(word)
    if any(_plain(other) != verdict.value for other in _BARE.findall(before)):
        raise _Doubt("the answer names both verdicts")
    return ParsedVerdict(verdict, before.strip().rstrip(_MARKUP).strip())


def _fragment(before: str) -> str:
    """What leads up to the verdict: the rest of its sentence, across a line break where a colon announces it."""
    before = before.rstrip(" \t*_#`")
    if before.endswith("\n") and not _announces(before):
        return ""
    return _SENTENCE.split(before.rstrip())[-1]


def _announces(before: str) -> bool:
    return before.rstrip(" \t\r\n*_#`").endswith(":")


def _check_lead(lead: str) -> None:
    if any(char in lead for char in "\"'“”‘’«»<>"):
        raise _Doubt("the verdict stands inside a quotation")
    if any(not _LEADING.fullmatch(word) for word in re.findall(r"[^\W_]+", lead.lower())):
        raise _Doubt("the verdict is not given on its own at the end")


def _value(value: Any) -> VerdictValue:
    word = value.strip().strip("<>*_` ").upper() if isinstance(value, str) else ""
    if word not in {VerdictValue.SATISFIED.value, VerdictValue.UNSATISFIED.value}:
        raise _Doubt("the verdict is neither SATISFIED nor UNSATISFIED")
    return VerdictValue(word)


def _plain(word: str) -> str:
    return "SATISFIED" if word.upper() == "SATISFIED" else "UNSATISFIED"


def _confidence(value: Any) -> float:
    if isinstance(value, str):
        try:
            value = float(value.strip().removesuffix("%"))
        except ValueError:
            return _DEFAULT_CONFIDENCE
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return _DEFAULT_CONFIDENCE
    try:
        number = float(value)
    except OverflowError:
        return _DEFAULT_CONFIDENCE
    if not math.isfinite(number) or number < 0 or number > 100:
        return _DEFAULT_CONFIDENCE
    # Above 1 it can only be meant as a percentage.
    return number / 100 if number > 1 else number


def _citations(value: Any) -> tuple[Citation, ...]:
    if not isinstance(value, list):
        return ()
    citations = [_citation(item) for item in value if isinstance(item, dict)]
    return tuple(item for item in citations if item is not None)[:_MAX_CITATIONS]


def _citation(item: dict[str, Any]) -> Citation | None:
    path, quote = item.get("path"), item.get("quote")
    path = path.strip() if isinstance(path, str) and path.strip() else None
    quote = quote[:_MAX_QUOTE] if isinstance(quote, str) else ""
    line, end_line = _whole(item.get("line"), 1), _whole(item.get("end_line"), 1)
    step = _whole(item.get("step"), 0)
    if end_line is not None and (line is None or end_line < line):
        end_line = None
    if path is None and step is None:
        return None
    # With a path it is a place in a file; models fill in the step as well.
    return Citation(path=path, line=line, end_line=end_line, step=None if path else step, quote=quote)


def _whole(value: Any, least: int) -> int | None:
    if isinstance(value, str) and re.fullmatch(r"\s*[0-9]{1,9}\s*", value):
        value = int(value)
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= _MAX_LINE:
        return None
    return value
