"""Tells whoever is at work what calls used that no wrapper of a model sees, such as those for embeddings.

One search ranks texts for all tasks of a run, which are judged side by side; so the search itself cannot know whose
calls it makes. A listener holds for the code that is run inside its ``with``, and for the tasks started there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from judge.schemas import Usage

Listener = Callable[[str, str, Usage], None]

# Not a global: each asyncio task sees the value of the code that started it.
_LISTENER: ContextVar[Listener | None] = ContextVar("judge_listener", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Has a function told of the calls made meanwhile.

    Args:
        listener: Is given purpose, model and usage of each call.
    """
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def announce(purpose: str, model: str, usage: Usage) -> None:
    """Tells the listener, when there is one, of a call that has ended."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(purpose, model, usage)
