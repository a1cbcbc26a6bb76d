"""The vocabulary: sound files, unambiguous phrases, fast expressions, and what they make of real code."""

from __future__ import annotations

import re
import time
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from judge.errors import InputError
from judge.modules.graph import build_graph
from judge.rules.live import LiveCode
from judge.rules.match import find_hits
from judge.rules.vocabulary import Kind, Vocabulary, load_vocabulary, parse_concepts
from judge.rules.words import spaced
from judge.workspace import Workspace

FOLDER = Path(__file__).resolve().parents[2] / "judge" / "rules" / "vocabulary"
FILES = sorted(FOLDER.glob("*.toml"))
HERE = Path(__file__).resolve().parent
SECONDS = 0.4
"""Longest processor time that one expression may take over 50 kB; a quadratic one takes more."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_parses(path: Path) -> None:
    concepts = parse_concepts(path.read_text(encoding="utf-8"), path.name)
    assert concepts
    for concept in concepts:
        assert concept.names, concept.id
        assert all(name == name.lower() and name.strip() == name and name for name in concept.names), concept.id
        assert re.fullmatch(r"[a-z0-9-]+", concept.id)


@pytest.mark.parametrize(
    "source",
    [
        "[a]\nkind = 'spell'\nnames = ['a']",
        "[a]\nkind = 'method'\nnames = ['a']\nspells = []",
        "[a]\nkind = 'method'",
        "[a",
        "[a]\nkind = 'method'\nnames = ['a']\nown = [['(']]",
    ],
)
def test_a_broken_file_is_told(source: str) -> None:
    with pytest.raises(InputError):
        parse_concepts(source, "x.toml")


def test_an_id_stands_in_one_file_only() -> None:
    seen: dict[str, str] = {}
    for path in FILES:
        for name in tomllib.loads(path.read_text(encoding="utf-8")):
            assert name not in seen, f"{name} is in {seen.get(name)} and {path.name}"
            seen[name] = path.name


def test_a_phrase_belongs_to_one_concept() -> None:
    owners: dict[str, set[str]] = defaultdict(set)
    for concept in load_vocabulary().concepts.values():
        for name in concept.names:
            plain = spaced(name).replace(" ", "")
            owners[plain].add(concept.id)
    assert {phrase: ids for phrase, ids in owners.items() if len(ids) > 1} == {}


def test_a_concept_can_be_shown() -> None:
    for concept in load_vocabulary().concepts.values():
        shown = concept.calls or concept.methods or concept.arguments or concept.imports or concept.own or concept.text
        assert shown, concept.id
        if concept.kind is Kind.SECTION:
            assert concept.text, concept.id


@pytest.mark.parametrize(
    "text",
    [
        "The page must react to clicks and express errors kindly, with dashes and limes.",
        "After logging in, a user who is logged in sees a window with a cache of recent input and a generation.",
        "Avoid noise, keep the scale, and map each input to a loss of data.",
        "A duplicate username is rejected; a checkpoint in the game restores the player.",
        "The prophet reinforces the ridge with torches on the iceberg.",
        "At least one digit and a star rating; roll two dice; 500 rows on a page.",
    ],
)
def test_everyday_words_name_nothing(text: str) -> None:
    assert [mention.phrase for mention in load_vocabulary().find(text)] == []


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ('A dashboard using "Dash" or "Bokeh" is created.', ["dash", "bokeh"]),
        ('"LIME" is used for model prediction explanation', ["lime"]),
        ("Add rate-limiting and CORS to the FastAPI app", ["rate-limiting", "cors", "fastapi"]),
        ("returns 404 when the user's JWT is invalid", ["status-404", "jwt"]),
        ("K-means clustering, the elbow method", ["kmeans", "elbow"]),
        ("built with React and Express.js", ["react", "express"]),
        ("foreign keys and an index on the e-mail column", ["foreign-key", "db-index"]),
        ("use the A* algorithm, not breadth-first search", ["a-star", "bfs"]),
    ],
)
def test_phrases_of_criteria_are_found(text: str, ids: list[str]) -> None:
    assert [mention.concept.id for mention in load_vocabulary().find(text)] == ids


def _patterns() -> Iterator[tuple[str, str]]:
    for concept in load_vocabulary().concepts.values():
        for option in concept.own:
            for part in option:
                yield concept.id, part.pattern.removeprefix("s:")
        for part in concept.text:
            yield concept.id, part.pattern


def _nested(tokens: Any, inside: bool = False) -> bool:
    """Whether an unbounded repeat stands inside another one."""
    for operation, argument in tokens:
        name = str(operation)
        if name in ("MAX_REPEAT", "MIN_REPEAT"):
            _, high, inner = argument
            unbounded = int(high) > 10_000
            if (unbounded and inside) or _nested(inner, inside or unbounded):
                return True
        elif name in ("SUBPATTERN", "BRANCH", "ASSERT", "ASSERT_NOT"):
            parts = argument[1] if name == "BRANCH" else [argument[-1]]
            if any(_nested(part, inside) for part in parts):
                return True
    return False


def test_no_expression_nests_repeats() -> None:
    from re import _parser  # type: ignore[attr-defined]

    assert [(owner, text) for owner, text in _patterns() if _nested(_parser.parse(text))] == []


BLOCKS = (
    "a" * 12_500,
    " " * 12_500,
    "a." * 6_250,
    "([" * 6_250,
    "dist = min(max(abs(q[i][j] - " * 430,
    "Linear(" * 1_780,
    "def f(x):\n    return g(x)\n" * 480,
    "<div class='a for x in 0 = 1 - 2 / 3 * \t\n" * 310,
)
HOSTILE = ("\n".join(BLOCKS[:4]), "\n".join(BLOCKS[4:]))
"""Two texts of 50 kB whose blocks make expressions that backtrack more than linearly stand out."""


def test_expressions_are_fast_on_hostile_text() -> None:
    slow = []
    for owner, text in dict((text, owner) for owner, text in _patterns()).items():
        pattern = re.compile(owner)
        for hostile in HOSTILE:
            start = time.process_time()
            pattern.search(hostile)
            taken = time.process_time() - start
            if taken > SECONDS:
                slow.append((text, owner, HOSTILE.index(hostile), round(taken, 2)))
    assert slow == []


def test_a_long_criterion_is_searched_fast() -> None:
    start = time.process_time()
    load_vocabulary().find("the k - means and the a / b of the x - y " * 1_200)
    assert time.process_time() - start < 10


def _snippets() -> list[tuple[str, dict[str, Any]]]:
    found = []
    for name in ("snippets_learning.toml", "snippets_programs.toml"):
        table = tomllib.loads((HERE / name).read_text(encoding="utf-8"))
        found += [(f"{name[9:-5]}-{number}", entry) for number, entry in enumerate(table["snippet"], start=1)]
    return found


SNIPPETS = _snippets()


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    """The shipped vocabulary."""
    return load_vocabulary()


@pytest.mark.parametrize(("name", "snippet"), SNIPPETS, ids=[name for name, _ in SNIPPETS])
def test_a_snippet_shows_what_it_does(
    name: str, snippet: dict[str, Any], tmp_path: Path, vocabulary: Vocabulary
) -> None:
    (tmp_path / snippet.get("file", "main.py")).write_text(snippet["code"], encoding="utf-8")
    workspace = Workspace.open(tmp_path)
    files = LiveCode(build_graph(workspace), workspace).select(None)
    shown = {key: find_hits(vocabulary[key], files) for key in (*snippet["shows"], *snippet["hides"])}
    missed = [key for key in snippet["shows"] if not shown[key]]
    false = [(key, shown[key][0].how, shown[key][0].line) for key in snippet["hides"] if shown[key]]
    assert (missed, false) == ([], [])


def test_there_are_many_snippets_of_both_kinds() -> None:
    assert len(SNIPPETS) >= 120
    assert sum(len(entry["hides"]) for _, entry in SNIPPETS) > 120
    assert sum(not entry["shows"] for _, entry in SNIPPETS) > 20
