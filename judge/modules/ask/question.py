"""Answers a free question about a workspace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge.errors import ProviderError
from judge.modules.ask.render import render
from judge.modules.ask.request import plain
from judge.modules.base import Case
from judge.schemas import Evidence, EvidenceKind, Usage

if TYPE_CHECKING:
    from judge.models import Model


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model said.

    Attributes:
        text: Its answer.
        model: Who answered.
        evidence: What it was shown.
        usage: What the call used.
    """

    text: str
    model: str
    evidence: tuple[Evidence, ...]
    usage: Usage


async def answer_question(case: Case, evidence: Sequence[Evidence], model: Model, *, max_output_tokens: int) -> Answer:
    """Asks a model the question of a case.

    Args:
        case: Made of the question.
        evidence: What the modules found.
        model: Who is asked.
        max_output_tokens: Upper bound on the answer.

    Returns:
        The answer.

    Raises:
        ProviderError: The provider did not answer usably.
        BudgetExceeded: The limit is reached.
    """
    from judge.fence import Fence
    from judge.models import Finish, Message, Request, Role
    from judge.prompts import load_prompt

    prompt, fence, masks = load_prompt("ask"), Fence.new(), case.strategies.redact
    tree = render([item for item in evidence if item.kind == EvidenceKind.MAP], fence, masks=masks)
    found = render([item for item in evidence if item.kind != EvidenceKind.MAP], fence, masks=masks)
    workspace = prompt.render_section("workspace", workspace_map=tree.text)
    body = prompt.render_section("evidence", evidence=found.text or "(none)")
    messages = (
        Message(Role.SYSTEM, prompt.render_section("system")),
        Message(Role.USER, workspace, cache=True),
        Message(Role.USER, body, images=tuple(found.images)),
        Message(Role.USER, prompt.render_section("question", question=plain(case, case.requirement.criteria))),
    )
    reply = await model.complete(Request(messages=messages, max_output_tokens=max_output_tokens, purpose="ask"))
    if reply.finish in {Finish.REFUSAL, Finish.FILTER} or not reply.text.strip():
        raise ProviderError("the model refused" if reply.text.strip() else "the answer is empty", where=model.id)
    return Answer(reply.text.strip(), reply.model or model.id, tuple(evidence), reply.usage)
