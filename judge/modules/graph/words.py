"""Pieces of expressions as text: tokens, string literals, arguments with names."""

from __future__ import annotations

import re
from typing import NamedTuple

_TOKEN = re.compile(
    r"""(?P<string>[@$a-zA-Z0-9]{0,3}\#*(?P<quotes>\"\"\"|'''|["'`])(?:(?!(?P=quotes))(?:\\.|[^\\]))*(?P=quotes)\#*)
    |(?P<name>(?:\$|@@?|\#|\\)?[A-Za-z_][\w$]*(?:\\[A-Za-z_]\w*)*[!?]?(?=[^=]|$|==))
    |(?P<number>\d[\w.]*)
    |(?P<op>\?\.|!!\.?|&\.|\?->|->|:::?|<>|<<|\|\||\?\?|\?:|&&|==|=>|[-+*/%.,:;=<>?!&|~^@$\\\#])
    |(?P<open>[(\[{])|(?P<close>[)\]}])""",
    re.VERBOSE | re.DOTALL,
)
_STRING = re.compile(r"""^([@$a-zA-Z0-9]{0,3})\#*("{3}|'{3}|["'`])(.*)\2\#*$""", re.DOTALL)
_RAW_CPP = re.compile(r'^[uUL8]*R"([^(]{0,16})\((.*)\)\1"$', re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}
_NAMED = {
    "=": re.compile(r"^([A-Za-z_][\w.]*)\s*=(?![=>~])\s*(.*)$", re.DOTALL),
    ":": re.compile(r"^([A-Za-z_]\w*)\s*:(?!:)\s*(.*)$", re.DOTALL),
}
MAX_TOKENS = 200
SEPARATORS = frozenset({".", "::", ":::", "->", "?.", "!!.", "&.", "?->"})


class Token(NamedTuple):
    """One token of an expression."""

    kind: str
    text: str


def tokens(text: str) -> list[Token]:
    """The tokens of an expression, the first some hundred."""
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        found.append(Token("string" if kind == "quotes" else kind, match.group()))
        if len(found) >= MAX_TOKENS:
            break
    return found


class Literal(NamedTuple):
    """A string literal: what stands before its quotes, its quotes, its content as written."""

    prefix: str
    quotes: str
    content: str


def literal(text: str) -> Literal | None:
    """The literal that an expression is, or None."""
    raw = _RAW_CPP.match(text)
    if raw:
        return Literal("R", '"', raw.group(2))
    found = _STRING.match(text)
    if found is None:
        return None
    prefix, quotes, content = found.groups()
    if len(quotes) == 1 and re.search(rf"(?<!\\){re.escape(quotes)}", content.replace("\\\\", "")):
        return None
    return Literal(prefix, quotes, content)


def unescaped(item: Literal) -> str:
    r"""The text a literal stands for; raw ones keep their backslashes."""
    if "\\" not in item.content or item.quotes == "`" or "r" in item.prefix.lower() or "@" in item.prefix:
        return item.content
    return _ESCAPE.sub(lambda match: _ESCAPED.get(match.group(1), match.group(1)), item.content)


def argument(text: str, marks: tuple[str, ...]) -> tuple[str, str]:
    """Name (or nothing) and expression of an argument."""
    for mark in marks:
        found = _NAMED[mark].match(text)
        if found:
            return found.group(1), found.group(2)
    return "", text


def split_arguments(items: list[Token]) -> list[list[Token]]:
    """The arguments between commas at the top level."""
    found: list[list[Token]] = [[]]
    depth = 0
    for token in items:
        depth += (token.kind == "open") - (token.kind == "close")
        if token.text == "," and depth == 0:
            found.append([])
        else:
            found[-1].append(token)
    return [part for part in found if part]
