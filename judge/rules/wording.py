"""How reasons name what a criterion asks for: with its own words as it has them, never with their stems."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence

from judge.rules.words import split_words, stem

_TOKEN = re.compile(r"[^\W_](?:[\w'-]*[^\W_])?", re.UNICODE)
_LISTED = 6


def words_where(text: str, wanted: Callable[[str], bool]) -> list[str]:
    """The words of a text, as they stand in it, of which some lower-case part is wanted; each once, in order.

    >>> words_where("Train on PyTorch, train well", lambda part: part in {"train", "torch"})
    ['Train', 'PyTorch']
    """
    found: dict[str, str] = {}
    for match in _TOKEN.finditer(text):
        token = match.group(0).removesuffix("'s")
        if any(wanted(part) for part in split_words(token)):
            found.setdefault(token.lower(), token)
    return list(found.values())


def words_with_stems(text: str, roots: Collection[str]) -> list[str]:
    """The words of a text that have one of these stems, as they stand in it."""
    return words_where(text, lambda part: stem(part) in roots)


def listed(words: Iterable[str], joint: str = "and") -> str:
    """Words in quotes, as a sentence lists them; of many the first few.

    >>> listed(["a", "b", "c"])
    '"a", "b" and "c"'
    """
    quoted = [f'"{word}"' for word in list(words)[:_LISTED]]
    return f" {joint} ".join([", ".join(quoted[:-1]), quoted[-1]] if len(quoted) > 1 else quoted)


def counted(number: int, noun: str) -> str:
    """A number with its noun: ``1 layer``, ``2 layers``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def joined(parts: Sequence[str]) -> str:
    """Clauses as one sentence."""
    text = "; ".join(parts)
    first = text.split(" ", 1)[0]
    # A path or a name keeps its spelling; only a plain word begins the sentence with a capital.
    return (text[0].upper() + text[1:] if first.isalpha() and first.islower() else text) + "."
