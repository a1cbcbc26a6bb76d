"""Text to words for ranking: split at case changes and underscores, lower case, stemmed, without filler."""

from __future__ import annotations

import re
from functools import lru_cache
from threading import Lock
from typing import Any

_WORD = re.compile(r"[^\W\d_]+|\d+", re.UNICODE)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_FILLER_TEXT = """
a an the and or of in on at to for from by with without as is are was be been being it its this that these those
should must can could would will may might shall do does done using used use into under over than then such
file files save saved saves implement implemented include included including create created if not no any all each
self def return import none true false print
"""
_FILLER = frozenset(_FILLER_TEXT.split())
_LONGEST = 40
_TURN = Lock()  # a stemmer keeps the word it works on in itself


def words(text: str) -> list[str]:
    """The words of a text, in order, stemmed.

    >>> words("Save `results/loss_curves.png` with trainModel()")
    ['result', 'loss', 'curv', 'png', 'train', 'model']
    """
    return [word for word in map(_word, _WORD.findall(_CAMEL.sub(" ", text))) if word]


@lru_cache(maxsize=262_144)
def _word(part: str) -> str:
    """The stem of a part of a text in lower case; empty for filler and for what is no word."""
    word = part.lower()
    return "" if word in _FILLER or len(word) > _LONGEST else _stem(word)


def _stem(word: str) -> str:
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    with _TURN:
        return str(_stemmer().stemWord(word))


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    from snowballstemmer import stemmer

    return stemmer("english")
