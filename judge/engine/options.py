"""What a run is asked to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from judge.config import DEFAULT_MODULES, MODULES
from judge.errors import ConfigError
from judge.modules.base import Bounds, Strategies
from judge.schemas import Setting


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
        grace: Seconds that work in flight may take after a first interrupt.
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
    grace: float = 5.0

    def recorded(self) -> Mapping[str, Any]:
        """The options that go into the run header because they can change a verdict."""
        names = Bounds.__slots__
        bounds = {name: getattr(self.bounds, name) for name in names}
        if self.judge == "rules":
            return {"ignore": list(self.ignore)}
        if self.judge == "llm":
            return {"ignore": list(self.ignore), "max_output_tokens": self.max_output_tokens}
        return {
            "ignore": list(self.ignore),
            "max_output_tokens": self.max_output_tokens,
            **bounds,
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
