"""The vocabulary of methods, data sets, libraries, metrics and plots, kept as data that others can extend."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from importlib import resources
from typing import Any

from judge.errors import InputError
from judge.rules.words import spaced, squash


class Kind(StrEnum):
    """What a concept is, which decides where it is looked for."""

    METHOD = "method"
    DATASET = "dataset"
    LIBRARY = "library"
    PREPROCESS = "preprocess"
    PRACTICE = "practice"
    METRIC = "metric"
    PLOT = "plot"
    APP = "app"
    SECTION = "section"


@dataclass(frozen=True, slots=True)
class Argument:
    """A call with an argument of that value: ``datasets.load_dataset("imdb")``."""

    call: str
    value: str
    keyword: str = ""


@dataclass(frozen=True, slots=True)
class Concept:
    """One thing that a criterion can name.

    Attributes:
        id: Unique name.
        kind: Where it is looked for.
        names: Phrases by which criteria name it, lower case.
        calls: Globs over resolved call targets and used names that show it.
        methods: Method names that show it on a receiver of unknown type.
        arguments: Calls that show it through an argument.
        imports: Modules whose reachable use shows it.
        idle: Globs of calls that do not count as use of the library (styling, seeding).
        own: Alternatives of regular expressions which must all match one live unit of code: a hand-written form.
        text: Regular expressions that show it in a report or metrics file; the names when empty.
        low: Smallest possible value of a metric.
        high: Largest possible value of a metric, in the unit of fractions.
        implies: Concepts that are met as well where this one is.
    """

    id: str
    kind: Kind
    names: tuple[str, ...]
    calls: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    arguments: tuple[Argument, ...] = ()
    imports: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()
    own: tuple[tuple[re.Pattern[str], ...], ...] = ()
    text: tuple[re.Pattern[str], ...] = ()
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Mention:
    """A concept named in a text.

    Attributes:
        concept: The concept.
        start: Offset of the phrase in the text.
        end: Offset behind it.
        phrase: The phrase as written.
    """

    concept: Concept
    start: int
    end: int
    phrase: str


class Vocabulary:
    """All concepts, searchable by phrase."""

    def __init__(self, concepts: Iterable[Concept]) -> None:
        self.concepts: Mapping[str, Concept] = {concept.id: concept for concept in concepts}
        by_phrase: dict[str, Concept] = {}
        flat: dict[str, Concept] = {}
        for concept in self.concepts.values():
            for name in concept.names:
                by_phrase.setdefault(spaced(name), concept)
                flat.setdefault(squash(name), concept)
        self._by_phrase, self._flat = by_phrase, flat
        longest_first = sorted(by_phrase, key=len, reverse=True)
        self._pattern = re.compile(
            r"(?<![a-z0-9])("
            + "|".join(_phrase_pattern(phrase) for phrase in longest_first)
            + r")(?:e?s)?(?![a-z0-9])",
            re.IGNORECASE,
        )

    def find(self, text: str) -> list[Mention]:
        """The concepts a text names, in order, the longest phrase first where phrases overlap."""
        found = []
        for match in self._pattern.finditer(text):
            concept = self._by_phrase.get(spaced(match.group(1))) or self._flat.get(squash(match.group(1)))
            if concept is not None:
                found.append(Mention(concept, match.start(), match.end(), match.group(0)))
        return found

    def __getitem__(self, concept_id: str) -> Concept:
        """The concept of that id."""
        return self.concepts[concept_id]


def _phrase_pattern(phrase: str) -> str:
    return r"[\s\-_/]*".join(re.escape(part) for part in phrase.split(" "))


@lru_cache(maxsize=1)
def load_vocabulary() -> Vocabulary:
    """The vocabulary that ships with the package.

    Raises:
        InputError: A vocabulary file is not as described in ``vocabulary/README.md``.
    """
    concepts: list[Concept] = []
    folder = resources.files("judge.rules") / "vocabulary"
    for item in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if item.name.endswith(".toml"):
            concepts += parse_concepts(item.read_text(encoding="utf-8"), item.name)
    return Vocabulary(concepts)


def parse_concepts(source: str, where: str) -> list[Concept]:
    """Concepts of one vocabulary file.

    Raises:
        InputError: Broken TOML, an unknown key or kind, or a broken regular expression.
    """
    try:
        table = tomllib.loads(source)
        return [_concept(name, entry) for name, entry in table.items()]
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError, re.error) as error:
        raise InputError(f"not a vocabulary file: {error}", where=where) from error


def _concept(name: str, entry: dict[str, Any]) -> Concept:
    known = {"kind", "names", "calls", "methods", "arguments", "imports", "idle", "own", "text", "low", "high"}
    unknown = set(entry) - known
    if unknown:
        raise ValueError(f"{name}: unknown key {sorted(unknown)[0]!r}")
    return Concept(
        id=name,
        kind=Kind(entry["kind"]),
        names=tuple(entry["names"]),
        calls=tuple(entry.get("calls", ())),
        methods=tuple(entry.get("methods", ())),
        arguments=tuple(Argument(**item) for item in entry.get("arguments", ())),
        imports=tuple(entry.get("imports", ())),
        idle=tuple(entry.get("idle", ())),
        own=tuple(tuple(re.compile(part) for part in option) for option in entry.get("own", ())),
        text=tuple(re.compile(part, re.IGNORECASE) for part in entry.get("text", ())),
        low=entry.get("low"),
        high=entry.get("high"),
    )
