"""The prompt of one requirement: what all requirements of a task share first, the criterion last."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge.modules.ask.render import render
from judge.modules.ask.shared import Shared
from judge.modules.base import Case
from judge.schemas import Evidence, EvidenceKind, Setting
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
class Wording:
    """How a question is put, beside the evidence.

    Attributes:
        max_output_tokens: Upper bound on the answer.
        strictness: ``literal`` or ``intent``: how closely the work must follow the words of the criterion.
        temperature: Sampling temperature; None leaves it to the server.
    """

    max_output_tokens: int = 2048
    strictness: str = "literal"
    temperature: float | None = 0.0


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
    case: Case,
    evidence: Sequence[Evidence],
    fence: Fence,
    wording: Wording,
    *,
    shared: Shared | None = None,
    share: float = 1.0,
) -> Built:
    """Builds the request for a verdict.

    Args:
        case: The requirement.
        evidence: What the modules found; an item of kind ``map`` goes into the shared part.
        fence: Wraps untrusted text.
        wording: How the question is put.
        shared: What is shown to all requirements of the task; nothing but the map when None.
        share: Part of the model's context that may be used, for a second try after an overflow.

    Returns:
        Messages: system, task with what is shared (cached), own evidence with the criterion.
    """
    from judge.models import Message, Request, Role
    from judge.prompts import load_prompt

    prompt, common = load_prompt("judge"), shared or Shared()
    masks = case.strategies.redact
    tree = tuple(item for item in evidence if item.kind == EvidenceKind.MAP)
    base = common.once(
        ("rendered", *(item.text for item in tree), fence, masks),
        lambda: render([*map(common.tree, tree), *common.items], fence, "workspace", masks=masks),
    )
    task = prompt.render_section("task", query=plain(case, case.task.query), workspace=base.text)
    question = prompt.render_section("criterion", criterion=plain(case, case.requirement.criteria))
    fixed = [
        Message(Role.SYSTEM, _system(prompt, wording, case.setting)),
        Message(Role.USER, task, images=tuple(base.images), cache=True),
        Message(Role.USER, question),
    ]
    rest = common.own([item for item in evidence if item.kind != EvidenceKind.MAP])
    rest += _pointer(common, evidence)
    own = render(_fitting(case, rest, fixed, common, wording.max_output_tokens, share), fence, masks=masks)
    lead = own.text or ("" if common.items else _NOTHING)
    last = f"{lead}\n\n{question}" if lead else question
    messages = (fixed[0], fixed[1], Message(Role.USER, last, images=tuple(own.images)))
    return Built(
        request=Request(
            messages=messages,
            max_output_tokens=wording.max_output_tokens,
            temperature=wording.temperature,
            purpose="judge",
        ),
        prompt_hash=prompt_hash(messages),
        injection=tuple(dict.fromkeys([*base.injection, *own.injection])),
        redacted=tuple(dict.fromkeys([*base.redacted, *own.redacted])),
    )


def _system(prompt: Prompt, wording: Wording, setting: Setting) -> str:
    """The system message, with the rule on how closely words are taken, and what holds for trajectories alone."""
    steps = f" {prompt.render_section('gray_box')}" if setting is Setting.GRAY_BOX else ""
    return prompt.render_section("system", strictness=prompt.render_section(wording.strictness), trajectory=steps)


def plain(case: Case, text: str) -> str:
    """Text of the task as it is sent: secrets masked, unless that is turned off."""
    from judge.redact import redact

    return redact(text).text if case.strategies.redact else text


def _pointer(common: Shared, evidence: Sequence[Evidence]) -> list[Evidence]:
    """Which of the shared evidence a requirement is about, as evidence of its own: names of files are untrusted."""
    pointer = common.pointer(evidence)
    text = f"above, these fit best: {pointer}"
    return [Evidence(module="ask", kind=EvidenceKind.NOTE, title="", text=text)] if pointer else []


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
    case: Case, items: Sequence[Evidence], fixed: Sequence[Message], common: Shared, answer: int, share: float
) -> Sequence[Evidence]:
    """Evidence that fits into the model's context: the longest items are cut in the middle."""
    if case.model is None or case.model.context_tokens <= 0:
        return items
    name = case.model.id
    used = (
        sum(_counted(common, part.text, name) for part in fixed[:-1]) + count(fixed[-1].text, name) + answer + _MARGIN
    )
    used += _IMAGE_TOKENS * (sum(len(item.images) for item in items) + sum(len(part.images) for part in fixed))
    room = max(_LEAST, int((case.model.context_tokens - used) * share))
    sizes = [count(item.text, name) for item in items]
    if sum(sizes) <= room:
        return items
    limit = level(sizes, room)
    return [item.model_copy(update={"text": cut_middle(item.text, limit, name)}) for item in items]


def _counted(common: Shared, text: str, name: str) -> int:
    """Tokens of a text that all requirements of a task begin with."""
    return common.once(("tokens", name, text), lambda: count(text, name))


def level(sizes: Sequence[int], room: int) -> int:
    """The largest bound on each size under which all of them fit into the room."""
    left, number = room, len(sizes)
    for size in sorted(sizes):
        if size * number > left:
            return max(20, left // number)
        left -= size
        number -= 1
    return max(sizes, default=room)
