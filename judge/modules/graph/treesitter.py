"""Facts of a source file through its tree-sitter grammar and query file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from judge.modules.graph.facts import Body, DefKind
from judge.modules.graph.languages import Language

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_TEXT = 200
_KINDS = {"def.function": DefKind.FUNCTION, "def.class": DefKind.CLASS, "def.method": DefKind.METHOD}
_TRIVIAL = frozenset(
    {
        "number",
        "string",
        "true",
        "false",
        "null",
        "undefined",
        "identifier",
        "object",
        "array",
        "integer",
        "nil",
        "none",
    }
)


@dataclass(slots=True)
class RawDef:
    """One definition with its byte range."""

    name: str
    kind: DefKind
    line: int
    end_line: int
    start: int
    end: int
    body: Body
    bases: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    qualname: str = ""


@dataclass(slots=True)
class RawUse:
    """A call, string, import or word: its text, line and place."""

    text: str
    line: int
    start: int
    end_line: int = 0
    args: tuple[str, ...] = ()
    scope: str = ""


@dataclass(slots=True)
class Raw:
    """What one file says, before other files are looked at."""

    path: str
    language: str
    source: str
    definitions: list[RawDef] = field(default_factory=list)
    calls: list[RawUse] = field(default_factory=list)
    imports: list[RawUse] = field(default_factory=list)
    imported: list[tuple[str, str, int]] = field(default_factory=list)
    """Bound name, imported name (empty for the whole module), start byte."""
    assigned: dict[str, str] = field(default_factory=dict)
    """Variables and the source text of what they hold."""
    strings: list[RawUse] = field(default_factory=list)
    words: list[RawUse] = field(default_factory=list)
    comments: list[RawUse] = field(default_factory=list)
    error: str = ""


@cache
def _parser(language: Language) -> tuple[Any, Any]:
    """Parser and compiled query of a language."""
    from tree_sitter import Parser, Query

    grammar = language.grammar()
    text = (files("judge.modules.graph") / "queries" / f"{language.query or language.name}.scm").read_text(
        encoding="utf-8"
    )
    return Parser(grammar), Query(grammar, text)


def extract(path: str, source: str, language: Language) -> Raw:
    """Parse a file; what does not parse is left out."""
    from tree_sitter import QueryCursor

    raw = Raw(path, language.name, source)
    parser, query = _parser(language)
    data = source.encode("utf-8", "surrogatepass")
    root = parser.parse(data).root_node
    if root.has_error:
        raw.error = "some of it does not parse"
    for _, captures in QueryCursor(query).matches(root):
        _take(raw, captures, data)
    _name_scopes(raw)
    return raw


def _take(raw: Raw, captures: dict[str, list[Node]], data: bytes) -> None:
    """File one match under what it is."""
    for kind, defkind in _KINDS.items():
        if kind in captures:
            raw.definitions.append(_definition(captures, defkind, captures[kind][0], data))
            return
    if "call" in captures:
        args = (
            [_text(node, data) for node in captures["arguments"][0].named_children] if "arguments" in captures else []
        )
        use = _use(captures["callee"][0], data)
        use.end_line = captures["call"][0].end_point[0] + 1
        use.args = tuple(args)
        raw.calls.append(use)
    elif "import" in captures:
        raw.imports.append(_use(captures["module"][0], data))
    elif "imported" in captures:
        _imported(raw, captures, data)
    elif "assigned" in captures:
        raw.assigned.setdefault(_text(captures["variable"][0], data), _text(captures["value"][0], data))
    else:
        for kind, target in (("string", raw.strings), ("word", raw.words), ("comment", raw.comments)):
            target.extend(_use(node, data, 4000) for node in captures.get(kind, ()))


def _imported(raw: Raw, captures: dict[str, list[Node]], data: bytes) -> None:
    start = captures["imported"][0].start_byte
    for kind in ("imported.default", "imported.star"):
        for node in captures.get(kind, ()):
            raw.imported.append((_text(node, data), "", start))
    for node in captures.get("imported.name", ()):
        alias = captures.get("imported.alias")
        name = _text(node, data)
        raw.imported.append((_text(alias[0], data) if alias else name, name, start))


def _definition(captures: dict[str, list[Node]], kind: DefKind, node: Node, data: bytes) -> RawDef:
    body = captures.get("body", [None])[0]
    parameters = node.child_by_field_name("parameters")
    if parameters is None:
        value = node.child_by_field_name("value") or node.child_by_field_name("right")
        parameters = value.child_by_field_name("parameters") if value is not None else None
    names = tuple(_text(item, data) for item in parameters.named_children) if parameters is not None else ()
    return RawDef(
        name=_text(captures["name"][0], data),
        kind=kind,
        line=node.start_point[0] + 1,
        end_line=node.end_point[0] + 1,
        start=node.start_byte,
        end=node.end_byte,
        body=_body(body, kind, data),
        bases=tuple(_text(item, data).removeprefix("extends ").strip() for item in captures.get("base", ())),
        parameters=names,
    )


def _body(node: Node | None, kind: DefKind, data: bytes) -> Body:
    if node is None:
        return Body.STUB
    items = [item for item in node.named_children if item.type != "comment"]
    if not items:
        block = node.type.endswith(("block", "body"))
        return Body.STUB if block else Body.TRIVIAL
    if kind is DefKind.CLASS:
        return Body.REAL
    if not node.type.endswith(("block", "body")):
        return Body.REAL
    if len(items) > 3:
        return Body.REAL
    if all(_is_missing(item, data) for item in items):
        return Body.STUB
    return Body.TRIVIAL if all(_is_trivial(item, data) or _is_missing(item, data) for item in items) else Body.REAL


def _is_missing(node: Node, data: bytes) -> bool:
    if node.type not in {"throw_statement", "expression_statement"}:
        return False
    text = _text(node, data).lower()
    return any(word in text for word in ("not implemented", "notimplemented", "unimplemented", "todo"))


def _is_trivial(node: Node, data: bytes) -> bool:
    if node.type == "return_statement":
        inner = node.named_children
        return not inner or (inner[0].type in _TRIVIAL and not any(_busy(item) for item in inner[0].named_children))
    return node.type == "expression_statement" and _text(node, data).startswith(("console.", "print", "alert("))


def _busy(node: Node) -> bool:
    return "call" in node.type or any("call" in item.type for item in node.named_children)


def _use(node: Node, data: bytes, limit: int = MAX_TEXT) -> RawUse:
    return RawUse(_text(node, data, limit), node.start_point[0] + 1, node.start_byte, node.end_point[0] + 1)


def _text(node: Node, data: bytes, limit: int = MAX_TEXT) -> str:
    return data[node.start_byte : min(node.end_byte, node.start_byte + 4 * limit)].decode("utf-8", "ignore")[:limit]


def _name_scopes(raw: Raw) -> None:
    """Qualified names by nesting, and the scope of every use."""
    raw.definitions.sort(key=lambda item: (item.start, -item.end))
    stack: list[RawDef] = []
    for item in raw.definitions:
        while stack and stack[-1].end <= item.start:
            stack.pop()
        if stack and stack[-1].kind is DefKind.CLASS and item.kind is DefKind.FUNCTION:
            item.kind = DefKind.METHOD
        item.qualname = f"{stack[-1].qualname}.{item.name}" if stack else item.name
        stack.append(item)
    for uses in (raw.calls, raw.strings, raw.words):
        uses.sort(key=lambda use: use.start)
        _scopes_of(uses, raw.definitions)


def _scopes_of(uses: Sequence[RawUse], definitions: Sequence[RawDef]) -> None:
    stack: list[RawDef] = []
    position = 0
    for use in uses:
        while position < len(definitions) and definitions[position].start <= use.start:
            stack.append(definitions[position])
            position += 1
        while stack and stack[-1].end <= use.start:
            stack.pop()
        use.scope = stack[-1].qualname if stack else ""
