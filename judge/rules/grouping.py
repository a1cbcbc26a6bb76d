"""What a criterion asks for, and how its parts are joined: alternatives, examples, contrasts, what must be absent."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter

from judge.rules.spans import Span, SpanKind
from judge.rules.vocabulary import Kind, Mention, Vocabulary
from judge.rules.words import squash

Sentences = tuple[tuple[int, int], ...]
"""Start and end offset of each sentence."""

_ABSENT = re.compile(
    r"(?:\bneither\b(?:\s+[a-z-]+){0,2}|\bwithout\b(?:\s+(?!and\b|or\b)[a-z-]+){0,4}|"
    r"\b(?:must|should|may|do|does|can)(?:\s+not|n't)\s+"
    r"(?:use|rely on|depend on|import|call|be)(?:\s+(?:a|an|any|the))?|"
    r"\bno(?:\s+use\s+of)?|\bnot\s+(?:use|using|via|with)|\bfree of|"
    r"\bavoid(?:s|ing)?(?:\s+(?:using|the use of))?)\s*[\"'`]*$",
    re.IGNORECASE,
)
_CONTRAST = re.compile(
    r"(?:\bnot\s+(?:just\s+|only\s+|merely\s+|simply\s+)?(?:a|an|the|by|on)?|"
    r"\b(?:instead of|rather than|in place of|as opposed to)\s+(?:a|an|the|using|just)?)"
    r"\s*(?:(?:standard|plain|simple|regular|vanilla|basic|mere)\s+)?[\"'`]*$",
    re.IGNORECASE,
)
_OPTIONAL = re.compile(
    r"(?:\be\.?g\.?,?(?:\s+[a-z]+){0,3}|\bfor example,?|\bfor instance,?|\bpotentially\b[^.]{0,40}|"
    r"\boptionally\b[^.]{0,30}|\bi\.?e\.?,?)\s*[\"'`(]*$",
    re.IGNORECASE,
)
_STILL_ABSENT = re.compile(
    r"^[\s\"'`(),]*(?:'s\b)?[\s\"'`(),]*(?:or|and|nor|such as|like)?\s*(?:an?\s+)?(?:[\w-]+\s+){0,2}[\"'`(]*$",
    re.IGNORECASE,
)
_OWNER = re.compile(r"^[\"'`]*'s\b", re.IGNORECASE)
_SUCH_AS = re.compile(r"\b(?:such as|like)\s*[\"'`:]*$", re.IGNORECASE)
_OR_GAP = re.compile(
    r"^[\s\"'`,()]*(?:or|and/or)\s+(?:either\s+|in\s+|as\s+|a\s+|an\s+|the\s+|from\s+|with\s+|using\s+|by\s+)*"
    r"(?:[a-z-]+\s+)?[\"'`(]*$",
    re.IGNORECASE,
)
_COMMA_GAP = re.compile(r"^[\s\"'`()]*,[\s\"'`()]*(?:a\s+|an\s+|the\s+)?[\"'`]*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that is asked for: a concept of the vocabulary, or a quoted term that is in no vocabulary.

    Attributes:
        text: As written.
        start: Offset in the criterion.
        end: Offset behind it.
        mention: The concept, if it is one.
        span: The quoted span, if it is a term.
    """

    text: str
    start: int
    end: int
    mention: Mention | None = None
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """Items joined by "or" (one is enough) or a single item.

    Attributes:
        items: The alternatives.
        sentence: Number of the sentence they stand in.
        absent: The criterion asks that none of them is used.
    """

    items: tuple[Item, ...]
    sentence: int
    absent: bool = False

    @property
    def kind(self) -> Kind | None:
        """Kind of the first concept, None for a term."""
        mention = self.items[0].mention
        return mention.concept.kind if mention else None


def sentence_of(offset: int, sentences: Sentences) -> int:
    """Number of the sentence that an offset lies in."""
    return max(bisect_right(sentences, offset, key=itemgetter(0)) - 1, 0)


def find_items(text: str, masked: str, spans: list[Span], vocabulary: Vocabulary) -> list[Item]:
    """Concepts and quoted terms in a criterion, in order."""
    titles = _dataset_titles(text, spans)
    in_title = _marked(len(text), ((title.start, title.end) for title in titles))
    items = [
        Item(mention.phrase, mention.start, mention.end, mention=mention)
        for mention in vocabulary.find(masked)
        if not any(in_title[mention.start : mention.end]) or mention.concept.kind is Kind.DATASET
    ]
    covered = _marked(len(text), ((item.start, item.end) for item in items))
    datasets = sorted(
        item.start for item in items if item.mention is not None and item.mention.concept.kind is Kind.DATASET
    )
    for span in spans:
        if span.kind in (SpanKind.FILE, SpanKind.FOLDER, SpanKind.URL):
            continue
        known = vocabulary.find(span.text)
        if span.kind in (SpanKind.IDENTIFIER, SpanKind.CODE) and known and squash(known[0].phrase) == squash(span.text):
            items.append(Item(span.text, span.start, span.end, mention=known[0]))
        elif span.kind is SpanKind.WORDS and _qualifies_dataset(span, datasets):
            continue  # the "Wisconsin" breast cancer data set: a part of the name
        elif not any(covered[span.start : span.end]):
            items.append(Item(span.text, span.start, span.end, span=span))
    return sorted(items, key=lambda item: item.start)


def _marked(length: int, ranges: Iterable[tuple[int, int]]) -> bytearray:
    """One byte for each character of a text, 1 inside of the ranges."""
    marks = bytearray(length + 1)
    for start, end in ranges:
        marks[start:end] = b"\x01" * (end - start)
    return marks


def _qualifies_dataset(span: Span, datasets: Sequence[int]) -> bool:
    """Whether the name of a data set begins right behind a quoted term."""
    at = bisect_left(datasets, span.end)
    return at < len(datasets) and datasets[at] - span.end <= 2


def _dataset_titles(text: str, spans: list[Span]) -> list[Span]:
    """Quoted names that the next words call a data set; a method's name inside of them is no method."""
    noun = re.compile(r"^\s*(?:[\w-]+\s+){0,3}?(?:data\s?sets?|corpus)\b", re.IGNORECASE)
    return [span for span in spans if span.kind is SpanKind.WORDS and noun.match(text[span.end : span.end + 60])]


def group_items(items: list[Item], text: str, sentences: Sentences) -> list[Group]:
    """Joins items by "or", drops what is only an example or a contrast, and marks what must be absent."""
    return _mark_absent(_chains(items, text, sentences), text, sentences)


def _chains(items: list[Item], text: str, sentences: Sentences) -> list[list[Item]]:
    """Runs of alternatives; a list behind "such as" is one run as well."""
    chains: list[tuple[list[Item], bool]] = []
    after_comma = False
    for item in items:
        before = text[max(0, item.start - 70) : item.start]
        if _CONTRAST.search(before) or _OPTIONAL.search(before):
            after_comma = False
            continue
        such_as = _SUCH_AS.search(before) is not None
        last = chains[-1][0][-1] if chains else None
        if last is None or sentence_of(last.start, sentences) != sentence_of(item.start, sentences):
            chains.append(([item], such_as))
            after_comma = False
            continue
        gap = text[last.end : item.start]
        comma = _COMMA_GAP.match(gap) is not None
        if _OR_GAP.match(gap):
            _join_or(chains, after_comma, item)
        elif comma and chains[-1][1]:
            chains[-1][0].append(item)
        elif not (_same_concept(last, item) and re.match(r"^[\s\"'`]*\(?[\"'`]*$", gap)):
            chains.append(([item], such_as))
            after_comma = comma
    return [chain for chain, _ in chains]


def _mark_absent(chains: list[list[Item]], text: str, sentences: Sentences) -> list[Group]:
    groups: list[Group] = []
    for chain in chains:
        first = chain[0]
        sentence = sentence_of(first.start, sentences)
        absent = _ABSENT.search(text[max(0, first.start - 80) : first.start]) is not None
        last = groups[-1] if groups and groups[-1].absent and groups[-1].sentence == sentence else None
        if last is not None and not absent:
            gap = text[last.items[-1].end : first.start]
            absent = _STILL_ABSENT.match(gap) is not None
            if absent and _OWNER.match(gap):
                # "without scikit-learn's TfidfVectorizer" rules out the class, not the library.
                groups.pop()
        groups.append(Group(tuple(chain), sentence, absent))
    return groups


def _join_or(chains: list[tuple[list[Item], bool]], after_comma: bool, item: Item) -> None:
    """Joins an item to the alternatives before it: in "A, B or C" the commas are alternatives as well."""
    if after_comma and len(chains) >= 2 and len(chains[-1][0]) == 1:
        tail, _ = chains.pop()
        if _kinds_agree(chains[-1][0][-1], tail[0]):
            chains[-1][0].extend(tail)
        else:
            chains.append((tail, False))
    chains[-1][0].append(item)


def _kinds_agree(left: Item, right: Item) -> bool:
    kind = left.mention.concept.kind if left.mention else None
    other = right.mention.concept.kind if right.mention else None
    return kind == other


def _same_concept(left: Item, right: Item) -> bool:
    return bool(left.mention and right.mention and left.mention.concept.id == right.mention.concept.id)
