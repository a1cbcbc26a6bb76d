"""The prompt of the judge without modules: the whole workspace, cut to the model's context by tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from judge.modules.ask.render import Rendered, render
from judge.modules.ask.request import Built, level, prompt_hash
from judge.modules.base import Case
from judge.schemas import Evidence, EvidenceKind
from judge.tokens import count, cut_middle

if TYPE_CHECKING:
    from judge.fence import Fence
    from judge.prompts import Prompt

_MARGIN = 1_500
_LEAST = 1_000
_SMALLEST = 40
"""Tokens. A file cut to less than this says nothing."""
_EMPTY = "(The workspace holds no files.)"


def whole_templates() -> tuple[Prompt, ...]:
    """The templates that verdicts of this judge depend on.

    Raises:
        InputError: One is missing.
    """
    from judge.prompts import load_prompt

    return tuple(load_prompt(name) for name in ("llm-judge", "repair"))


class WholePrompt:
    """Builds the requests of one task; the part with the workspace is made once and is the same in all of them."""

    def __init__(self) -> None:
        """Starts with nothing rendered."""
        self._shown: dict[float, Rendered] = {}

    def build(
        self, case: Case, evidence: Sequence[Evidence], fence: Fence, max_output_tokens: int, *, share: float = 1.0
    ) -> Built:
        """Builds the request for a verdict.

        Args:
            case: The requirement.
            evidence: The whole workspace, uncut.
            fence: Wraps untrusted text.
            max_output_tokens: Upper bound on the answer.
            share: Part of the model's context that may be used, for a second try after an overflow.

        Returns:
            Messages: system, task with workspace (shared, cached), criterion.
        """
        from judge.models import Message, Request, Role
        from judge.prompts import load_prompt
        from judge.redact import redact

        prompt = load_prompt("llm-judge")
        if share not in self._shown:
            self._shown[share] = _render(case, evidence, fence, max_output_tokens, share)
        shown = self._shown[share]
        query, criterion = redact(case.task.query).text, redact(case.requirement.criteria).text
        messages = (
            Message(Role.SYSTEM, prompt.render_section("system")),
            Message(Role.USER, prompt.render_section("task", query=query, workspace=shown.text or _EMPTY), cache=True),
            Message(Role.USER, prompt.render_section("criterion", criterion=criterion)),
        )
        return Built(
            request=Request(messages=messages, max_output_tokens=max_output_tokens, purpose="judge"),
            prompt_hash=prompt_hash(messages),
            injection=tuple(shown.injection),
            redacted=tuple(shown.redacted),
        )


def _render(case: Case, evidence: Sequence[Evidence], fence: Fence, answer: int, share: float) -> Rendered:
    """The workspace as text that fits; rendered again with less when fences and marks made it too long."""
    if case.model is None or case.model.context_tokens <= 0:
        return render(evidence, fence)
    name = case.model.id
    room = max(_LEAST, int((case.model.context_tokens - _fixed(case, name) - answer - _MARGIN) * share))
    budget = room
    while True:
        shown = render(_fitting(evidence, budget, name), fence)
        size = count(shown.text, name)
        if size <= room or budget <= _SMALLEST:
            return shown
        budget = min(budget - (size - room), budget * 9 // 10)


def _fixed(case: Case, name: str) -> int:
    """Tokens of all that is not the workspace, for the longest criterion: so the shared part is one for all."""
    from judge.prompts import load_prompt

    prompt = load_prompt("llm-judge")
    fixed = count(prompt.render_section("system"), name) + count(case.task.query, name) + 100
    return fixed + max((count(item.criteria, name) for item in case.task.requirements), default=0)


def _fitting(items: Sequence[Evidence], room: int, name: str) -> list[Evidence]:
    """What fits: the longest items are cut in the middle, and when even that is too little, the last are left out."""
    kept = list(items[: max(1, room // _SMALLEST)])
    sizes = [count(item.text, name) for item in kept]
    if sum(sizes) > room:
        limit = level(sizes, room)
        kept = [item.model_copy(update={"text": cut_middle(item.text, limit, name)}) for item in kept]
    left = len(items) - len(kept)
    if left:
        text = f"{left} more files or steps are left out, because they do not fit."
        kept.append(Evidence(module="workspace", kind=EvidenceKind.NOTE, title="left out", text=text))
    return kept
