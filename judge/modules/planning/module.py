"""The module ``planning``: within bounds, the model chooses what is looked at next. Off by default."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge.modules.base import Case
from judge.modules.planning.calls import SCHEMA, Call, parse_call
from judge.modules.planning.tools import Tools, said
from judge.schemas import Evidence, EvidenceKind
from judge.tokens import count

if TYPE_CHECKING:
    from judge.fence import Fence
    from judge.models import Message, Model
    from judge.modules.retrieve import Retrieve
    from judge.modules.search.module import SearchModule

_KNOWN = 60
_ANSWER_TOKENS = 500
_LEAST = 50


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one loop.

    Attributes:
        calls: Calls at most.
        tokens: Of all results together.
        result_tokens: Of one result.
        seconds: From the first question to the last result; a question on its way is given up.
    """

    calls: int = 8
    tokens: int = 6_000
    result_tokens: int = 1_200
    seconds: float = 300.0


class Planning:
    """Lets the model of a case look around."""

    name = "planning"

    def __init__(self, finder: SearchModule, steps: Retrieve, limits: Limits | None = None) -> None:
        """Makes a module for one workspace.

        Args:
            finder: Searches the workspace.
            steps: Searches the trajectory.
            limits: Bounds of the loop for one requirement.
        """
        self._finder = finder
        self._steps = steps
        self._limits = limits or Limits()

    async def gather(self, case: Case, found: Sequence[Evidence]) -> Sequence[Evidence]:
        """What the model asked for, call by call.

        Args:
            case: The requirement; without a model nothing is looked at.
            found: What other modules found; the model is told what it is, not what it says.

        Returns:
            One item or more a call, all of the module ``planning``, and a note on how the loop ended when it did not
            end by itself.

        Raises:
            ProviderError: The model did not answer.
            BudgetExceeded: The run's limit is reached.
        """
        if case.model is None:
            return (_ended("no model is there to choose what to look at"),)
        loop = _Loop(case, case.model, Tools(case, self._finder, self._steps, self._limits.result_tokens), self._limits)
        try:
            async with asyncio.timeout(self._limits.seconds):
                ended = await loop.run(found)
        except TimeoutError:
            ended = f"the time of {self._limits.seconds:g} s was used up"
        items = [_once(item, found) for item in loop.evidence]
        return (*items, *((_ended(ended),) if ended else ()))


class _Loop:
    """Questions and results for one requirement; what is said once stays in front, so that it can be cached."""

    def __init__(self, case: Case, model: Model, tools: Tools, limits: Limits) -> None:
        from judge.fence import Fence

        self._case = case
        self._model = model
        self._tools = tools
        self._limits = limits
        self._fence: Fence = Fence.new()
        self.evidence: list[Evidence] = []

    async def run(self, found: Sequence[Evidence]) -> str:
        """Asks until the model is done; why it ended otherwise, or an empty text."""
        from judge.models import ContextOverflow, Message, Request, Role
        from judge.prompts import load_prompt

        prompt = load_prompt("plan")
        messages = self._opening(found)
        seen: set[str] = set()
        left = self._limits.tokens
        for number in range(self._limits.calls):
            request = Request(tuple(messages), SCHEMA, "call", _ANSWER_TOKENS, purpose="plan")
            try:
                reply = await self._model.complete(request)
            except ContextOverflow:
                if not number:
                    raise
                return "there was no more room in the model's context"
            call = parse_call(reply)
            if isinstance(call, str):
                return call
            if call.name == "done":
                return ""
            items = await self._answer(call, seen)
            self.evidence += items
            left -= sum(item.tokens for item in items)
            if left < _LEAST:
                return f"the {self._limits.tokens:,} tokens for results were used up"
            result = prompt.render_section(
                "result", result=self._shown(call, items), left=str(self._limits.calls - number - 1)
            )
            messages += [Message(Role.ASSISTANT, call.as_json), Message(Role.USER, result)]
        return f"all {self._limits.calls} calls were made"

    async def _answer(self, call: Call, seen: set[str]) -> list[Evidence]:
        if call.told in seen:
            return [said(call, "asked for before; its result is above")]
        seen.add(call.told)
        return await self._tools.answer(call)

    def _opening(self, found: Sequence[Evidence]) -> list[Message]:
        from judge.models import Message, Role
        from judge.prompts import load_prompt

        prompt = load_prompt("plan")
        tree = "\n".join(item.text for item in found if item.kind == EvidenceKind.MAP)
        rows = [_row(item) for item in found if item.kind != EvidenceKind.MAP and item.module != "planning"]
        known = "\n".join(dict.fromkeys(rows[:_KNOWN])) or "(nothing)"
        task = prompt.render_section(
            "task",
            query=self._plain(self._case.task.query),
            workspace_map=self._fence.wrap("files of the workspace", self._plain(tree), numbered=False),
        )
        criterion = prompt.render_section(
            "criterion",
            criterion=self._plain(self._case.requirement.criteria),
            known=self._fence.wrap("what is known", self._plain(known), numbered=False),
            calls=str(self._limits.calls),
        )
        return [
            Message(Role.SYSTEM, prompt.render_section("system")),
            Message(Role.USER, task, cache=True),
            Message(Role.USER, criterion),
        ]

    def _shown(self, call: Call, items: Sequence[Evidence]) -> str:
        """Results as fenced blocks: no text of a workspace can end one, or begin another."""
        blocks = []
        for item in items:
            title = f"result of {call.told}" + (f": {item.title}" if item.title != call.told else "")
            blocks.append(self._fence.wrap(self._plain(title), self._plain(item.text), numbered=False))
        return "\n\n".join(blocks)

    def _plain(self, text: str) -> str:
        from judge.redact import redact

        return redact(text).text if self._case.strategies.redact else text


def _once(item: Evidence, found: Sequence[Evidence]) -> Evidence:
    """An item that others show already, word for word or as the same step, without its text."""
    for other in found:
        same_step = item.step is not None and item.step == other.step
        if other.text and (same_step or (item.path == other.path and item.text in other.text)):
            text = f"step {item.step} is shown above" if same_step else "it is shown above"
            changes = {"kind": EvidenceKind.NOTE, "text": text, "step": None, "line": None, "end_line": None}
            return item.model_copy(update={**changes, "tokens": count(text)})
    return item


def _row(item: Evidence) -> str:
    if item.kind == EvidenceKind.NOTE:
        return f"note: {' '.join(item.text.split())[:200]}"
    what = "read" if item.text and item.module == "read" else item.kind.value
    lines = f", lines {item.line}-{item.end_line}" if item.text and item.line and item.end_line else ""
    return f"{what} {item.title}{lines}" + (f" ({item.why})" if item.why else "")


def _ended(why: str) -> Evidence:
    text = f"the search of the model ended: {why}"
    return Evidence(module="planning", kind=EvidenceKind.NOTE, title="planning", text=text, tokens=count(text))
