"""What an expression of any language can be as a path: literals, concatenations, joins, variables, parameters.

Unknown parts are ``{}``; a path that starts at the folder of the code begins with a NUL character and that folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Protocol

from judge.modules.graph.conventions import Conventions
from judge.modules.graph.expression import OWN, WORKING, Reader
from judge.modules.graph.pieces import HOLE, MAX_VALUES, folder_of, product
from judge.modules.graph.raw import Raw
from judge.modules.graph.words import Literal, tokens, unescaped

MAX_DEPTH = 10
MAX_STEPS = 200
"""Expressions that are followed to find a path."""
_SEPARATOR = re.compile(
    r"(?:^|[._])(?:separator(?:char)?|sep|DirectorySeparatorChar|MAIN_SEPARATOR(?:_STR)?)$", re.IGNORECASE
)
_SHELL_NAME = re.compile(r"^\$?\{?!?#?([A-Za-z_]\w*|\d|[@*])(?:(:?[-=+?])(.*?))?\}?$", re.DOTALL)


class Names(Protocol):
    """Where names lead."""

    def meanings(self, raw: Raw, scope: str, name: str) -> Iterable[tuple[str, Raw, str]]:
        """Expressions a variable, constant or parameter can be, each with the file and scope it stands in."""


class Values:
    """Evaluates expressions for one question; a new one is made for each."""

    def __init__(self, names: Names, table: Conventions, limit: int = MAX_STEPS) -> None:
        self.names = names
        self.table = table
        self.limit = limit
        self.steps = 0
        self.active: set[tuple[str, str, str]] = set()

    def texts(self, text: str, raw: Raw, scope: str) -> list[str]:
        """Everything the expression can be, at most some; ``{}`` when nothing is known."""
        self.steps += 1
        if self.steps > self.limit or len(self.active) > MAX_DEPTH:
            return [HOLE]
        if self.table.shell:
            return self._word(text, raw, scope)
        items = tokens(text)
        return Reader(self, items, raw, scope).value() if items else [HOLE]

    def name(self, name: str, raw: Raw, scope: str) -> list[str]:
        """Everything a variable can be."""
        if _SEPARATOR.search(name):
            return ["/"]
        key = (raw.path, scope, name)
        if key in self.active:
            return [HOLE]
        self.active.add(key)
        try:
            found: dict[str, None] = {}
            for text, home, place in self.names.meanings(raw, scope, name):
                found.update(dict.fromkeys(self.texts(text, home, place)))
                if len(found) >= MAX_VALUES:
                    break
        finally:
            self.active.discard(key)
        known = [text for text in found if text.strip("{}")]
        return (known or list(found) or [HOLE])[:MAX_VALUES]

    def literal(self, item: Literal, raw: Raw, scope: str) -> list[str]:
        """A string with its computed parts filled in where they are known."""
        table = self.table
        hole = table.hole
        if hole is None or (table.hole_quotes and item.quotes[0] not in table.hole_quotes):
            return [unescaped(item)]
        if table.hole_prefix and table.hole_prefix not in item.prefix:
            return [unescaped(item)]
        result, position = [""], 0
        for match in hole.finditer(item.content):
            result = product(result, [unescaped(item._replace(content=item.content[position : match.start()]))])
            result = product(result, self._hole(match.group(), raw, scope))
            position = match.end()
        return product(result, [unescaped(item._replace(content=item.content[position:]))])

    def _hole(self, text: str, raw: Raw, scope: str) -> list[str]:
        inner = re.sub(r"^(?:[$#]\{|\\\(|\{|\$\(?)|[})]$", "", text)
        if not re.fullmatch(r"[\w$@.>:-]+", inner):
            return self.texts(inner, raw, scope) if "(" in inner or '"' in inner else [HOLE]
        name = re.split(r"\.|->|::", inner)[-1] if inner.split(".")[0] in OWN else inner
        return self.name(name.lstrip("$@"), raw, scope)

    def _word(self, text: str, raw: Raw, scope: str) -> list[str]:
        """A word of a shell: quotes fall away, variables are filled in, wildcards are unknown."""
        if text.startswith("'") and text.endswith("'"):
            return [text[1:-1]]
        plain = text.replace('"', "") if '"' in text and "$(" not in text else text.strip('"')
        hole = self.table.hole
        if hole is None:
            return [plain]
        result, position = [""], 0
        for here in sorted(self.table.here, key=len, reverse=True):
            if here.replace('"', "") in plain or here in plain:
                place = "" if WORKING.search(here) and "dirname" not in here else folder_of(raw)
                plain = plain.replace(here, place).replace(here.replace('"', ""), place)
        for match in hole.finditer(plain):
            result = product(result, [plain[position : match.start()]])
            result = product(result, self._variable(match.group(), raw, scope))
            position = match.end()
        result = product(result, [plain[position:]])
        return [re.sub(r"[*?]+", HOLE, item).replace("\\ ", " ") for item in result]

    def _variable(self, text: str, raw: Raw, scope: str) -> list[str]:
        found = _SHELL_NAME.match(text)
        if found is None:
            return [HOLE]
        known = self.name(found.group(1), raw, scope)
        default = found.group(3)
        if default and known == [HOLE] and found.group(2) in {":-", "-", ":=", "="}:
            return self._word(default, raw, scope)
        return known
