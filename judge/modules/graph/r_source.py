"""Facts of R source: a tokenizer and one pass over the tokens, because R has no grammar package."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from judge.modules.graph.embedded import only, r_chunks
from judge.modules.graph.facts import Body, DefKind
from judge.modules.graph.raw import Marks, Raw, RawDef, RawUse, name_scopes

MAX_ARGS = 12
MAX_TEXT = 400
MAX_TOKENS = 300_000
MAX_BODY = 400
"""Tokens of a function body without braces."""
_TOKEN = re.compile(
    r"""(?P<comment>\#[^\n]*)
    |(?P<string>[rR]"(?P<dash>-{0,20})\(.{0,4000}?\)(?P=dash)"|[rR]'(?P<dash2>-{0,20})\(.{0,4000}?\)(?P=dash2)'
        |"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    |(?P<name>`[^`\n]*`|(?:[A-Za-z]|\.(?![0-9]))[\w.]*)
    |(?P<number>[0-9][\w.]*|\.[0-9]\w*)
    |(?P<op><<-|<-|->>|->|:::|::|\|>|%[^%\n]*%|==|!=|<=|>=|&&|\|\||[-+*/^~?:=<>!&|@$\\])
    |(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<comma>,)|(?P<end>[;\n])""",
    re.VERBOSE | re.DOTALL,
)
_PIPES = frozenset({"|>", "%>%", "%<>%", "%T>%"})
_ASSIGN = frozenset({"<-", "<<-", "="})
_KEYWORDS = frozenset(
    "if else for while repeat function in next break TRUE FALSE NULL NA NaN Inf NA_integer_ NA_character_".split()
)
_CLASSES = frozenset({"setClass", "setRefClass", "R6Class", "new_class"})
_GENERICS = frozenset({"setMethod", "setGeneric", "setReplaceMethod"})
_MISSING = re.compile(r"not (?:yet )?implemented|\bTODO\b", re.IGNORECASE)


@dataclass(slots=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int
    line: int


@dataclass(slots=True)
class _Open:
    """An open bracket: what it belongs to."""

    token: int
    call: RawUse | None = None
    pieces: list[int] = field(default_factory=list)
    """Offsets where arguments begin."""
    heads: bool = False
    """Whether it holds the parameters of a function."""


def extract_r(path: str, source: str, *, chunks: bool = False) -> Raw:
    """What an R script says.

    Args:
        path: Workspace path.
        source: Its text.
        chunks: Whether it is a Markdown document of which only the R chunks count.
    """
    text = only(source, r_chunks(source)) if chunks else source
    raw = _Reader(path, source, text).run()
    raw.language = "rmarkdown" if chunks else "r"
    return raw


class _Reader:
    def __init__(self, path: str, source: str, text: str) -> None:
        self.raw = Raw(path, "r", source, runs=source.startswith("#!"))
        self.text = text
        self.marks = Marks()
        self.tokens = list(self._scan())
        self.closing = _pairs(self.tokens)
        self.stack: list[_Open] = []
        self.pending: list[tuple[str, _Token, int]] = []
        """Functions whose body has not begun: name, token of the name, bracket depth."""

    def _scan(self) -> Iterator[_Token]:
        line = 1
        for number, match in enumerate(_TOKEN.finditer(self.text)):
            if number > MAX_TOKENS:
                self.raw.error = "only its beginning was read"
                return
            kind = match.lastgroup or ""
            kind = "string" if kind.startswith("dash") else kind
            text = match.group()
            if kind == "comment":
                self.raw.comments.append(RawUse(text, line, match.start(), line))
            else:
                yield _Token(kind, text, match.start(), match.end(), line)
            line += text.count("\n")

    def run(self) -> Raw:
        for position, token in enumerate(self.tokens):
            if token.kind == "string":
                self.raw.strings.append(RawUse(token.text, token.line, token.start, token.line))
            elif token.kind == "name":
                self._name(position, token)
            elif token.kind == "open":
                self._opened(position, token)
            elif token.kind == "comma" and self.stack and self.stack[-1].call is not None:
                self.stack[-1].pieces.append(token.end)
            elif token.kind == "close" and self.stack:
                self._closed(position, token)
            elif token.text in _ASSIGN:
                self._assign(position)
            elif token.text == "\\" and self._is("open", position + 1):
                self._function(position)
        if self.stack and not self.raw.error:
            self.raw.error = "some of it does not parse"
        name_scopes(self.raw, self.marks, self.text.encode("utf-8", "surrogatepass"))
        return self.raw

    def _is(self, kind: str, position: int) -> bool:
        return 0 <= position < len(self.tokens) and self.tokens[position].kind == kind

    def _name(self, position: int, token: _Token) -> None:
        if token.text == "function" and self._is("open", position + 1):
            self._function(position)
        elif token.text not in _KEYWORDS:
            name = token.text.strip("`")
            self.marks.words.append((token.start, token.line, name))
            if self.stack and self.stack[-1].heads and self.tokens[position - 1].text in {"(", ","}:
                self.marks.parameters.append((token.start, name))

    def _opened(self, position: int, token: _Token) -> None:
        before = self.tokens[position - 1] if position else None
        bracket = _Open(position)
        if token.text == "(" and before is not None:
            if before.kind == "name" and before.text not in _KEYWORDS:
                bracket.call = self._call(position - 1)
                bracket.pieces.append(token.end)
            elif before.text in {"function", "\\"}:
                bracket.heads = True
        self.stack.append(bracket)

    def _call(self, position: int) -> RawUse:
        first = position
        while (
            first >= 2
            and self.tokens[first - 1].text in {"::", ":::", "$", "@"}
            and self.tokens[first - 2].kind == "name"
        ):
            first -= 2
        name = "".join(item.text for item in self.tokens[first : position + 1]).replace("`", "")
        start = self.tokens[first]
        use = RawUse(name[:MAX_TEXT], start.line, start.start, start.line)
        before = first - 1
        while self._is("end", before) and self.tokens[before].text == "\n":
            before -= 1
        if before >= 0 and self.tokens[before].text in _PIPES:
            use.args = (".",)
        self.raw.calls.append(use)
        return use

    def _closed(self, position: int, token: _Token) -> None:
        bracket = self.stack.pop()
        use = bracket.call
        if bracket.heads:
            self._body(position + 1)
        if use is None:
            return
        use.end_line = token.line
        ends = [*(piece - 1 for piece in bracket.pieces[1:]), token.start]
        places = list(zip(bracket.pieces, ends, strict=True))[:MAX_ARGS]
        args = [self.text[start : min(end, start + MAX_TEXT)].strip() for start, end in places]
        use.args += tuple(arg for arg in args if arg)
        self._known_call(use, token)

    def _known_call(self, use: RawUse, token: _Token) -> None:
        """Imports, classes and methods are calls in R."""
        name = use.text.rpartition("::")[2]
        first = use.args[0].strip("\"'`") if use.args else ""
        if name in {"library", "require", "requireNamespace", "loadNamespace"} and re.fullmatch(r"[\w.]+", first):
            self.raw.imports.append(RawUse(first, use.line, use.start, value=""))
            self.raw.imported.append((first, "", use.start))
        elif name in _CLASSES | _GENERICS and re.fullmatch(r"[\w.]+", first):
            kind = DefKind.CLASS if name in _CLASSES else DefKind.FUNCTION
            self.raw.definitions.append(
                RawDef(first, kind, use.line, token.line, use.start, token.end, Body.REAL, body_start=use.start + 1)
            )

    def _function(self, position: int) -> None:
        """A function with a name: ``name <- function(...)`` or ``name = function(...)``."""
        if position >= 2 and self.tokens[position - 1].text in _ASSIGN and self._is_target(position - 2):
            name = self.tokens[position - 2]
            self.pending.append((name.text.strip("`\"'"), name, len(self.stack)))

    def _is_target(self, position: int) -> bool:
        return self.tokens[position].kind in {"name", "string"}

    def _body(self, position: int) -> None:
        """The body that begins after the parameters, for the innermost function that waits for it."""
        if not self.pending or self.pending[-1][2] != len(self.stack):
            return
        text, token, _ = self.pending.pop()
        first, last = self._extent(position)
        if first >= len(self.tokens):
            return
        end = self.tokens[last]
        self.raw.definitions.append(
            RawDef(
                name=text,
                kind=DefKind.FUNCTION,
                line=token.line,
                end_line=end.line,
                start=token.start,
                end=end.end,
                body=_body_of(self.tokens[first : min(last, first + MAX_BODY) + 1], self.tokens[last]),
                name_start=token.start,
                body_start=self.tokens[first].start,
            )
        )

    def _extent(self, position: int) -> tuple[int, int]:
        """First and last token of a function body."""
        while self._is("end", position) and self.tokens[position].text == "\n":
            position += 1
        first, last = position, min(len(self.tokens), position + MAX_BODY)
        while position < last:
            token = self.tokens[position]
            if token.kind == "open":
                closing = self.closing.get(position, len(self.tokens) - 1)
                if position == first and token.text == "{":
                    return first, closing
                position = closing
            elif token.kind == "close" or (token.kind in {"end", "comma"} and self._is_whole(position)):
                return first, max(first, position - 1)
            position += 1
        return first, min(position, len(self.tokens)) - 1

    def _is_whole(self, position: int) -> bool:
        """Whether the line before does not go on after its end."""
        return self.tokens[position].kind == "comma" or self.tokens[position - 1].kind not in {"op", "open"}

    def _assign(self, position: int) -> None:
        """A variable and the text of what it is set to, up to the end of the line."""
        if position == 0 or not self._is_target(position - 1):
            return
        if self.stack and self._in_call() and not self.stack[-1].heads:
            return
        token = self.tokens[position - 1]
        end = self.tokens[position].end
        stop = end
        depth = 0
        for item in self.tokens[position + 1 : position + 80]:
            depth += (item.kind == "open") - (item.kind == "close")
            if depth < 0 or (depth == 0 and item.kind in {"end", "comma"}):
                break
            stop = item.end
        value = self.text[end:stop].strip()[:MAX_TEXT]
        self.raw.assigned.append(RawUse(token.text.strip("`\"'"), token.line, token.start, value=value))

    def _in_call(self) -> bool:
        return self.tokens[self.stack[-1].token].text != "{"


def _pairs(tokens: list[_Token]) -> dict[int, int]:
    """The closing bracket of every opening one that has one."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for position, token in enumerate(tokens):
        if token.kind == "open":
            opened.append(position)
        elif token.kind == "close" and opened:
            found[opened.pop()] = position
    return found


def _body_of(tokens: list[_Token], last: _Token) -> Body:
    """What the first tokens of a body say; braces around it do not count."""
    inner = [token for token in tokens if token.kind != "end"]
    if inner and inner[0].text == "{":
        inner = [token for token in inner[1:] if token is not last]
    if not inner or (len(inner) == 1 and inner[0].text == "NULL" and tokens[0].text == "{"):
        return Body.STUB
    if inner[0].text in {"stop", "warning"} and any(_MISSING.search(token.text) for token in inner):
        return Body.STUB
    if inner[0].text == "return" and len(inner) <= 4:
        return Body.TRIVIAL
    return Body.TRIVIAL if len(inner) == 1 else Body.REAL
