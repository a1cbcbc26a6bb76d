"""How much of a suite's visible cases stands as literals in a source."""

from __future__ import annotations

import ast
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from judge.score.integrity.names import aliases, dotted
from judge.score.integrity.parse import parse

if TYPE_CHECKING:
    from collections.abc import Iterable

_MAX_ATOMS = 20_000
_COMMON_NUMBERS = 3
"""Numbers up to this size are in every program."""
_LONG_TEXT = 4
_DIGESTS = ("hashlib", "zlib.crc32", "zlib.adler32", "binascii", "base64", "zlib.decompress", "marshal", "codecs")


@dataclass(frozen=True)
class Literals:
    """The constants of a source.

    Attributes:
        atoms: Strings, bytes and numbers (without sign).
        texts: Strings and bytes long enough to hold encoded cases.
        digests: Whether it computes digests or decodes text, so that literals may be hidden.
    """

    atoms: frozenset[object] = frozenset()
    texts: tuple[str, ...] = field(default=())
    digests: bool = False

    def hold(self, value: object) -> bool:
        """Whether a value stands in the source: all its uncommon parts are constants, or its text is in a string.

        A value without an uncommon part is never held.
        """
        parts = [atom for atom in atoms_of(value) if _uncommon(atom)]
        if not parts:
            return False
        if all(_key(atom) in self.atoms for atom in parts):
            return True
        spellings = [_flat(repr(value)), _flat(_json(value))]
        return any(spelling and spelling in text for text in self.texts for spelling in spellings)


def literals_of(source: bytes) -> Literals:
    """The constants of a source; none when it cannot be parsed."""
    tree = parse(source)
    if tree is None:
        return Literals()
    nodes = list(ast.walk(tree))
    names = aliases(nodes)
    atoms: set[object] = set()
    texts: list[str] = []
    digests = False
    for node in nodes:
        if isinstance(node, ast.Constant) and _uncommon(node.value):
            atoms.add(_key(node.value))
            if isinstance(node.value, (str, bytes)) and len(node.value) > _LONG_TEXT:
                text = node.value if isinstance(node.value, str) else node.value.decode("utf-8", "replace")
                texts.append(_flat(text))
        elif isinstance(node, ast.Call):
            plain_hash = isinstance(node.func, ast.Name) and node.func.id == "hash"
            digests = digests or plain_hash or dotted(node.func, names).startswith(_DIGESTS)
    return Literals(frozenset(atoms), tuple(texts), digests)


def atoms_of(value: object) -> list[object]:
    """The scalars of a plain value, at most twenty thousand."""
    found: list[object] = []
    stack = [value]
    while stack and len(found) < _MAX_ATOMS:
        part = stack.pop()
        if isinstance(part, dict):
            stack += [*part.keys(), *part.values()]
        elif isinstance(part, (list, tuple, set, frozenset)):
            stack += part
        else:
            found.append(part)
    return found


def _uncommon(atom: object) -> bool:
    if isinstance(atom, (str, bytes)):
        return bool(atom.strip())
    if isinstance(atom, bool) or not isinstance(atom, (int, float, complex)):
        return False
    return not abs(atom) <= _COMMON_NUMBERS


def _key(atom: object) -> object:
    """The sign of a number is an operator in the source."""
    return abs(atom) if isinstance(atom, (int, float)) else atom


def _flat(text: str) -> str:
    return "".join(text.split())


def _json(value: object) -> str:
    try:
        return json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        return ""


def held_share(literals: Literals, values: Iterable[tuple[object, object]]) -> float:
    """Share of cases, as pairs of input and expected output, of which either stands in the source; 0 without cases."""
    cases = list(values)
    return sum(literals.hold(given) or literals.hold(wanted) for given, wanted in cases) / len(cases) if cases else 0.0
