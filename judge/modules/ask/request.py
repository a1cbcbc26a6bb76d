"""The prompt of one requirement: what all requirements of a task share first, the criterion last."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge.modules.ask.render import render
from judge.modules.base import Case
from judge.schemas import Evidence, EvidenceKind
from judge.tokens import count, cut_middle

if TYPE_CHECKING:
    from judge.fence import Fence
    from judge.models import Message, Request
    from judge.prompts import Prompt

_MARKER = re.compile(r"<<<(BEGIN|END) [0-9a-f]{8,64}")
_MARGIN = 1_500
_IMAGE_TOKENS = 1_000
_LEAST = 1_000
_NOTHING = "(No evidence was gathered beyond the list of files.)"


@dataclass(frozen=True, slots=True)
class Built:
    """A request with what was noticed while building it.

    Attributes:
        request: What is sent.
        prompt_hash: SHA-256 of the rendered prompt, 16 hex digits; markers, which differ from run to run, left out.
        injection: Places whose text addresses the judge.
        redacted: Places whose secrets were masked.
    """

    request: Request
    prompt_hash: str
    injection: tuple[str, ...] = ()
    redacted: tuple[str, ...] = ()


def templates() -> tuple[Prompt, ...]:
    """The templates that verdicts depend on.

    Raises:
        InputError: One is missing.
    """
    from judge.prompts import load_prompt

    return tuple(load_prompt(name) for name in ("judge", "locate", "repair"))


def build_request(
    case: Case, evidence: Sequence[Evidence], fence: Fence, max_output_tokens: int, *, share: float = 1.0
) -> Built:
    """Builds the request for a verdict.

    Args:
        case: The requirement.
        evidence: What the modules found; an item of kind ``map`` goes into the shared part.
        fence: Wraps untrusted text.
        max_output_tokens: Upper bound on the answer.
        share: Part of the model's context that may be used, for a second try after an overflow.

    Returns:
        Messages: system, task (shared, cached), evidence, criterion.
    """
    from judge.models import Message, Request, Role
    from judge.prompts import load_prompt
    from judge.redact import redact

    prompt = load_prompt("judge")
    shown = render([item for item in evidence if item.kind == EvidenceKind.MAP], fence)
    rest = [item for item in evidence if item.kind != EvidenceKind.MAP]
    criterion = redact(case.requirement.criteria).text
    task = prompt.render_section("task", query=redact(case.task.query).text, workspace_map=shown.text)
    fixed = [
        Message(Role.SYSTEM, prompt.render_section("system")),
        Message(Role.USER, task, cache=True),
        Message(Role.USER, prompt.render_section("criterion", criterion=criterion)),
    ]
    found = render(_fitting(case, rest, fixed, max_output_tokens, share), fence)
    body = prompt.render_section("evidence", criterion=criterion, evidence=found.text or _NOTHING)
    messages = (fixed[0], fixed[1], Message(Role.USER, body, images=tuple(found.images)), fixed[2])
    return Built(
        request=Request(messages=messages, max_output_tokens=max_output_tokens, purpose="judge"),
        prompt_hash=prompt_hash(messages),
        injection=tuple(dict.fromkeys([*shown.injection, *found.injection])),
        redacted=tuple(dict.fromkeys([*shown.redacted, *found.redacted])),
    )


def prompt_hash(messages: Sequence[Message]) -> str:
    """A hash of the messages that is the same for the same prompt in every run."""
    digest = hashlib.sha256()
    for message in messages:
        text = _MARKER.sub(r"<<<\1", message.text)
        digest.update(f"{message.role.value}\0{text}\0".encode("utf-8", "surrogatepass"))
        for image in message.images:
            digest.update(hashlib.sha256(image.data_base64.encode("ascii", "replace")).digest())
    return digest.hexdigest()[:16]


def _fitting(
    case: Case, items: Sequence[Evidence], fixed: Sequence[Message], answer: int, share: float
) -> Sequence[Evidence]:
    """Evidence that fits into the model's context: the longest items are cut in the middle."""
    if case.model is None or case.model.context_tokens <= 0:
        return items
    name = case.model.id
    used = sum(count(message.text, name) for message in fixed) + answer + _MARGIN
    used += _IMAGE_TOKENS * sum(len(item.images) for item in items)
    room = max(_LEAST, int((case.model.context_tokens - used) * share))
    sizes = [count(item.text, name) for item in items]
    if sum(sizes) <= room:
        return items
    limit = level(sizes, room)
    return [item.model_copy(update={"text": cut_middle(item.text, limit, name)}) for item in items]


def level(sizes: Sequence[int], room: int) -> int:
    """The largest bound on each size under which all of them fit into the room."""
    left, number = room, len(sizes)
    for size in sorted(sizes):
        if size * number > left:
            return max(20, left // number)
        left -= size
        number -= 1
    return max(sizes, default=room)
