"""What a run is asked to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from judge.config import DEFAULT_MODULES, MODULES
from judge.errors import ConfigError
from judge.modules.base import Bounds, Strategies
from judge.schemas import Setting

_VOTING = 0.7
_ALL = 1_000_000


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Everything about a run that decides its verdicts, and how hard it works.

    Attributes:
        judge: ``agent``, ``llm`` or ``rules``.
        setting: Black-box or gray-box.
        modules: Modules that gather evidence for the agent judge; ``ask`` is always among them.
        gate: Whether a requirement whose prerequisite failed is not judged.
        concurrency: Requirements in work at most.
        bounds: Token budgets.
        strategies: How evidence is chosen and cut.
        ignore: Extra patterns of files that are not looked at.
        max_output_tokens: Upper bound on one answer.
        panel: The models that vote, when there are several.
        votes: How often each model is asked at most; odd.
        tie: What as many votes for as against mean: ``error`` or ``unsatisfied``.
        strictness: ``literal`` or ``intent``: how closely the work must follow the words of a criterion.
        warm: Whether the first requirement of a task is judged before the others start, which then find in the
            provider's cache what their prompts share with it.
        batch: Whether calls wait for a batch: then all requirements are in work at once.
        max_seconds: Time for the run, seconds; then it stops as if it were interrupted. None for no bound.
        grace: Seconds that work in flight may take after a first interrupt.
        writings: Folder where what OCR reads is kept from run to run; nowhere when None.
    """

    judge: str = "rules"
    setting: Setting = Setting.BLACK_BOX
    modules: tuple[str, ...] = DEFAULT_MODULES
    gate: bool = False
    concurrency: int = 8
    bounds: Bounds = field(default_factory=Bounds)
    strategies: Strategies = field(default_factory=Strategies)
    ignore: tuple[str, ...] = ()
    max_output_tokens: int = 2048
    panel: tuple[str, ...] = ()
    votes: int = 1
    tie: str = "error"
    strictness: str = "literal"
    warm: bool = False
    batch: bool = False
    max_seconds: float | None = None
    grace: float = 5.0
    writings: Path | None = None

    @property
    def temperature(self) -> float:
        """Of the answers: the same question asked again must be able to get another one."""
        return _VOTING if self.votes > 1 else 0.0

    @property
    def at_once(self) -> int:
        """Requirements in work at most: all of them when they wait for a batch."""
        return _ALL if self.batch else self.concurrency

    def recorded(self) -> Mapping[str, Any]:
        """The options that go into the run header because they can change a verdict."""
        if self.judge == "rules":
            return {"ignore": list(self.ignore)}
        asked: dict[str, Any] = {
            "ignore": list(self.ignore),
            "max_output_tokens": self.max_output_tokens,
            "strictness": self.strictness,
            "votes": self.votes,
            "redact": self.strategies.redact,
        }
        if len(self.panel) > 1:
            asked |= {"panel": list(self.panel), "tie": self.tie}
        if self.judge == "llm":
            return asked
        return {
            **asked,
            **{name: getattr(self.bounds, name) for name in Bounds.__slots__},
            **{name: getattr(self.strategies, name) for name in Strategies.__slots__},
        }


def parse_modules(names: tuple[str, ...]) -> tuple[str, ...]:
    """Module names in the order they work, ``ask`` last.

    Raises:
        ConfigError: A name that is none.
    """
    if not names:
        return DEFAULT_MODULES
    for name in names:
        if name not in MODULES:
            choices = "choose among " + ", ".join(MODULES)
            raise ConfigError(f"unknown module {name!r}", where="--modules", hint=choices)
    chosen = {*names, "ask"}
    return tuple(name for name in MODULES if name in chosen)
