"""The judge ``llm``: the whole workspace in one prompt, no modules; the baseline that modules are measured against."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from judge.engine.judges_agent import AgentJudge
from judge.engine.session import ModelSession
from judge.modules.base import Case
from judge.schemas import Evidence


class LlmJudge(AgentJudge):
    """One requirement a call; the workspace is cut to the model's context by tokens."""

    name = "llm"

    def prompts(self) -> Mapping[str, str]:
        """The templates a verdict depends on."""
        from judge.modules.ask import whole_templates

        return {prompt.id: prompt.hash for prompt in whole_templates()}

    def session(self) -> ModelSession:
        """What judges one task; its workspace is read and rendered once."""
        from judge.modules.ask import WholePrompt

        return self._session(_Whole().gather, self._ask(WholePrompt().build))


class _Whole:
    """Reads the workspace of a task at the first requirement."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._found: Sequence[Evidence] | None = None

    async def gather(self, case: Case) -> Sequence[Evidence]:
        from judge.modules.whole import whole_workspace

        async with self._turn:
            if self._found is None:
                self._found = await asyncio.to_thread(whole_workspace, case)
            return self._found
