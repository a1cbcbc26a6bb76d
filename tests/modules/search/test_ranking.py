"""BM25 and fuzzy matching behind one protocol."""

from __future__ import annotations

import asyncio
import math
import subprocess
import sys
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.modules.base import Strategies
from judge.modules.search import Fit, Once, Passage, open_search


def rank(name: str, query: str, passages: Sequence[Passage | str]) -> list[Fit]:
    async def run() -> list[Fit]:
        made = [item if isinstance(item, Passage) else Passage(item) for item in passages]
        index = await open_search(Strategies(name)).index(made)
        return list(await index.rank(query))

    return asyncio.run(run())


@pytest.mark.parametrize("name", ["bm25", "fuzzy"])
def test_the_text_that_shares_most_comes_first(name: str) -> None:
    texts = ["reads a table", "draws the confusion matrix", "a matrix is inverted", "nothing of it"]
    fits = rank(name, "A confusion matrix is drawn.", texts)
    assert fits[0].position == 1 and fits[0].relevance == 1.0 and fits[0].covered > fits[1].covered
    assert 3 not in {fit.position for fit in fits}


def test_typing_errors_are_found_by_fuzzy_matching_alone() -> None:
    texts = ["the classifer is trained", "a list of names"]
    assert [fit.position for fit in rank("fuzzy", "classifier", texts)] == [0]
    assert rank("bm25", "classifier", texts) == []


def test_short_words_are_not_alike() -> None:
    assert rank("fuzzy", "mse", ["mae", "use", "ms"]) == []
    assert [fit.position for fit in rank("fuzzy", "mse", ["mae", "mse"])] == [1]


@pytest.mark.parametrize("name", ["bm25", "fuzzy"])
def test_titles_and_names_count_and_equal_texts_keep_their_order(name: str) -> None:
    passages = [Passage("x y", "src/train.py"), Passage("other"), Passage("body", "src/b.py", "train_model")]
    assert {fit.position for fit in rank(name, "training", passages)} >= {0, 2}
    assert [fit.position for fit in rank(name, "loss", ["loss", "loss", "loss"])] == [0, 1, 2]


def test_bm25_weighs_rare_words_short_texts_and_repeated_words() -> None:
    texts = ["alpha alpha beta", "alpha gamma gamma gamma gamma gamma", "delta"]
    mean, known = 10 / 3, {"alpha": 2, "beta": 1}

    def part(term: str, times: int, length: int) -> float:
        rarity = math.log1p((3 - known[term] + 0.5) / (known[term] + 0.5))
        return rarity * times * 2.5 / (times + 1.5 * (0.25 + 0.75 * length / mean))

    first, second = part("alpha", 2, 3) + part("beta", 1, 3), part("alpha", 1, 6)
    fits = rank("bm25", "alpha beta", texts)
    assert [(fit.position, fit.covered) for fit in fits] == [(0, 1.0), (1, 0.5)]
    assert fits[1].relevance == pytest.approx(second / first)


def test_bm25_needs_no_numpy() -> None:
    code = (
        "import sys; from judge.modules.search import Passage; from judge.modules.search.bm25 import Bm25Index; "
        "assert Bm25Index([Passage('a loss')]).rank_now('loss'); assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("name", ["bm25", "fuzzy"])
def test_nothing_to_search_or_to_look_for(name: str) -> None:
    assert rank(name, "x", []) == []
    assert rank(name, "", ["x"]) == rank(name, "the of", ["x the of"]) == []
    assert rank(name, "word", [""]) == []


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(max_size=60), max_size=8), st.text(max_size=40), st.sampled_from(["bm25", "fuzzy"]))
def test_any_text_can_be_ranked(texts: list[str], query: str, name: str) -> None:
    fits = rank(name, query, texts)
    assert fits == rank(name, query, texts)
    assert all(0 < fit.relevance <= 1 and 0 <= fit.covered <= 1.0001 for fit in fits)
    assert len({fit.position for fit in fits}) == len(fits) <= len(texts)
    assert [fit.relevance for fit in fits] == sorted((fit.relevance for fit in fits), reverse=True)


def test_what_is_made_once_is_made_once_and_tried_again_after_a_failure() -> None:
    made: list[int] = []

    async def make() -> int:
        await asyncio.sleep(0)
        made.append(len(made))
        if len(made) == 1:
            raise ValueError("first")
        return made[-1]

    async def run() -> list[object]:
        once: Once[int] = Once()
        key = object()
        return list(await asyncio.gather(*(once.get(key, make) for _ in range(4)), return_exceptions=True))

    results = asyncio.run(run())
    assert isinstance(results[0], ValueError) and results[1:] == [1, 1, 1]
