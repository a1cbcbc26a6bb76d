"""Reads one expression of any language, token by token, as the paths it can be."""

from __future__ import annotations

import re
from typing import Protocol

from judge.modules.graph.conventions import Conventions
from judge.modules.graph.pieces import HOLE, MAX_VALUES, folder_of, join, known, pairs, product
from judge.modules.graph.raw import Raw
from judge.modules.graph.words import SEPARATORS, Literal, Token, literal, split_arguments

MAX_DEPTH = 10
_FORMAT = re.compile(r"%[-+ #0]*[\d.*]*(?:l{1,2}|h{1,2}|z)?[a-zA-Z@]|\{[^{}]*\}")
WORKING = re.compile(
    r"cwd|getwd|pwd|CurrentDirectory|here\(\)|projectdir|BaseDirectory|ABSPATH|MANIFEST|rev-parse|root$", re.IGNORECASE
)
"""Names of the working directory, rather than of the folder of the code."""
_PREFIXES = frozenset(
    {"new", "await", "try", "return", "&", "*", "mut", "var", "val", "const", "auto", "not", "unsafe", "!", "@", "ref"}
)
_COMPARISONS = frozenset({"<", ">", "=", "==", "!", "&&", "<>"})
OWN = frozenset({"this", "self", "$this", "Self", "static", "@", "cls"})
"""What an object calls itself."""


class Known(Protocol):
    """Where the reader asks for what it does not see."""

    table: Conventions

    def literal(self, item: Literal, raw: Raw, scope: str) -> list[str]:
        """What a string literal can be."""

    def name(self, name: str, raw: Raw, scope: str) -> list[str]:
        """What a variable can be."""


class Reader:
    """Reads the tokens of one expression."""

    def __init__(self, values: Known, items: list[Token], raw: Raw, scope: str, depth: int = 0) -> None:
        self.values = values
        self.table = values.table
        self.items = items
        self.raw = raw
        self.scope = scope
        self.depth = depth
        self.at = 0

    def value(self) -> list[str]:
        """What the expression can be."""
        if self.depth > MAX_DEPTH:
            return [HOLE]
        result = self._term()
        while self.at < len(self.items):
            text = self.items[self.at].text
            if text in self.table.concat:
                self.at += 1
                result = product(result, self._term())
            elif text in self.table.join_operators:
                self.at += 1
                result = [join(parts) for parts in pairs(result, self._term())]
            elif text in {"||", "??", "?:", "or"} or (text == "?" and self.at + 1 < len(self.items)):
                self.at += 1
                result = self._alternatives(result, ternary=text == "?")
            elif text in _COMPARISONS:
                self.at += 1
                self._term()
                result = [HOLE]
            elif self.table.juxtaposed and self.items[self.at].kind in {"string", "name"}:
                result = product(result, self._term())
            elif text == "%" and self.at + 1 < len(self.items):
                self.at += 1
                result = [_FORMAT.sub(HOLE, item) for item in result]
                self._term()
            else:
                break
        return result[:MAX_VALUES]

    def _alternatives(self, first: list[str], *, ternary: bool) -> list[str]:
        rest = Reader(self.values, self.items[self.at :], self.raw, self.scope, self.depth + 1)
        second = rest.value()
        self.at += rest.at
        if ternary and self.at < len(self.items) and self.items[self.at].text == ":":
            self.at += 1
            last = Reader(self.values, self.items[self.at :], self.raw, self.scope, self.depth + 1)
            third = last.value()
            self.at += last.at
            return known([*second, *third])
        return known([*second] if ternary else [*first, *second])

    def _term(self) -> list[str]:
        while self.at < len(self.items) and self.items[self.at].text in _PREFIXES:
            self.at += 1
        if self.at >= len(self.items):
            return [HOLE]
        token = self.items[self.at]
        self.at += 1
        if token.kind == "string":
            item = literal(token.text)
            return self._postfix(self.values.literal(item, self.raw, self.scope) if item is not None else [HOLE])
        if token.kind == "number":
            return [token.text]
        if token.kind == "name":
            return self._chain(token.text)
        if token.kind == "open":
            inner = self._bracket()
            if token.text != "(":
                return self._postfix([HOLE])
            return self._postfix(Reader(self.values, inner, self.raw, self.scope, self.depth + 1).value())
        return [HOLE]

    def _bracket(self) -> list[Token]:
        """The tokens up to the closing bracket, which is passed."""
        depth, start = 1, self.at
        while self.at < len(self.items):
            depth += (self.items[self.at].kind == "open") - (self.items[self.at].kind == "close")
            self.at += 1
            if depth == 0:
                return self.items[start : self.at - 1]
        return self.items[start:]

    def _chain(self, first: str) -> list[str]:
        """Names with dots, and what is called."""
        names = [first]
        while self.at < len(self.items):
            text = self.items[self.at].text
            is_concat = text in self.table.concat
            if text in SEPARATORS and not is_concat and self._follows("name"):
                names.append(self.items[self.at + 1].text)
                self.at += 2
            elif text == "(":
                self.at += 1
                return self._postfix(self._called(names, self._bracket()))
            else:
                break
        dotted = ".".join(names)
        if dotted in self.table.here:
            return self._postfix([self._place(dotted)])
        if names[0] in OWN and len(names) > 1:
            names = names[1:]
        if len(names) > 1 and names[-1] in self.table.same_methods:
            names = names[:-1]
        return self._postfix(self.values.name(".".join(names).lstrip("$@"), self.raw, self.scope))

    def _follows(self, kind: str) -> bool:
        return self.at + 1 < len(self.items) and self.items[self.at + 1].kind == kind

    def _place(self, text: str) -> str:
        return "" if WORKING.search(text) else folder_of(self.raw)

    def _postfix(self, value: list[str]) -> list[str]:
        """Methods and indexes of a value."""
        while self.at < len(self.items):
            text = self.items[self.at].text
            if text in SEPARATORS and text not in self.table.concat and self._follows("name"):
                name = self.items[self.at + 1].text
                self.at += 2
                arguments: list[Token] = []
                if self.at < len(self.items) and self.items[self.at].text == "(":
                    self.at += 1
                    arguments = self._bracket()
                value = self._method(value, name, arguments)
            elif text == "[":
                self.at += 1
                self._bracket()
                value = [HOLE]
            elif text in {"!", "!!"} or (text == "?" and self.at + 1 == len(self.items)):
                self.at += 1
            else:
                break
        return value

    def _method(self, value: list[str], name: str, arguments: list[Token]) -> list[str]:
        table = self.table
        if name in table.join_methods:
            for part in self._arguments(arguments)[:4]:
                value = [join(item) for item in pairs(value, part)]
            return value
        if name in table.concat_methods:
            for part in self._arguments(arguments)[:4]:
                value = product(value, part)
            return value
        if name in table.same_methods:
            return value
        if name in {"format", "formatted", "arg"}:
            return [_FORMAT.sub(HOLE, item) for item in value]
        if any(_ends(name, one) for one in table.default):
            return known([*value, *(self._arguments(arguments) or [[HOLE]])[0]])
        return [HOLE]

    def _arguments(self, items: list[Token]) -> list[list[str]]:
        found = []
        for part in split_arguments(items)[:8]:
            if len(part) > 2 and part[0].kind == "name" and part[1].text in self.table.named:
                part = part[2:]
            found.append(Reader(self.values, part, self.raw, self.scope, self.depth + 1).value())
        return found

    def _called(self, names: list[str], inner: list[Token]) -> list[str]:
        """What a function of paths or texts gives."""
        table = self.table
        dotted = ".".join(names)
        spelled = f"{dotted}({''.join(token.text for token in inner)})"
        if spelled in table.here:
            return [self._place(spelled)]
        arguments = self._arguments(inner) if self.depth < MAX_DEPTH else []
        if not arguments:
            return [HOLE]
        for functions, make in (
            (table.format, self._formatted),
            (table.join, _joined),
            (table.concat_functions, _concatenated),
            (table.spaced_functions, _spaced),
        ):
            if any(_ends(dotted, one) for one in functions):
                return make(arguments)
        if any(_ends(dotted, one) for one in table.same):
            return arguments[0]
        if any(_ends(dotted, one) for one in table.default) and len(arguments) > table.default_at:
            return arguments[table.default_at]
        if len(names) > 1 and names[-1] in table.join_methods | table.concat_methods | table.same_methods:
            own = names[1:-1] if names[0] in OWN and len(names) > 2 else names[:-1]
            receiver = self.values.name(".".join(own).lstrip("$@"), self.raw, self.scope)
            return self._method(receiver, names[-1], inner)
        return [HOLE]

    def _formatted(self, arguments: list[list[str]]) -> list[str]:
        values = iter(arguments[1:])

        def fill(match: re.Match[str]) -> str:
            inner = match.group()[1:-1].split(":")[0] if match.group()[0] == "{" else ""
            if re.fullmatch(r"[A-Za-z_][\w.]*", inner):
                found = self.values.name(inner, self.raw, self.scope)
            else:
                found = next(values, [HOLE])
            return found[0] if len(found) == 1 else HOLE

        return [_FORMAT.sub(fill, item) for item in arguments[0][:1]]


def _ends(dotted: str, name: str) -> bool:
    return dotted == name or dotted.endswith(f".{name}")


def _joined(arguments: list[list[str]]) -> list[str]:
    result = arguments[0]
    for part in arguments[1:]:
        result = [join(item) for item in pairs(result, part)]
    return result


def _concatenated(arguments: list[list[str]]) -> list[str]:
    result = arguments[0]
    for part in arguments[1:]:
        result = product(result, part)
    return result


def _spaced(arguments: list[list[str]]) -> list[str]:
    return [" ".join(part[0] for part in arguments)]
