"""The whole report of a scoring, from the reports of its submissions."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING

from judge import __version__
from judge.results.score import ScoreReport

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judge.results.score import ModelSummary, PassAtK, SubmissionReport
    from judge.score.prepare import Prepared


def assemble(
    prepared: Prepared,
    submissions: Sequence[SubmissionReport],
    pass_at_k: Sequence[PassAtK] = (),
    models: Sequence[ModelSummary] = (),
) -> ScoreReport:
    """Puts the report together.

    Args:
        prepared: The suite as it was asked.
        submissions: Their reports, in the order in which they are shown.
        pass_at_k: Estimates for models with several samples.
        models: The spread of the totals of each.
    """
    box, loaded = prepared.sandbox, prepared.loaded
    return ScoreReport(
        version=__version__,
        suite=loaded.suite.problem,
        title=loaded.suite.title,
        suite_hash=loaded.digest,
        sandbox=box.level.value,
        barriers=dict(box.barriers),
        seed=prepared.seed,
        python=platform.python_version(),
        machine=f"{platform.system()} {platform.machine()}",
        submissions=tuple(submissions),
        pass_at_k=tuple(pass_at_k),
        models=tuple(models),
        notes=(*prepared.notes, *box.notes),
    )


def samples_by_model(submissions: Sequence[SubmissionReport]) -> dict[str, list[SubmissionReport]]:
    """The submissions of each model that has several; those that could not be scored are left out."""
    groups: dict[str, list[SubmissionReport]] = {}
    for item in submissions:
        if item.model and not item.error:
            groups.setdefault(item.model, []).append(item)
    return {name: items for name, items in groups.items() if len(items) > 1}


def solves(item: SubmissionReport) -> bool:
    """Whether a submission passes every standard and every written or generated edge case, without cheating."""
    whole = [part for part in item.dimensions if part.name in ("correctness", "edge_cases") and part.value is not None]
    return bool(whole) and all(part.value == 1 for part in whole) and not any(flag.certain for flag in item.flags)
