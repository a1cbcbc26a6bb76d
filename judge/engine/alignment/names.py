"""Which agent and judge a folder is of, from its path or as the user says."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from judge.errors import InputError
from judge.jsontext import show

_ROOT = "judgment"
_KIND = "_as_a_judge"


@dataclass(frozen=True, slots=True)
class Spec:
    """A folder or file of verdicts.

    Attributes:
        path: Where it is.
        agent: The agent that was judged; empty when not known.
        judge: Who judged; empty when not known.
    """

    path: Path
    agent: str = ""
    judge: str = ""


def parse_spec(text: str, *, bare: str = "judge") -> Spec:
    """Reads ``PATH``, ``NAME=PATH`` or ``AGENT/NAME=PATH``.

    Without a name, the agent and the judge are taken from ``…/judgment/AGENT/JUDGE/…`` or
    ``…/AGENT/KIND_as_a_judge/…``.

    Args:
        text: What the user gave. A path that exists is taken as it is, even with ``=`` in it.
        bare: What a name without ``/`` is the name of: ``judge`` or ``agent``.

    Raises:
        InputError: The name or the path is empty.
    """
    before, equals, after = text.partition("=")
    if not equals or os.path.lexists(text):
        path = Path(text)
        return Spec(path, *names_of(path))
    if not before.strip() or not after:
        raise InputError(f"is {show(text)}", where="NAME=PATH", hint="a name, an equals sign and a path")
    path = Path(after)
    agent, judge = names_of(path)
    first, slash, rest = (part.strip() for part in before.partition("/"))
    if slash and first and rest:
        agent, judge = first, rest
    elif bare == "agent":
        agent = before.strip()
    else:
        judge = before.strip()
    return Spec(path, agent, judge)


def names_of(path: Path) -> tuple[str, str]:
    """The agent and the judge that a path tells, each empty when it does not.

    >>> names_of(Path("/data/judgment/OpenHands/agent_as_a_judge/gray_box"))
    ('OpenHands', 'agent_as_a_judge/gray_box')
    """
    parts = Path(os.path.abspath(path)).parts
    for number in range(len(parts) - 1, 0, -1):
        if parts[number].endswith(_KIND) and number > 1:
            return parts[number - 1], "/".join(parts[number:])
    if _ROOT in parts:
        after = parts[len(parts) - parts[::-1].index(_ROOT) :]
        return (after[0] if after else "", "/".join(after[1:]))
    return "", ""
