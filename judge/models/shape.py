"""Turns a request into the turns that every chat server understands."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace

from judge.models.base import Message, Request, Role
from judge.models.learned import Format

_SURROGATE = re.compile("[\ud800-\udfff]")
_UNSEEN = "[{} image{} left out: this model does not see images]"


@dataclass(frozen=True, slots=True)
class Turn:
    """Neighbouring messages of one role."""

    role: Role
    parts: tuple[Message, ...]

    @property
    def text(self) -> str:
        """The texts, one after the other."""
        return "\n\n".join(part.text for part in self.parts if part.text)


def turns(request: Request, form: Format, images: bool) -> tuple[list[Message], list[Turn]]:
    """System messages, and the rest joined into alternating turns.

    Args:
        request: What to ask.
        form: How a structured answer is asked for; below ``SCHEMA`` the schema is told at the very end, so that the
            shared prefix of the prompt stays the same.
        images: Whether images are kept; otherwise a note says that they are missing.
    """
    messages = [_encodable(message) for message in request.messages]
    system = [message for message in messages if message.role is Role.SYSTEM]
    joined: list[Turn] = []
    for message in messages:
        if message.role is Role.SYSTEM:
            continue
        message = message if images else _without_images(message)
        if joined and joined[-1].role is message.role:
            joined[-1] = Turn(message.role, (*joined[-1].parts, message))
        else:
            joined.append(Turn(message.role, (message,)))
    if request.schema is not None and form is not Format.SCHEMA:
        told = Message(Role.USER, told_schema(request))
        if joined and joined[-1].role is Role.USER:
            joined[-1] = Turn(Role.USER, (*joined[-1].parts, told))
        else:
            joined.append(Turn(Role.USER, (told,)))
    return system, joined


def told_schema(request: Request) -> str:
    """The instruction that replaces an enforced schema."""
    schema = json.dumps(request.schema, ensure_ascii=False, separators=(",", ":"))
    return f"Answer with one JSON object and nothing else. It follows this JSON Schema:\n{schema}"


def prompt_text(request: Request) -> str:
    """The whole prompt as text, to count it."""
    return "\n".join(message.text for message in request.messages)


def image_count(request: Request) -> int:
    """How many images a request carries."""
    return sum(len(message.images) for message in request.messages)


def _encodable(message: Message) -> Message:
    # Lone surrogates, from file names that are no UTF-8, cannot be sent.
    if message.text.isascii() or not _SURROGATE.search(message.text):
        return message
    return replace(message, text=_SURROGATE.sub("\ufffd", message.text))


def _without_images(message: Message) -> Message:
    if not message.images:
        return message
    note = _UNSEEN.format(len(message.images), "s" if len(message.images) > 1 else "")
    return Message(message.role, f"{message.text}\n{note}" if message.text else note, cache=message.cache)
