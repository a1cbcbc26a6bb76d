"""The judge ``agent``: modules gather evidence, then a model is asked, or a panel of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING

from judge.engine.breaker import Breaker
from judge.engine.evidence import Pipeline
from judge.engine.session import Gather, ModelSession
from judge.engine.votes import Tie
from judge.engine.voting import Voter, Voting
from judge.fence import Fence
from judge.schemas import Usage

if TYPE_CHECKING:
    from judge.engine.options import RunOptions
    from judge.models import Ledger, Model
    from judge.modules.ask import Ask, Builder
    from judge.modules.search import Search


class AgentJudge:
    """Modules gather evidence, then the models vote."""

    name = "agent"

    def __init__(
        self,
        models: Model | Sequence[Model],
        options: RunOptions,
        ledger: Ledger | None = None,
        fence: Fence | None = None,
        search: Search | None = None,
    ) -> None:
        """Takes open models.

        Args:
            models: Who is asked: one model, or a panel.
            options: Modules, votes, output bound and concurrency.
            ledger: Where the models' calls are booked, when they have limits.
            fence: Wraps untrusted text; shared by runs whose equal prompts should be equal byte for byte.
            search: Ranks texts for the modules; opened from the strategies of each case when None.
        """
        self._models: tuple[Model, ...] = tuple(models) if isinstance(models, Sequence) else (models,)
        self._ledger = ledger
        self._options = options
        limit = max(6, 2 * options.concurrency)
        self._voters = [Voter(model, Breaker(limit)) for model in self._models]
        self._fence = fence or Fence.new()
        self._search = search

    @property
    def models(self) -> tuple[Model, ...]:
        """The models that are asked."""
        return self._models

    def prompts(self) -> Mapping[str, str]:
        """The templates a verdict depends on."""
        from judge.modules.ask import prompt_hashes
        from judge.prompts import load_prompt

        own = {"plan": load_prompt("plan").hash} if "planning" in self._options.modules else {}
        return {**prompt_hashes(), **own}

    def session(self) -> ModelSession:
        """A pipeline for one task."""
        return self._session(Pipeline(self._options.modules, self._search).gather, self._ask())

    def book(self, spent: Usage) -> None:
        """Counts what the run used before it was continued against its limits."""
        if self._ledger is not None and spent.calls:
            self._ledger.add("earlier", self._models[0].id, spent, spent.cost or 0.0)

    def hold(self) -> AbstractContextManager[object]:
        """Keeps batches open while somebody is at work who may still ask."""
        stack = ExitStack()
        for model in self._models:
            batch = getattr(model, "batched", None)
            if batch is not None:
                stack.enter_context(batch.hold())
        return stack

    def _session(self, gather: Gather, ask: Ask) -> ModelSession:
        options = self._options
        voting = Voting(self._voters, options.votes, Tie(options.tie))
        remembers = "memory" in options.modules
        return ModelSession(self._voters, voting, gather, ask, warm=options.warm, remembers=remembers)

    def _ask(self, builder: Builder | None = None) -> Ask:
        from judge.modules.ask import Ask, build_request

        options = self._options
        return Ask(
            max_output_tokens=options.max_output_tokens,
            strictness=options.strictness,
            temperature=options.temperature,
            fence=self._fence,
            builder=builder or build_request,
        )
