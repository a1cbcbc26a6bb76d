"""What an exception looks like from outside: the names of its types, its message, and where it came from."""

from __future__ import annotations

from typing import Any

from .encoding import type_name

_MESSAGE = 500
_TYPES = 20
_DEEP = 10_000


def describe(error: BaseException, scratch: str) -> dict[str, Any]:
    """A reply that says that this was raised.

    Args:
        error: The exception.
        scratch: The folder of the submission, whose last line in the traceback is named.
    """
    kind = type(error)
    types = [type_name(base) for base in type.__dict__["__mro__"].__get__(kind)[:_TYPES]]
    try:
        message = str.__getitem__(str(error), slice(0, _MESSAGE))
    except BaseException as inner:  # noqa: BLE001 - the text is made by foreign code
        message = f"<no text: {type_name(type(inner))}>"
    status = "memory" if kind is MemoryError else "raised"
    detail = f"{types[0]}: {message}" if message else types[0]
    return {"status": status, "types": types, "message": message, "detail": _place(error, scratch) + detail}


def _place(error: BaseException, scratch: str) -> str:
    place = ""
    trace = error.__traceback__
    for _ in range(_DEEP):
        if trace is None:
            break
        file = trace.tb_frame.f_code.co_filename
        if file.startswith(scratch):
            place = f"{file[len(scratch) :].lstrip('/')}:{trace.tb_lineno}: "
        trace = trace.tb_next
    if not place and isinstance(error, SyntaxError) and isinstance(error.lineno, int):
        place = f"line {error.lineno}: "
    return place
