"""SQL statements in source text, and whether their values are put into the text or bound as parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_OPENING = re.compile(r"([fFrRbBuU$]{0,3})(\"\"\"|'''|\"|'|`)")
_VERB = re.compile(r"\b(?:SELECT|INSERT\s+(?:OR\s+\w+\s+)?INTO|UPDATE|DELETE\s+FROM|REPLACE\s+INTO)\b", re.IGNORECASE)
_VALUES_AT = re.compile(r"\b(?:WHERE|VALUES|SET|LIKE|LIMIT|HAVING|AND|IN)\b", re.IGNORECASE)
_FORMATTERS = re.compile(r"(?:Sprintf|format!|String\.format|sprintf|paste0?|string\.Format|@sprintf)\(\s*$")
_JOINED = re.compile(
    r"\s*(?:%\s*[\w(]|\.format\(|\.formatted\(|\+\s*[A-Za-z_$]|\.\s*\$\w|\.\.\s*\w|<>\s*\w|,\s*\w+\s*\)\s*#paste)"
)
_HOLES = {
    "braces": re.compile(r"(?<!\{)\{[^{}\n]{1,80}\}"),
    "template": re.compile(r"\$\{[^{}\n]{1,80}\}"),
    "dollar": re.compile(r"\$\{?[A-Za-z_]\w*|#\{[^{}\n]{1,80}\}"),
    "format": re.compile(r"%[sdvqf]|\{\d?\}"),
}
_MARKS = re.compile(r"placeholder|marks|\bqs\b|join\(|columns|fields|table", re.IGNORECASE)
_DOLLAR_SUFFIXES = (".php", ".rb", ".sh", ".kt", ".scala", ".jl", ".groovy", ".dart", ".ex", ".swift", ".pl")
_BOUND_IN = re.compile(r"\?|%s\b|%\(\w+\)s|(?<![:\w]):[A-Za-z_]\w*|\$\d|@\w+")
_MAX_BODY = 4_000


@dataclass(frozen=True, slots=True)
class Statement:
    """One SQL statement in a string.

    Attributes:
        offset: Where its string begins.
        built: Whether values are put into its text.
        bound: Whether it has parameters.
    """

    offset: int
    built: bool
    bound: bool


def find_statements(text: str, path: str) -> Iterator[Statement]:
    """The statements in string literals of a source text without comments; time grows with the text alone."""
    at = 0
    while (opening := _OPENING.search(text, at)) is not None:
        start, quote = opening.end(), opening.group(2)
        end = _closing(text, start, quote)
        at = end + len(quote)
        body = text[start : min(end, start + _MAX_BODY)]
        if _VERB.search(body):
            built = _built(opening.group(1), quote, body, path, text[max(0, opening.start() - 40) : opening.start()])
            joined = _VALUES_AT.search(body) is not None and _JOINED.match(text[at : at + 60]) is not None
            built = built or (joined and not _MARKS.search(text[at : at + 60]))
            yield Statement(opening.start(), built, _BOUND_IN.search(body) is not None)


def _closing(text: str, start: int, quote: str) -> int:
    at = start
    while True:
        at = text.find(quote, at)
        if at < 0:
            return len(text)
        line = text.find("\n", start, at)
        if len(quote) == 1 and quote != "`" and line >= 0 and text[line - 1] != "\\":
            return line  # a quotation mark that stands alone in its line opens nothing
        if text[at - 1] != "\\":
            return at
        at += 1


def _built(prefix: str, quote: str, body: str, path: str, before: str) -> bool:
    kinds = []
    if prefix.strip("rRbBuU"):
        kinds.append("braces")
    if quote == "`":
        kinds.append("template")
    if quote == '"' and path.lower().endswith(_DOLLAR_SUFFIXES):
        kinds.append("dollar")
    if _FORMATTERS.search(before):
        kinds.append("format")
    place = _VALUES_AT.search(body)
    return place is not None and any(
        hole.start() > place.start() and not _MARKS.search(hole.group(0))
        for kind in kinds
        for hole in _HOLES[kind].finditer(body)
    )
