"""The prompt of the judge without modules: the whole workspace, cut to the model's context by tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from judge.modules.ask.render import Rendered, render
from judge.modules.ask.request import Built, Wording, level, plain, prompt_hash
from judge.modules.base import Case
from judge.schemas import Evidence, EvidenceKind
from judge.tokens import count, cut_middle

if TYPE_CHECKING:
    from judge.fence import Fence
    from judge.modules.ask.shared import Shared
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
        self,
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
            evidence: The whole workspace, uncut.
            fence: Wraps untrusted text.
            wording: How the question is put.
            shared: Not used: all of the workspace is shared.
            share: Part of the model's context that may be used, for a second try after an overflow.

        Returns:
            Messages: system, task with workspace (shared, cached), criterion.
        """
        from judge.models import Message, Request, Role
        from judge.prompts import load_prompt

        prompt = load_prompt("llm-judge")
        if share not in self._shown:
            self._shown[share] = _render(case, evidence, fence, wording, share)
        shown = self._shown[share]
        query, criterion = plain(case, case.task.query), plain(case, case.requirement.criteria)
        messages = (
            Message(Role.SYSTEM, _system(prompt, wording)),
            Message(Role.USER, prompt.render_section("task", query=query, workspace=shown.text or _EMPTY), cache=True),
            Message(Role.USER, prompt.render_section("criterion", criterion=criterion)),
        )
        return Built(
            request=Request(
                messages=messages,
                max_output_tokens=wording.max_output_tokens,
                temperature=wording.temperature,
                purpose="judge",
            ),
            prompt_hash=prompt_hash(messages),
            injection=tuple(shown.injection),
            redacted=tuple(shown.redacted),
        )


def _render(case: Case, evidence: Sequence[Evidence], fence: Fence, wording: Wording, share: float) -> Rendered:
    """The workspace as text that fits; rendered again with less when fences and marks made it too long."""
    masks = case.strategies.redact
    if case.model is None or case.model.context_tokens <= 0:
        return render(evidence, fence, masks=masks)
    name = case.model.id
    used = _fixed(case, wording, name) + wording.max_output_tokens + _MARGIN
    room = max(_LEAST, int((case.model.context_tokens - used) * share))
    budget = room
    while True:
        shown = render(_fitting(evidence, budget, name), fence, masks=masks)
        size = count(shown.text, name)
        if size <= room or budget <= _SMALLEST:
            return shown
        budget = min(budget - (size - room), budget * 9 // 10)


def _system(prompt: Prompt, wording: Wording) -> str:
    return prompt.render_section("system", strictness=prompt.render_section(wording.strictness))


def _fixed(case: Case, wording: Wording, name: str) -> int:
    """Tokens of all that is not the workspace, for the longest criterion: so the shared part is one for all."""
    from judge.prompts import load_prompt

    prompt = load_prompt("llm-judge")
    fixed = count(_system(prompt, wording), name) + count(case.task.query, name) + 100
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
