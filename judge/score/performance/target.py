"""Turns what a suite targets into something that can be timed as one call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.score.execute import Program

if TYPE_CHECKING:
    from judge.score.suite.model import Suite

_MAIN = "timed_target.py"

_CLASS = """\
from {module} import {entry} as _target


def timed(init, calls):
    made = _target(*init)
    return [getattr(made, call[0])(*call[1], **(call[2] if len(call) > 2 else {{}})) for call in calls]
"""

_IN_PLACE = """\
from {module} import {entry} as _target


def timed(*args):
    return [_target(*args), list(args)]
"""

_IN_PLACE_ASYNC = """\
import inspect
from {module} import {entry} as _target


async def timed(*args):
    made = _target(*args)
    return [await made if inspect.isawaitable(made) else made, list(args)]
"""


def works_in_place(suite: Suite) -> bool:
    """Whether the arguments after a call are part of the answer."""
    return suite.target.kind == "function" and suite.inputs.mutation == "allow"


def timed_program(program: Program, suite: Suite) -> Program:
    """A program whose function is one timed call.

    Of a class that is a construction with its calls; of a function that may work in place, its output together with
    the arguments.

    The few lines around it run in the worker of the submission and are as little to be trusted as it; they only shape
    what it claims to answer.

    Args:
        program: The submission or the reference.
        suite: Says how it is called.
    """
    if program.kind == "class":
        text = _CLASS
    elif works_in_place(suite):
        text = _IN_PLACE_ASYNC if program.asynchronous else _IN_PLACE
    else:
        return program
    module = program.main.removesuffix(".py").replace("/", ".")
    return Program(
        files={**program.files, _MAIN: text.format(module=module, entry=program.entry).encode()},
        main=_MAIN,
        entry="timed",
        kind="function",
        asynchronous=program.asynchronous and program.kind != "class",
        allow_imports=program.allow_imports,
        deny_imports=program.deny_imports,
    )
