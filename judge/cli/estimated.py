"""``judge run --estimate``: what a run would need, in words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from judge.cli.progress import duration
from judge.schemas import VerdictValue
from judge.text import plural

if TYPE_CHECKING:
    from judge.cli.inputs import Inputs
    from judge.config import Settings
    from judge.engine import RunOptions
    from judge.engine.estimate import Estimate


def estimate_run(settings: Settings, inputs: Inputs, fresh: bool, warm: bool | None) -> tuple[Estimate, RunOptions]:
    """Estimates what is missing in the run folder that the run would continue, or all of it.

    Args:
        settings: What the user decided.
        inputs: What would be judged.
        fresh: Whether nothing from before counts.
        warm: Whether prompt caches are filled first; None to go by the server.

    Raises:
        ConfigError: There is no such model.
    """
    from judge.cli.choose import judge_kind, make_judge, panel
    from judge.cli.run import place, run_options
    from judge.engine import prepare
    from judge.engine.estimate import Estimate, estimate
    from judge.engine.prices import models_to_price

    kind = judge_kind(settings)
    models = () if kind == "rules" else models_to_price(panel(settings), settings.models, batch=settings.batch)
    options = run_options(kind, settings, inputs, models, warm)
    prepared = prepare(inputs.plans, options)
    path, _ = place(settings, make_judge(kind, models, options, settings), prepared, options, fresh)
    done = set() if fresh else _done(path)
    pending = {
        item.task.name: sum(1 for own in item.task.requirements if (item.task.name, own.requirement_id) not in done)
        for item in prepared
        if not item.error
    }
    if not models:
        return Estimate(requirements=sum(pending.values())), options
    return estimate(prepared, pending, options, models, settings.models), options


def _done(path: Path) -> set[tuple[str, int]]:
    from judge.engine.alignment.source import JOURNAL, read_journal

    if not (path / JOURNAL).is_file():
        return set()
    latest = {(item.task, item.requirement_id): item.verdict for item in read_journal(path / JOURNAL, [])}
    return {key for key, verdict in latest.items() if verdict is not VerdictValue.ERROR}


def estimate_lines(found: Estimate, options: RunOptions) -> Iterator[str]:
    """An estimate for people.

    Args:
        found: The estimate.
        options: How the run would work.

    Yields:
        Lines.
    """
    yield f"requirements  {found.requirements:,}"
    if not found.calls:
        yield "calls         0: nothing has to be asked"
        return
    most = f" to {found.most_calls:,}, when votes do not agree" if found.most_calls > found.calls else ""
    yield f"calls         {found.calls:,}{most}"
    yield f"prompts       {found.tokens:,} tokens in full, {found.cached:,} from the provider's cache"
    yield f"answers       {found.answers:,} tokens"
    yield f"cost          {_cost(found)}"
    yield f"time          {_time(found, options)}"
    sample = plural(found.sampled, "prompt")
    yield f"Estimated from {sample}. Nothing was sent. Answers kept from earlier runs would cost nothing."


def _cost(found: Estimate) -> str:
    if found.cost is None or found.most_cost is None:
        return "unknown, because the price of the model is"
    return f"${found.cost:.4f} to ${found.most_cost:.4f} (no cached prompts, long answers)"


def _time(found: Estimate, options: RunOptions) -> str:
    if found.seconds is None:
        return "up to a day or so: the calls wait for a batch"
    return f"about {duration(found.seconds)}, if a call takes 4 s and {options.concurrency} are in flight"
