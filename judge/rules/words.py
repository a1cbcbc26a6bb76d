"""Words of criteria, reports and identifiers brought to one form."""

from __future__ import annotations

import re
import threading
from functools import lru_cache

NUMBER_WORDS = {
    **{word: value for value, word in enumerate("one two three four five six seven eight nine ten eleven".split(), 1)},
    **{"twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "fifty": 50, "hundred": 100},
}

STOPWORDS = frozenset(
    "a an the of and or to in on at by for from with without into onto as is are was were be been being it its this "
    "that these those their there which who whose will shall should must can could may might has have had do does "
    "did not no nor but if then than so such via per using used use uses one all any each every both either some "
    "following also only over under between during after before while when where how what data file files folder "
    "directory function functions class method methods module code script implemented implementation implement "
    "created create saved save stored generated generate performed perform include including included contain "
    "containing provide provided named called based new".split()
)

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[a-z0-9]+")


_SAME = dict(
    pair.split(":")
    for pair in (
        "average:mean avg:mean maximum:max minimum:min std:deviation stdev:deviation deviations:deviation colour:color "
        "neighbour:neighbor config:configuration settings:configuration conf:configuration env:environment "
        "acc:accuracy pred:prediction img:image num:number freq:frequency prob:probability "
        "proba:probability dir:directory "
        "msg:message auth:authentication db:database param:parameter params:parameter idx:index dist:distance "
        "temp:temperature deadline:due delete:remove removed:remove deleted:remove dedupe:duplicate drop:remove"
    ).split()
)
"""Words and usual abbreviations that count as the same."""


_LOCK = threading.Lock()
"""The stemmer keeps its state in itself, so threads must take turns."""


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The English Porter2 stem of a lower-case word; abbreviations and a few synonyms have one stem."""
    with _LOCK:
        return str(_stemmer().stemWord(_SAME.get(word, word)))


@lru_cache(maxsize=1)
def _stemmer():  # type: ignore[no-untyped-def]
    import snowballstemmer

    return snowballstemmer.stemmer("english")


def split_words(text: str) -> list[str]:
    """Lower-case alphanumeric words; camelCase and snake_case are taken apart."""
    return _WORD.findall(_CAMEL.sub(" ", text).lower())


def stems(text: str) -> list[str]:
    """Stems of the words of a text, in order, without stop words."""
    return [stem(word) for word in split_words(text) if word not in STOPWORDS]


def squash(text: str) -> str:
    """Letters and digits alone, lower case: ``Fashion-MNIST`` and ``fashion_mnist`` become the same."""
    return "".join(_WORD.findall(text.lower()))


def spaced(text: str) -> str:
    """Lower case with hyphens, underscores and runs of space as one space, for phrase search."""
    return re.sub(r"[\s\-_/]+", " ", text.lower()).strip()


def number(text: str) -> float | None:
    """A number written in digits (with ``%`` or thousands commas) or as a small word."""
    cleaned = text.strip().lower().replace(",", "").rstrip("%")
    if cleaned in NUMBER_WORDS:
        return float(NUMBER_WORDS[cleaned])
    try:
        return float(cleaned)
    except ValueError:
        return None
