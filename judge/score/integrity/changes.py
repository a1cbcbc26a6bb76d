"""Changes an input a little, so that an answer learnt by heart no longer fits."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from judge.score.integrity.literals import atoms_of

if TYPE_CHECKING:
    from judge.score.questions import Question
    from judge.score.values import Value

_BIGGEST = 2_000
_DEPTH = 40
_REORDER, _REPEAT = 0.35, 0.5
"""Up to the first, two items of a list change places; up to the second, one is repeated; else one is changed."""

_NUMBER = re.compile(rb"\d+")


def change_question(question: Question, draw: random.Random) -> Question | None:
    """The same question with one part of its input changed; None when nothing in it can be.

    Args:
        question: With its arguments made.
        draw: Seeded.
    """
    if question.stdin is not None:
        stdin = _change_text_numbers(question.stdin, draw)
        return None if stdin is None else replace(question, stdin=stdin)
    if question.calls is not None:
        calls = list(question.calls)
        able = [index for index, call in enumerate(calls) if can_change(call[1])]
        if not able:
            return None
        index = draw.choice(able)
        name, given, kwargs = calls[index]
        calls[index] = (name, tuple(change(list(given), draw)), kwargs)
        return replace(question, calls=tuple(calls))
    able = [index for index, value in enumerate(question.args) if can_change(value)]
    if not able:
        return None
    args = list(question.args)
    index = draw.choice(able)
    args[index] = change(args[index], draw)
    return replace(question, args=tuple(args))


def can_change(value: Value) -> bool:
    """Whether a value holds something that can be changed, and is small enough to."""
    atoms = atoms_of(value)
    return len(atoms) <= _BIGGEST and any(_changeable(atom) for atom in atoms)


def change(value: Value, draw: random.Random) -> Value:
    """A value of the same shape that differs in one place: a leaf, or the order or number of items of a list.

    Numbers that are not negative stay so, and letters stay letters, since a suite rarely says how far its inputs go.

    Args:
        value: For which ``can_change`` holds.
        draw: Seeded.
    """
    return _change(value, draw, 0)


def _changeable(atom: object) -> bool:
    return isinstance(atom, (int, float)) or (isinstance(atom, (str, bytes)) and len(atom) > 0)


def _change(value: Value, draw: random.Random, depth: int) -> Value:
    if isinstance(value, (list, tuple)) and value:
        items = _change_items(list(value), draw, depth)
        return items if isinstance(value, list) else tuple(items)
    if isinstance(value, dict) and value:
        able = [key for key in value if can_change(value[key])]
        if not able or depth > _DEPTH:
            return value
        key = draw.choice(able)
        return {**value, key: _change(value[key], draw, depth + 1)}
    if isinstance(value, (set, frozenset)) and value:
        items = sorted(value, key=repr)
        index = draw.randrange(len(items))
        items[index] = _change(items[index], draw, depth + 1)
        return type(value)(items)
    return _change_atom(value, draw)


def _change_items(items: list[Value], draw: random.Random, depth: int) -> list[Value]:
    able = [index for index, item in enumerate(items) if can_change(item)]
    if not able or depth > _DEPTH:
        return items
    index = draw.choice(able)
    others = [other for other, item in enumerate(items) if type(item) is type(items[index]) and item != items[index]]
    way = draw.random()
    if others and way < _REORDER:
        other = draw.choice(others)
        items[index], items[other] = items[other], items[index]
        return items
    if others and way < _REPEAT:
        return [*items, items[index]]
    items[index] = _change(items[index], draw, depth + 1)
    return items


def _change_atom(value: Value, draw: random.Random) -> Value:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        step = draw.randint(1, max(3, abs(value) // 4 if abs(value) < 10**9 else 10**6))
        return value - step if value < 0 or (value > step and draw.random() < 0.5) else value + step
    if isinstance(value, float):
        return value + draw.choice((0.5, 1.25, 2.0)) if value >= 0 else value - draw.choice((0.5, 1.25, 2.0))
    if isinstance(value, str) and value:
        index = draw.randrange(len(value))
        return value[:index] + _other_letter(value[index], draw) + value[index + 1 :]
    if isinstance(value, bytes) and value:
        index = draw.randrange(len(value))
        return value[:index] + bytes([(value[index] + 1) % 256]) + value[index + 1 :]
    return value


def _other_letter(letter: str, draw: random.Random) -> str:
    for group in ("0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"):
        if letter in group:
            return draw.choice(group.replace(letter, ""))
    return letter


def _change_text_numbers(stdin: bytes, draw: random.Random) -> bytes | None:
    """Another digit for one number that is not the first: the first often says how many follow."""
    found = list(_NUMBER.finditer(stdin[:100_000]))
    if not found:
        return None
    number = draw.choice(found[1:] or found)
    value = _change_atom(int(number.group()[:18]), draw)
    return stdin[: number.start()] + str(abs(value)).encode() + stdin[number.end() :]
