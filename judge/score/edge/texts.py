"""Strategies for characters, text and bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judge.score.edge.draws import load_tables
from judge.score.edge.membership import in_alphabet
from judge.score.edge.profiles import Profile, among, bounds, weighted
from judge.score.edge.scalars import char_values, letters, text_values

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from judge.score.edge.spec import Binary, Chars, Regex, Text

    Drawn = SearchStrategy[Any]

_MOST_REGEX = 1000
_FAMILIES = (
    ("s", "S", "ſ", "ß", "ss"),
    ("σ", "ς", "Σ"),
    ("a", "A", "b"),
    ("s", "ſ", "ß", "ss"),
    ("σ", "ς"),
    ("i", "I", "İ", "ı", "i\u0307"),
    ("k", "K", "\u212a"),
    ("é", "e\u0301", "É", "e"),
    ("a", "A", "\uff41", "а"),
    ("1", "¹", "١", "\uff11"),
    (" ", "\u00a0", "\u2003", "\t", "\n"),
    ("a", "\u200b", "\u0301", "😀"),
)
"""Spellings that fold, normalise, look or count alike; those that only ``casefold`` makes equal have two rows."""


def chars(spec: Chars | str, profile: Profile) -> Drawn:
    """Single characters of an alphabet."""
    from hypothesis import strategies as st

    if isinstance(spec, str):
        return among(spec if profile in (Profile.PLAIN, Profile.EDGY) else spec[:3])
    few = letters(spec, 60)
    if profile in (Profile.SMALL, Profile.FOLDED, Profile.LARGE) and few:
        return among(few[:4])
    if profile is Profile.EDGY and few:
        return among([item.value for item in char_values(spec)])
    if spec.categories is None and len(spec.without) == 1 and spec.low <= spec.high:
        wide = st.integers(spec.low, spec.high).map(chr).filter(lambda char: in_alphabet(spec, char))
    else:
        wide = _by_category(spec)
    return weighted([among(few), wide]) if few else wide


def _by_category(spec: Chars) -> Drawn:
    from hypothesis import strategies as st

    load_tables()
    return st.characters(
        min_codepoint=spec.low,
        max_codepoint=max(spec.high, spec.low),
        categories=spec.categories,  # type: ignore[arg-type]
        exclude_categories=None if spec.categories is not None else spec.without,  # type: ignore[arg-type]
        exclude_characters="".join(char for char in spec.exclude if char not in spec.include),
        include_characters=spec.include,
    ).filter(lambda char: in_alphabet(spec, char))


def text(spec: Text, profile: Profile) -> Drawn:
    """Text over an alphabet."""
    from hypothesis import strategies as st

    if spec.alphabet == "":
        return st.just("")
    if profile is Profile.FOLDED:
        return _folded(spec)
    low, high = bounds(spec.low, spec.high, profile, text=True)
    drawn = st.lists(chars(spec.alphabet, profile), min_size=low, max_size=high).map("".join)
    if profile is Profile.EDGY:
        edges = [item.value for item in text_values(spec) if item.category != "large"]
        return weighted([drawn, among(edges)]) if edges else drawn
    return drawn


def _folded(spec: Text) -> Drawn:
    """Very short text out of one family of spellings, the same for all text of an input, so that it is often alike."""
    from hypothesis import strategies as st

    families = [[part for part in family if _spells(spec, part)] for family in _FAMILIES]
    if spec.low > 3 or not any(families) or (spec.high is not None and spec.high < 2):
        return text(spec, Profile.SMALL)

    def spelled(number: int) -> Drawn:
        family = families[number] or max(families, key=len)
        one, more = among(family), st.lists(among(family), min_size=spec.low, max_size=max(3, spec.low)).map("".join)
        made = more if spec.low > 1 else weighted([one, one, more])
        return made.filter(lambda found: spec.high is None or len(found) <= spec.high)

    return st.shared(st.integers(0, len(_FAMILIES) - 1), key="spellings").flatmap(spelled)


def _spells(spec: Text, part: str) -> bool:
    return all(in_alphabet(spec.alphabet, char) for char in part)


def regex(spec: Regex, profile: Profile) -> Drawn:
    """Text that a pattern matches."""
    from hypothesis import strategies as st

    load_tables()
    return st.from_regex(spec.pattern, fullmatch=spec.whole).filter(lambda text: len(text) <= _MOST_REGEX)


def binary(spec: Binary, profile: Profile) -> Drawn:
    """Bytes."""
    from hypothesis import strategies as st

    low, high = bounds(spec.low, spec.high, profile, text=True)
    if profile is Profile.PLAIN:
        return st.binary(min_size=low, max_size=high)
    return st.lists(st.sampled_from(b"a\x00b\xff"), min_size=low, max_size=high).map(bytes)
