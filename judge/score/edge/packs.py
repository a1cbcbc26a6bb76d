"""Packs: edge cases by people who know a field, installed beside `judge` or written beside a suite."""

from __future__ import annotations

from importlib.metadata import entry_points
from itertools import islice
from typing import TYPE_CHECKING, Any

from judge.errors import InputError
from judge.near import did_you_mean
from judge.score.edge.inputs import EdgeInput
from judge.score.edge.literals import shorten
from judge.score.edge.shape import kinds_of_call
from judge.score.reply import Status
from judge.score.values import Subclassed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from judge.score.edge.signature import Signature
    from judge.score.reply import Reply
    from judge.score.values import Value

GROUP = "judge.edge_cases"
"""Entry points of this group are called with (signature as text, names of the parameters) and give (args, category) or
(args, kwargs, category) for each input."""
_MOST = 1000
_MOST_PARTS = 1_000_000
_PLAIN = (type(None), bool, int, float, complex, str, bytes)
_BOXES = (list, tuple, set, frozenset)


def pack_inputs(
    names: Sequence[str], signature: Signature, call: Callable[[str, Sequence[Value]], Reply]
) -> list[EdgeInput]:
    """The inputs of all packs that a suite names, at most a thousand each.

    Args:
        names: Entry points, or ``file.py:function`` beside the suite.
        signature: Of the target.
        call: Calls ``file.py:function`` in a worker; code of a suite never runs here.

    Raises:
        InputError: A pack is not installed, fails, or gives what cannot be used.
    """
    found: list[EdgeInput] = []
    for name in names:
        parameters = [parameter.name for parameter in signature.parameters]
        made = (
            _beside(name, signature.text, parameters, call)
            if ":" in name
            else _installed(name, signature.text, parameters)
        )
        found += [_input(item, name, number) for number, item in enumerate(made, start=1)]
    return found


def _beside(name: str, text: str, parameters: list[str], call: Callable[[str, Sequence[Value]], Reply]) -> list[Value]:
    reply = call(name, (text, parameters))
    if reply.status is not Status.RETURNED:
        raised = f"{reply.raised.types[0]}: {reply.raised.message}" if reply.raised and reply.raised.types else ""
        raise InputError(f"the pack failed: {shorten(raised or reply.detail or reply.status.value, 300)}", where=name)
    value = reply.value
    if not isinstance(value, list | tuple):
        raise InputError("the pack gave no list", where=name, hint="return a list of (args, category)")
    return list(value[:_MOST])


def _installed(name: str, text: str, parameters: list[str]) -> list[Value]:
    known = entry_points(group=GROUP)
    if name not in known.names:
        hint = did_you_mean(name, known.names, f"installed: {', '.join(sorted(known.names)) or 'none'}")
        raise InputError("no such pack is installed", where=name, hint=hint)
    try:
        made = known[name].load()(text, list(parameters))
        return list(islice(made, _MOST))
    except Exception as error:
        # A pack is code of others: whatever it raises is the user's to see, on one line.
        raise InputError(f"the pack failed: {type(error).__name__}: {shorten(str(error), 300)}", where=name) from error


def _input(item: Any, name: str, number: int) -> EdgeInput:
    """One input of a pack.

    Raises:
        InputError: It has another shape, or holds what cannot be carried to a worker.
    """
    where = f"{name}, input {number}"
    if not isinstance(item, list | tuple) or len(item) not in (2, 3):
        raise InputError("an input is (args, category) or (args, kwargs, category)", where=where)
    args, kwargs, category = (item[0], {}, item[1]) if len(item) == 2 else item
    if not isinstance(args, list | tuple) or not isinstance(kwargs, dict) or not isinstance(category, str):
        raise InputError("an input is (args, category) or (args, kwargs, category)", where=where)
    if not all(isinstance(key, str) for key in kwargs):
        raise InputError("the names of arguments are text", where=where)
    wrong = _foreign((args, kwargs))
    if wrong:
        raise InputError(f"{wrong} cannot be carried to a worker", where=where)
    kinds = kinds_of_call(tuple(args), kwargs)
    return EdgeInput(tuple(args), dict(kwargs), shorten(category, 40) or kinds[0], name, kinds)


def _foreign(value: Any) -> str:
    """The type of the first part that is no plain data; empty when all are."""
    stack, count = [value], 0
    while stack:
        part = stack.pop()
        count += 1
        if count > _MOST_PARTS:
            return f"a value of more than {_MOST_PARTS} parts"
        if type(part) is dict:
            stack += [*part.keys(), *part.values()]
        elif type(part) in _BOXES:
            stack += part
        elif type(part) is Subclassed or type(part) not in _PLAIN:
            return f"a {type(part).__name__}"
    return ""
