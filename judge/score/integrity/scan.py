"""Reads the signs of cheating from the source; nothing of it is run."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from judge.score.integrity.names import aliases, dotted
from judge.score.integrity.parse import parse
from judge.score.integrity.signal import Attack, Signal, Strength
from judge.score.integrity.tables import (
    ALLOWED_TARGETS,
    ATTRIBUTES,
    COMPARISONS,
    FOREIGN,
    NAMES,
    PATHS,
    STOPPING,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_MAX_SIGNALS = 200
_STANDARD_DESCRIPTORS = (0, 1, 2)


def scan(source: bytes) -> tuple[Signal, ...]:
    """The signs in a source, each once, in the order of lines.

    Args:
        source: A Python file, untrusted; one that cannot be parsed has none.
    """
    tree = parse(source)
    if tree is None:
        return ()
    nodes = list(ast.walk(tree))
    names = aliases(nodes)
    at_import = _at_import(tree)
    best: dict[tuple[Attack, str], Signal] = {}
    for node in nodes:
        for signal in _signs(node, names, id(node) in at_import):
            key = (signal.attack, signal.what)
            if key not in best or signal.strength > best[key].strength:
                best[key] = signal
        if len(best) >= _MAX_SIGNALS:
            break
    return tuple(sorted(best.values(), key=lambda signal: (signal.line, signal.attack, signal.what)))


def _at_import(tree: ast.Module) -> set[int]:
    """Statements that run whenever the file is loaded: on the top level, not under a condition; and their calls."""
    found = {id(node) for node in tree.body}
    return found | {id(node.value) for node in tree.body if isinstance(node, ast.Expr)}


def _signs(node: ast.AST, names: dict[str, str], always: bool) -> Iterator[Signal]:
    line = getattr(node, "lineno", 1)
    if isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
        yield from _by_name(node, names, line)
    if isinstance(node, ast.Call):
        yield from _calls(node, names, line, always)
    elif isinstance(node, ast.Attribute) and node.attr in ATTRIBUTES:
        attack, strength = ATTRIBUTES[node.attr]
        yield Signal(attack, f".{node.attr}", line, strength)
    elif isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Delete)):
        targets: list[ast.expr] = node.targets if isinstance(node, (ast.Assign, ast.Delete)) else [node.target]
        yield from _assigned(targets, names, line, always)
    elif isinstance(node, ast.ClassDef):
        yield from _class(node)
    elif isinstance(node, ast.ExceptHandler):
        yield from _handler(node)
    elif isinstance(node, ast.Constant):
        yield from _path(node.value, line)


def _path(value: object, line: int) -> Iterator[Signal]:
    for start, attack, strength in PATHS:
        if isinstance(value, str) and value.startswith(start):
            yield Signal(attack, repr(start), line, strength)


def _by_name(node: ast.expr, names: dict[str, str], line: int) -> Iterator[Signal]:
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        return
    prefix = dotted(node, names).removeprefix("builtins.")
    while prefix and prefix not in NAMES:
        prefix = prefix.rpartition(".")[0]
    if prefix:
        attack, strength = NAMES[prefix]
        yield Signal(attack, prefix, line, strength)


def _calls(node: ast.Call, names: dict[str, str], line: int, always: bool) -> Iterator[Signal]:
    name = dotted(node.func, names)
    if name in ("os.write", "os.fdopen"):
        first = node.args[0] if node.args else None
        plain = isinstance(first, ast.Constant) and first.value in _STANDARD_DESCRIPTORS
        yield Signal(Attack.DESCRIPTORS, name, line, Strength.WEAK if plain else Strength.STRONG)
    elif name == "signal.signal" and len(node.args) > 1:
        number, handler = (dotted(argument, names) for argument in node.args[:2])
        strong = number.rpartition(".")[2] in STOPPING or handler.endswith("SIG_IGN") or not number
        what = f"signal.signal({number.rpartition('.')[2] or '…'})"
        yield Signal(Attack.SIGNALS, what, line, Strength.STRONG if strong else Strength.WEAK)
    elif name in ("setattr", "builtins.setattr", "delattr") and len(node.args) > 1:
        owner = dotted(node.args[0], names)
        yield from _foreign(f"{owner}.{_key(node.args[1])}", line, always)
    elif name == "sys.modules.update" or name.endswith(".__dict__.update"):
        yield from _foreign(name.removesuffix(".update"), line, always)


def _assigned(targets: list[ast.expr], names: dict[str, str], line: int, always: bool) -> Iterator[Signal]:
    stack = list(targets)
    while stack:
        part = stack.pop()
        if isinstance(part, (ast.Tuple, ast.List)):
            stack += part.elts
        elif isinstance(part, ast.Starred):
            stack.append(part.value)
        elif isinstance(part, ast.Subscript):
            owner = dotted(part.value, names)
            if owner == "sys.modules" or owner.endswith(".__dict__"):
                yield from _foreign(f"{owner}[{_key(part.slice)!r}]", line, always)
        elif isinstance(part, ast.Attribute):
            yield from _foreign(dotted(part, names), line, always)


def _key(node: ast.expr) -> str:
    return node.value[:80] if isinstance(node, ast.Constant) and isinstance(node.value, str) else "…"


def _foreign(name: str, line: int, always: bool) -> Iterator[Signal]:
    root = name.partition(".")[0]
    if name in ALLOWED_TARGETS or root not in FOREIGN | {"__builtins__"}:
        return
    attack = Attack.CLOCKS if root in ("time", "datetime") else Attack.TAMPERING
    yield Signal(attack, f"assignment to {name}", line, Strength.BEHAVIOUR if always else Strength.STRONG)


def _class(node: ast.ClassDef) -> Iterator[Signal]:
    for item in node.body:
        if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)) and item.name in COMPARISONS:
            value: ast.expr | None = _only_return(item)
            name, line = item.name, item.lineno
        elif isinstance(item, ast.Assign) and isinstance(item.value, ast.Lambda):
            names = [target.id for target in item.targets if isinstance(target, ast.Name) and target.id in COMPARISONS]
            name, line, value = (names[0] if names else ""), item.lineno, item.value.body
        else:
            continue
        if name and isinstance(value, ast.Constant) and (isinstance(value.value, bool) or name == "__hash__"):
            strength = Strength.WEAK if name == "__hash__" else Strength.STRONG
            yield Signal(Attack.EQUALITY, f"{node.name}.{name} always gives {value.value!r}", line, strength)


def _only_return(item: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.expr | None:
    body = [part for part in item.body if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))]
    return body[0].value if len(body) == 1 and isinstance(body[0], ast.Return) else None


def _handler(node: ast.ExceptHandler) -> Iterator[Signal]:
    broad = node.type is None or (isinstance(node.type, ast.Name) and node.type.id == "BaseException")
    if broad and all(isinstance(part, (ast.Pass, ast.Continue)) for part in node.body):
        yield Signal(Attack.SIGNALS, "BaseException swallowed", node.lineno, Strength.WEAK)
