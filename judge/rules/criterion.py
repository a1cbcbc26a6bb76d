"""A criterion taken apart: places, concepts, named terms, and how they are joined."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum

from judge.rules.grouping import Group, Sentences, find_items, group_items, sentence_of
from judge.rules.spans import CODE_NAMES, CODE_SUFFIXES, Span, SpanKind, find_spans
from judge.rules.vocabulary import Vocabulary


class Role(StrEnum):
    """What a path is in a criterion."""

    CODE = "code"
    OUTPUT = "output"
    INPUT = "input"


@dataclass(frozen=True, slots=True)
class Place:
    """A path that the criterion names."""

    span: Span
    role: Role
    sentence: int

    @property
    def path(self) -> str:
        """Workspace-relative path."""
        return self.span.path

    @property
    def folder(self) -> bool:
        """Whether it is a folder."""
        return self.span.kind is SpanKind.FOLDER


@dataclass(frozen=True, slots=True)
class Criterion:
    """A criterion in parts.

    Attributes:
        text: As written.
        masked: The same length with quotes, paths and links blanked.
        sentences: Offsets of the sentences.
        places: Paths, in order.
        groups: What is asked for.
    """

    text: str
    masked: str
    sentences: Sentences
    places: tuple[Place, ...]
    groups: tuple[Group, ...] = ()
    spans: tuple[Span, ...] = field(default=())
    _said: dict[str, bool] = field(default_factory=dict, repr=False, compare=False)

    def of_role(self, role: Role) -> tuple[Place, ...]:
        """Places of one role."""
        return tuple(place for place in self.places if place.role is role)

    def says(self, pattern: str) -> bool:
        """Whether the text outside of paths matches, case ignored."""
        if pattern not in self._said:
            self._said[pattern] = re.search(pattern, self.masked, re.IGNORECASE) is not None
        return self._said[pattern]


_SENTENCE = re.compile(r"(?<=[.;!?])[\"'`)]*\s+(?=[A-Z\"`(])")
_INPUT = re.compile(
    r"\b(?:read|reads|reading|loaded|loads|load|parsed|parses|taken|takes|imported|ingested|fetched|queried|obtained|input|fed|uses?|consumes?|stored)\b"
    r"[^.;]{0,60}?\b(?:from|out of)\b[^.;]{0,40}$",
    re.IGNORECASE,
)
_FROM = re.compile(
    r"(?<!downloaded )(?<!obtained )\bfrom\s+(?:the\s+|a\s+)?(?:file\s+|folder\s+)?[\"'`]*$|"
    r"\bfrom\s+[\"'`]\S+[\"'`]\s+and\s+[\"'`]*$",
    re.IGNORECASE,
)


def parse_criterion(text: str, vocabulary: Vocabulary) -> Criterion:
    """Takes a criterion apart; never fails, whatever the text."""
    text = text.translate({0x201C: '"', 0x201D: '"', 0x2018: "'", 0x2019: "'", 0x00A0: " "})
    spans = find_spans(text)
    masked = _mask(text, spans)
    sentences = _sentences(text, spans)
    places = _places(spans, text, sentences)
    items = find_items(text, masked, spans, vocabulary)
    return Criterion(text, masked, sentences, places, tuple(group_items(items, text, sentences)), tuple(spans))


def _places(spans: list[Span], text: str, sentences: Sentences) -> tuple[Place, ...]:
    """The paths; a bare file name beside a folder (``a.pt`` in ``models/``) is a file in that folder."""
    paths = [span for span in spans if span.kind in (SpanKind.FILE, SpanKind.FOLDER)]
    places: list[Place] = []
    skip: set[int] = set()
    for index, span in enumerate(paths):
        follower = paths[index + 1] if index + 1 < len(paths) else None
        if index in skip:
            continue
        if follower is not None and follower.kind is SpanKind.FOLDER and "/" not in span.path:
            between = text[span.end : follower.start]
            if re.match(r"^[\w\s,\"'`]{0,40}\b(?:in|under|inside|within|to|into)\b[\w\s\"'`]{0,20}$", between):
                span = Span(f"{follower.path}/{span.path}", span.kind, span.start, follower.end)
                skip.add(index + 1)
        places.append(Place(span, _role(span, text), sentence_of(span.start, sentences)))
    return tuple(places)


def _mask(text: str, spans: list[Span]) -> str:
    chars = list(text)
    for span in spans:
        if span.kind is not SpanKind.WORDS:
            chars[span.start : span.end] = " " * (span.end - span.start)
    return "".join(chars)


_ABBREVIATION = re.compile(r"(?:\be\.g|\bi\.e|\betc|\bvs|\bcf)\.\W*$")


def _sentences(text: str, spans: list[Span]) -> Sentences:
    cuts = [0]
    within = bytearray(len(text) + 1)
    for span in spans:
        within[span.start + 1 : span.end] = b"\x01" * (span.end - span.start - 1)
    for match in _SENTENCE.finditer(text):
        inside = within[match.start()]
        abbreviation = _ABBREVIATION.search(text[max(0, match.start() - 12) : match.start()])
        if not inside and not abbreviation:
            cuts.append(match.end())
    return tuple(zip(cuts, [*cuts[1:], len(text)], strict=True))


def _role(span: Span, text: str) -> Role:
    before = text[max(0, span.start - 120) : span.start]
    name = span.path.rsplit("/", 1)[-1]
    if span.kind is SpanKind.FILE and (span.suffix in CODE_SUFFIXES or name in CODE_NAMES):
        return Role.CODE
    if _INPUT.search(before) or _FROM.search(before):
        return Role.INPUT
    if span.kind is SpanKind.FOLDER and re.match(r"(?:src|app|lib|backend|frontend|tests?|scripts?)$", span.path):
        return Role.CODE
    return Role.OUTPUT
