"""Facts of a source file through its tree-sitter grammar and query file.

A query file has two parts. Above the line ``; Tokens`` each pattern is one fact: ``@def.function``, ``@def.class``,
``@def.method`` or ``@virtual`` with ``@name`` (and ``@body``, ``@head``, ``@owner``), ``@call`` with ``@callee`` and
``@arguments``, ``@import`` with ``@module``, ``@imported`` with ``@imported.name`` and the like, ``@use`` (an import as
one text), ``@assigned`` with ``@variable`` and ``@value`` or ``@type`` (``@field`` in place of
``@variable`` for a field of an object), ``@package``, ``@runs``, ``@shown``. Below it
stand single nodes: ``@string``, ``@word``, ``@comment``, ``@param``, ``@base``, ``@decorator``, ``@silent``. A
capture named ``@is.…`` must have one of the texts in ``_ALLOWED``.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from judge.modules.graph.bodies import judge_body
from judge.modules.graph.embedded import merge, parts
from judge.modules.graph.facts import DefKind
from judge.modules.graph.imports_text import split_use
from judge.modules.graph.languages import Language, named
from judge.modules.graph.raw import Marks, Raw, RawDef, RawUse, name_scopes
from judge.modules.graph.sql_commands import shell_commands
from judge.modules.graph.taming import MAX_LINE, MAX_PAGE_LINE, cursor, parse_bounded, tame

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

__all__ = ["Raw", "RawDef", "RawUse", "extract"]

MAX_TEXT = 400
MAX_COMMENT = 4_000
MAX_ARGS = 12
MAX_FACTS = 200_000
MAX_WORDS = 400_000
_KINDS = {"def.function": DefKind.FUNCTION, "def.class": DefKind.CLASS, "def.method": DefKind.METHOD}
_ALLOWED = {
    "is.require": {"require"},
    "is.define": {"define"},
    "is.file": {"__file__"},
    "is.main": {"main"},
    "is.url": {"url"},
    "is.id": {"id"},
    "is.script": {"src"},
    "is.link": {"link"},
    "is.href": {"href"},
    "is.tag": {"img", "video", "audio", "source", "iframe", "embed", "object", "image"},
    "is.shown": {"src", "data", "poster", "href", "xlink:href"},
}
"""Texts that a capture of that name must have. Predicates in the query files would say the same, but what a predicate
turns away costs time that grows with the square of its number."""
_LISTS = re.compile(
    r"(arguments?|argument_list|parameter_list|value_arguments|token_tree|initializer_list|call_suffix)$"
)
_TAIL = re.compile(r"[\w$]+[!?]?\s*$")
_QUOTES = "\"'`<>"


@cache
def _parser(language: Language) -> tuple[Any, Any, Any]:
    """Parser and compiled queries (facts, tokens) of a language."""
    from tree_sitter import Parser, Query

    grammar = language.grammar()
    place = files("judge.modules.graph") / "queries" / f"{language.query or language.name}.scm"
    facts, _, tokens = place.read_text(encoding="utf-8").partition("; Tokens")
    return Parser(grammar), Query(grammar, facts), Query(grammar, tokens)


def extract(path: str, source: str, language: Language) -> Raw:
    """Parse a file; what does not parse is left out.

    Args:
        path: Workspace path.
        source: Its text.
        language: Its language by name; a header or script of another dialect is told from its text.
    """
    language = language.dialect(source)
    if language.reader == "r":
        from judge.modules.graph.r_source import extract_r

        return extract_r(path, source, chunks=language.name == "rmarkdown")
    raw = _extract(path, source, language)
    for name, text in parts(source, language):
        inner = named(name)
        if inner is not None and inner.analysed:
            merge(raw, extract(path, text, inner))
    return raw


def _extract(path: str, source: str, language: Language) -> Raw:
    raw = Raw(path, language.name, source)
    if not language.package:
        return raw
    data = source.encode("utf-8", "surrogatepass")
    tree, problem = _tree(data, language)
    raw.error = problem
    _, facts, tokens = _parser(language)
    marks = Marks()
    _tokens(raw, marks, tokens, tree, data)
    found = cursor(facts).matches(tree.root_node)
    for _, captures in found[:MAX_FACTS]:
        _take(raw, marks, captures, data)
    if len(found) > MAX_FACTS:
        raw.error = raw.error or "only its beginning was read"
    if source.startswith("#!"):
        raw.runs = True
    if language.name == "sql":
        raw.calls.extend(shell_commands(source))
    name_scopes(raw, marks, data)
    return raw


def _tree(data: bytes, language: Language) -> tuple[Tree, str]:
    """The tree, and what could not be parsed."""
    parser = _parser(language)[0]
    shown, tamed = tame(data, MAX_PAGE_LINE if language.tolerant else MAX_LINE)
    tree, cut = parse_bounded(parser, shown)
    if tree.root_node.has_error and language.repair and not cut:
        again, cut_again = parse_bounded(parser, language.repaired(shown))
        if not again.root_node.has_error or _damage(again) < _damage(tree):
            tree, cut = again, cut_again
    if cut:
        return tree, "only its beginning could be parsed in time"
    if tamed:
        return tree, "some lines are too long or nested too deeply to be parsed"
    return tree, "some of it does not parse" if tree.root_node.has_error and not language.tolerant else ""


def _damage(tree: Tree) -> int:
    """Bytes at the top level that are errors."""
    return sum(node.end_byte - node.start_byte for node in tree.root_node.children if node.has_error)


def _tokens(raw: Raw, marks: Marks, query: Any, tree: Tree, data: bytes) -> None:
    found = cursor(query).captures(tree.root_node)
    for node in found.get("word", ())[:MAX_WORDS]:
        text = _text(node, data, 100).lstrip(":@$")
        marks.words.append((node.start_byte, node.start_point[0] + 1, text))
    raw.strings.extend(_use(node, data, MAX_COMMENT) for node in found.get("string", ()))
    raw.comments.extend(_use(node, data, MAX_COMMENT) for node in found.get("comment", ()))
    marks.parameters.extend((node.start_byte, _text(node, data).lstrip("$&*")) for node in found.get("param", ()))
    marks.bases.extend((node.start_byte, _text(node, data)) for node in found.get("base", ()))
    marks.decorators.extend((node.start_byte, node.end_byte, _text(node, data)) for node in found.get("decorator", ()))
    marks.silent.extend((node.start_byte, node.end_byte) for node in found.get("silent", ()))


def _take(raw: Raw, marks: Marks, captures: dict[str, list[Node]], data: bytes) -> None:
    """File one match under what it is."""
    for name, nodes in captures.items():
        if name in _ALLOWED and _text(nodes[0], data, 40).lower() not in _ALLOWED[name]:
            return
    if "call" in captures:
        _call(raw, captures, data)
    elif "assigned" in captures:
        _assigned(raw, captures, data)
    elif "name" in captures:
        kind = next((found for name, found in _KINDS.items() if name in captures), DefKind.CLASS)
        raw.definitions.append(_definition(captures, kind, data))
    elif "use" in captures:
        _uses(raw, marks, captures["use"][0], data)
    elif "import" in captures:
        node = captures["import"][0]
        marks.silent.append((node.start_byte, node.end_byte))
        raw.imports.extend(_use(item, data, MAX_TEXT, _QUOTES) for item in captures["module"])
    elif "imported" in captures:
        _imported(raw, captures, data)
    else:
        _of_file(raw, captures, data)


def _of_file(raw: Raw, captures: dict[str, list[Node]], data: bytes) -> None:
    """What a match says of the file as a whole."""
    if "package" in captures:
        raw.package = raw.package or re.sub(r"::|\\", ".", _text(captures["package"][0], data))
    elif "runs" in captures:
        raw.runs = True
    elif "shown" in captures:
        raw.shown.extend(_use(node, data, MAX_TEXT, _QUOTES) for node in captures["shown"])


def _call(raw: Raw, captures: dict[str, list[Node]], data: bytes) -> None:
    node = captures["call"][0]
    arguments = captures["arguments"][0] if "arguments" in captures else None
    args: list[Node] = []
    if "argument" in captures:
        args = captures["argument"]
    elif arguments is not None:
        args = arguments.named_children if _LISTS.search(arguments.type) else [arguments]
    elif "command" in captures:
        args = captures["command"][0].children_by_field_name("argument")
    if "callee" in captures:
        callee = _text(captures["callee"][0], data, MAX_TEXT + 1)
    else:
        end = arguments.start_byte if arguments is not None else node.end_byte
        callee = _slice(data, node.start_byte, end, MAX_TEXT + 1)
    if len(callee) > MAX_TEXT:
        end = captures["callee"][0].end_byte if "callee" in captures else end
        tail = _TAIL.search(data[max(0, end - 100) : end].decode("utf-8", "ignore"))
        callee = f"?.{tail.group().strip() if tail else ''}"
    shown = tuple(_text(item, data) for item in args[:MAX_ARGS] if not item.type.endswith("comment"))
    raw.calls.append(
        RawUse(callee.strip(), node.start_point[0] + 1, node.start_byte, node.end_point[0] + 1, args=shown)
    )


def _assigned(raw: Raw, captures: dict[str, list[Node]], data: bytes) -> None:
    field = captures.get("field")
    variable = field[0] if field else captures["variable"][0]
    value = _text(captures["value"][0], data) if "value" in captures else _text(captures["type"][0], data) + "()"
    name = f"this.{_text(variable, data)}" if field else _text(variable, data)
    raw.assigned.append(RawUse(name, variable.start_point[0] + 1, variable.start_byte, value=value))


def _uses(raw: Raw, marks: Marks, node: Node, data: bytes) -> None:
    """An import statement as text: dotted names with the name each is bound to."""
    marks.silent.append((node.start_byte, node.end_byte))
    line = node.start_point[0] + 1
    for offset, (module, name, alias) in enumerate(split_use(_text(node, data, MAX_COMMENT), raw.language)):
        start = node.start_byte + offset
        raw.imports.append(RawUse(module, line, start, value=name))
        if alias:
            raw.imported.append((alias, name, start))


def _imported(raw: Raw, captures: dict[str, list[Node]], data: bytes) -> None:
    start = captures["imported"][0].start_byte
    for kind in ("imported.default", "imported.star"):
        for node in captures.get(kind, ()):
            raw.imported.append((_text(node, data), "", start))
    for node in captures.get("imported.name", ()):
        alias = captures.get("imported.alias")
        name = _text(node, data)
        raw.imported.append((_text(alias[0], data) if alias else name, name, start))


def _definition(captures: dict[str, list[Node]], kind: DefKind, data: bytes) -> RawDef:
    node = next(captures[key][0] for key in (*_KINDS, "virtual") if key in captures)
    body = captures["body"][0] if "body" in captures else None
    head = captures["head"][0] if "head" in captures else None
    name, owner = _named(_text(captures["name"][0], data))
    if "owner" in captures:
        owner = _plain(_text(captures["owner"][0], data))
    return RawDef(
        name=name,
        kind=kind,
        line=node.start_point[0] + 1,
        end_line=node.end_point[0] + 1,
        start=node.start_byte,
        end=node.end_byte,
        body=judge_body(node if head is not None else body, is_class=kind is DefKind.CLASS, data=data, head=head),
        owner=owner,
        name_start=captures["name"][0].start_byte,
        body_start=body.start_byte if body is not None else head.end_byte if head is not None else 0,
        virtual="virtual" in captures,
    )


def _named(text: str) -> tuple[str, str]:
    """Own name and owner of ``A::B::f``, ``f`` or ``Base.f``."""
    parts_ = [_plain(part) for part in re.split(r"::|\.", text.strip("\"'`[]")) if part.strip()]
    return (parts_[-1] if parts_ else text, ".".join(parts_[:-1]))


def _plain(text: str) -> str:
    """A type without its arguments."""
    return re.sub(r"<.*|\s+|\[.*", "", text, flags=re.DOTALL).lstrip("*&") or text


def _use(node: Node, data: bytes, limit: int, strip: str = "") -> RawUse:
    text = _text(node, data, limit)
    return RawUse(text.strip(strip) if strip else text, node.start_point[0] + 1, node.start_byte, node.end_point[0] + 1)


def _text(node: Node, data: bytes, limit: int = MAX_TEXT) -> str:
    return _slice(data, node.start_byte, node.end_byte, limit)


def _slice(data: bytes, start: int, end: int, limit: int) -> str:
    return data[start : min(end, start + 4 * limit)].decode("utf-8", "ignore")[:limit]
