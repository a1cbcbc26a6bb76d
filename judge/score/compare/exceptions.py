"""Holds a raised exception against the one that a case asks for."""

from __future__ import annotations

import builtins
import re

from judge.score.compare.show import show
from judge.score.compare.verdict import RIGHT, Verdict
from judge.score.reply import Raised
from judge.score.suite.model import Compare

_SEARCHED = 2000
_SECONDS = 1.0
"""Characters of a message that a pattern sees."""


def same_exception(raised: Raised, wanted: str, match: str, rules: Compare) -> Verdict:
    """Whether ``raised`` is the exception that was ``wanted``.

    Args:
        raised: What the submission raised, its own type first, then its bases.
        wanted: A name such as ``ValueError`` or ``json.JSONDecodeError``, or several with ``|`` between them.
        match: A regular expression that must be found in the message; empty for any.
        rules: ``exception: exact`` wants that very type, ``subclass`` any that inherits from it.
    """
    types = raised.types[:1] if rules.exception == "exact" else raised.types
    names = [name.strip() for name in wanted.split("|") if name.strip()]
    own = raised.types[0] if raised.types else "an exception without a type"
    if not any(_is(name, have) for name in names for have in types):
        return Verdict(False, f"{own} was raised, not {' or '.join(names)}")
    found = _found(match, raised.message[:_SEARCHED]) if match else True
    if found is None:
        return Verdict(False, f"looking for {show(match, 80)} in the message takes too long")
    if not found:
        return Verdict(False, f"the message {show(raised.message, 80)} does not match {show(match, 80)}")
    return RIGHT


def _found(match: str, message: str) -> bool | None:
    """Whether the pattern is in the message; None when that takes too long, which a submission may arrange."""
    import regex  # type: ignore[import-untyped]

    try:
        return regex.search(match, message, timeout=_SECONDS) is not None
    except TimeoutError:
        return None
    except regex.error:  # a pattern that only the standard library knows
        return re.search(match, message) is not None


def _built_in(name: str) -> bool:
    found = getattr(builtins, name, None)
    return isinstance(found, type) and issubclass(found, BaseException)


def _is(wanted: str, have: str) -> bool:
    wanted, have = wanted.removeprefix("builtins."), have.removeprefix("builtins.")
    if wanted == have:
        return True
    wanted_home, _, wanted_name = wanted.rpartition(".")
    have_home, _, have_name = have.rpartition(".")
    if wanted_name != have_name or (not wanted_home and _built_in(wanted)):  # a class of one's own is not the real one
        return False
    # json.JSONDecodeError lives in json.decoder: packages re-export.
    return not wanted_home or wanted_home.partition(".")[0] == have_home.partition(".")[0]
