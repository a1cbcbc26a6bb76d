"""What the body of a definition amounts to, whatever the language: told by its statements."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judge.modules.graph.facts import Body

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_STATEMENT = 400
_BLOCK = re.compile(r"(block|body|statement|statements|declaration_list|statement_list|procedure_body)$")
_WRAPPERS = frozenset(
    {"function_body", "statements", "statement_list", "block", "body_statement", "compound_statement"}
)
_MISSING = re.compile(
    r"not[ _]?(?:yet[ _])?implemented|unimplemented|notimplemented|unsupportedoperation|\bTODO\b|\?\?\?|\btodo!"
    r"|coming soon",
    re.IGNORECASE,
)
_RAISING = re.compile(
    r"^\W*(?:throw|raise|panic|fatalError|todo!|unimplemented!|TODO\(|\?\?\?|error|stop|die|abort|exit|print\w*|puts"
    r"|echo|"
    r"console\.|return\s+(?:Err|nil|null|errors?\.|fmt\.Errorf)|fmt\.|log|std::cerr|std::cout|System\.out|NSLog)"
)
_EMPTY = re.compile(r"^(?:pass|nothing|:|true|\.\.\.|\(\)|;)$")
_RETURNS = re.compile(
    r"^(?:return\b|ret\b)?\s*(?:-?[\d.]+\w?|[\"'`][^\"'`]*[\"'`]|true|false|null|nil|none|None|NULL|nullptr|undefined|"
    r"nothing|Ok\(\(\)\)|default|\[\]|\{\}|\(\)|NA|0|(?:return\s+)?[A-Za-z_$@][\w.$]*)?\s*;?$",
    re.IGNORECASE,
)
_PRINTS = re.compile(
    r"^(?:console\.\w+|print(?:ln|f)?!?|System\.out\.\w+|puts|p|echo|fmt\.Print\w*|std::cout|cout|printf"
    r"|Console\.Write\w*|"
    r"alert|NSLog|cat|message|e?println!?|log\.\w+)\b[\s(<!\"']"
)


def judge_body(node: Node | None, *, is_class: bool, data: bytes, head: Node | None = None) -> Body:
    """Whether a body does something, is a stub or only returns what is given.

    Args:
        node: The body; None when the definition has none.
        is_class: Whether it is the body of a class.
        data: Source of the file.
        head: For grammars that put statements beside the signature: the node after which they begin.
    """
    if node is None:
        return Body.REAL if is_class else Body.STUB
    items = [item for item in _statements(node) if not item.type.endswith("comment")]
    if head is not None:
        items = [item for item in items if item.start_byte >= head.end_byte]
    if is_class:
        return Body.REAL if items else Body.STUB
    block = head is not None or _BLOCK.search(node.type) is not None
    if not items:
        return _leaf(node, data) if not block or _text(node, data).strip("{} \n\t;") else Body.STUB
    if not block:
        return Body.STUB if _is_missing(_text(node, data)) else Body.REAL
    if len(items) > 3:
        return Body.REAL
    return _of_statements([_text(item, data) for item in items])


def _of_statements(texts: list[str]) -> Body:
    if all(_EMPTY.match(text) or _is_missing(text) for text in texts):
        return Body.STUB
    trivial = all(
        _EMPTY.match(text) or _is_missing(text) or _RETURNS.match(text) or (_PRINTS.match(text) and _is_plain(text))
        for text in texts
    )
    return Body.TRIVIAL if trivial else Body.REAL


def _leaf(node: Node, data: bytes) -> Body:
    """A body that is a single word or literal, such as ``??? `` or ``0``."""
    text = _text(node, data)
    if _is_missing(text):
        return Body.STUB
    return Body.TRIVIAL if _RETURNS.match(text.lstrip("=> ")) else Body.REAL


def _is_missing(text: str) -> bool:
    return _MISSING.search(text) is not None and _RAISING.match(text) is not None


def _is_plain(text: str) -> bool:
    """Whether a print only says something: no call among what is printed."""
    inner = text[text.find("(") + 1 :] if "(" in text else text
    return re.search(r"[A-Za-z_]\w*\s*\(", re.sub(r"\"[^\"]*\"|'[^']*'|`[^`]*`", "", inner)) is None


def _statements(node: Node) -> list[Node]:
    """The statements inside, through the wrappers that some grammars put around them."""
    for _ in range(4):
        inner = node.named_children
        if len(inner) == 1 and inner[0].type in _WRAPPERS:
            node = inner[0]
        else:
            return inner
    return node.named_children


def _text(node: Node, data: bytes) -> str:
    end = min(node.end_byte, node.start_byte + MAX_STATEMENT)
    return data[node.start_byte : end].decode("utf-8", "ignore").strip()
