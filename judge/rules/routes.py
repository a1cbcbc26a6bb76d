"""Routes of web services, compared as patterns."""

from __future__ import annotations

import re

_PARAMETER = re.compile(r"\{[^}]*\}|<[^>]*>|:[A-Za-z_]\w*|\$\{[^}]*\}|\[[\w.]+\]")


def route_shape(path: str) -> str:
    """A route with its parameters as ``{}``, without a query and a trailing slash.

    >>> route_shape("/books/<int:id>/"), route_shape("/books/:id?x=1")
    ('/books/{}', '/books/{}')
    """
    return _PARAMETER.sub("{}", path.split("?")[0]).rstrip("/") or "/"


def route_fits(route: str, path: str) -> bool:
    """Whether a concrete path is one that a route stands for.

    >>> route_fits("/books/{id}", "/books/7"), route_fits("/books", "/books/7")
    (True, False)
    """
    pattern = "[^/]+".join(re.escape(part) for part in route_shape(route).split("{}"))
    return re.fullmatch(pattern, path.split("?")[0].rstrip("/") or "/") is not None
