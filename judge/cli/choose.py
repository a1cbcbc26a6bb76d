"""Which judge and model a command uses, from flags, environment and judge.toml."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from judge.errors import ConfigError

if TYPE_CHECKING:
    from judge.config import Settings
    from judge.engine import Judge, RunOptions
    from judge.models import LedgerModel

RULES_LINE = "no model is configured: judging with the offline rules (set --model or JUDGE_MODEL to ask a model)"


def resolve(flags: Mapping[str, Any], config: Path | None) -> Settings:
    """Settings from all sources.

    Raises:
        ConfigError: A value that does not fit, with the place it comes from.
    """
    from judge.config import load_settings

    return load_settings(flags, config=config)


def judge_kind(settings: Settings) -> str:
    """``agent`` or ``rules``.

    Raises:
        ConfigError: A judge that is not available, or one that needs a model and has none.
    """
    has_model = bool(settings.model) and settings.model != "rules"
    kind = settings.judge or ("agent" if has_model else "rules")
    if kind == "llm":
        raise ConfigError("the judge 'llm' is not available", where="--judge", hint="agent or rules")
    if kind == "agent" and not has_model:
        raise ConfigError("the judge 'agent' needs a model", where="--judge", hint="give --model, or use --judge rules")
    return kind


def open_judge(kind: str, settings: Settings, options: RunOptions) -> Judge:
    """The judge, its model open.

    Raises:
        ConfigError: The model cannot be opened: unknown, no key, …
    """
    from judge.engine import AgentJudge, RulesJudge

    if kind == "rules":
        return RulesJudge()
    model = open_configured(settings)
    return AgentJudge(model, options, model.ledger)


def open_configured(settings: Settings) -> LedgerModel:
    """The configured model.

    Raises:
        ConfigError: There is none, or it cannot be opened.
    """
    if not settings.model or settings.model == "rules":
        raise ConfigError("no model is configured", where="--model", hint="give --model SPEC or set JUDGE_MODEL")
    from judge.models import open_model

    return open_model(settings.model, settings.models)
