"""The one way from text to HTML: everything that is not built here is text, and text is always escaped."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from functools import cache
from typing import TypeAlias

from judge.text import printable

_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9-]*\Z")
_TARGET = re.compile(r"#[A-Za-z][A-Za-z0-9_-]*\Z")
_PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]*\Z")
_PLAIN = re.compile(r"[ !#-%(-;=?-~]*\Z")
"""Text that is its own markup."""
_VOID = frozenset({"br", "hr", "img", "input", "meta", "wbr"})
_FORBIDDEN = frozenset({"script", "style", "iframe", "object", "embed", "link", "base", "form"})
LONGEST = 20_000


class Html(str):
    """Markup that was built by this module; any other string is text."""

    __slots__ = ()


Child: TypeAlias = "Html | str | int | float | Iterable[Child] | None"
Value: TypeAlias = "str | int | float | bool | None"


def shorten(text: str, limit: int = LONGEST) -> str:
    """The text, or its beginning and end with a word on what is left out between.

    >>> shorten("abcdefghij" * 10, 40)
    'abcdefghijabcdefghij … 60 characters left out … abcdefghijabcdefghij'
    """
    if len(text) <= limit:
        return text
    half = max(1, limit // 2)
    return f"{text[:half]} … {len(text) - 2 * half:,} characters left out … {text[-half:]}"


def escape(value: object, limit: int = LONGEST) -> Html:
    r"""Text as markup that shows exactly this text.

    Control characters and those that turn text around or cannot be seen are written as escapes (``\u202e``), lone
    surrogates are replaced, what is longer than ``limit`` characters is cut in the middle.
    """
    text = value if isinstance(value, str) else str(value)
    if len(text) <= limit and _PLAIN.match(text):
        return Html(text)
    return Html(html.escape(printable(shorten(text, limit)), quote=True))


def join(*children: Child) -> Html:
    """Markup of several children: strings are escaped, markup is kept, None is nothing."""
    out: list[str] = []
    _collect(children, out)
    return Html("".join(out))


def element(tag: str, attributes: dict[str, Value] | None = None, *children: Child) -> Html:
    """One element.

    Args:
        tag: Its name.
        attributes: Name -> value; True writes the bare name, False and None leave it out.
        children: As for ``join``.

    Raises:
        ValueError: A name is not one, or something that could run or load anything: scripts, handlers, inline styles,
            links that leave the page.
    """
    _check_tag(tag)
    out = ["<", tag]
    for name, value in (attributes or {}).items():
        if value is None or value is False:
            continue
        if _attribute_kind(name):
            _check_target(name.lower(), value)
        out.append(f" {name}" if value is True else f' {name}="{escape(value, _limit(name))}"')
    out.append(">")
    if tag not in _VOID:
        _collect(children, out)
        out.append(f"</{tag}>")
    return Html("".join(out))


def _limit(name: str) -> int:
    return 100_000_000 if name in {"src", "d"} else LONGEST


@cache
def _check_tag(tag: str) -> None:
    if not _NAME.match(tag) or tag.lower() in _FORBIDDEN:
        raise ValueError(f"element {tag!r} is not allowed in a report")


@cache
def _attribute_kind(name: str) -> bool:
    """Whether an attribute leads somewhere; names come from this package, so that few are cached."""
    lower = name.lower()
    if not _NAME.match(name) or lower.startswith("on") or lower in {"style", "srcdoc", "srcset", "action"}:
        raise ValueError(f"attribute {name!r} is not allowed in a report")
    return lower in {"href", "src", "formaction", "data", "poster"}


def _check_target(name: str, value: Value) -> None:
    pattern = {"href": _TARGET, "src": _PICTURE}.get(name)
    if pattern is None or not isinstance(value, str) or not pattern.match(value):
        raise ValueError(f"a report does not link to {str(value)[:60]!r}")


def _collect(children: Iterable[Child], out: list[str]) -> None:
    for child in children:
        if child is None:
            continue
        if isinstance(child, Html):
            out.append(child)
        elif isinstance(child, (str, int, float)):
            out.append(escape(child))
        else:
            _collect(child, out)
