"""What came out of a sweep, measured against labels where there are any."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from judge import __version__
from judge.engine.alignment import Request, Spec, align
from judge.engine.sweep.inputs import SweepInputs
from judge.errors import InputError
from judge.results import AlignmentReport, Baseline, CellResult, SweepJudge, SweepReport, SweepSpec
from judge.schemas import Usage


def collect(spec: SweepSpec, inputs: SweepInputs, cells: Sequence[CellResult], out: Path) -> SweepReport:
    """The report on a sweep; also on one that did not come to its end.

    Args:
        spec: The sweep.
        inputs: For the labels.
        cells: What became of each cell.
        out: The folder of the sweep.
    """
    notes = list(inputs.notes)
    alignment = _align(spec, inputs, cells, out, notes)
    if alignment is not None:
        notes += alignment.notes
    return SweepReport(
        version=__version__,
        name=spec.name,
        agents=tuple(agent.name for agent in spec.agents),
        settings=spec.settings,
        cells=tuple(cells),
        alignment=alignment,
        baseline=_baseline(spec, cells),
        usage=sum((item.usage for item in cells), Usage()),
        notes=tuple(dict.fromkeys(notes)),
    )


def _align(
    spec: SweepSpec, inputs: SweepInputs, cells: Sequence[CellResult], out: Path, notes: list[str]
) -> AlignmentReport | None:
    from judge.metrics.sampling import Sampling

    labels = {name: agent.labels for name, agent in inputs.agents.items() if agent.labels is not None}
    usable = [item for item in cells if item.satisfied + item.unsatisfied and item.cell.agent in labels]
    judged = [item for item in usable if not item.cell.rater]
    if not judged:
        return None
    present = {item.cell.agent for item in judged}
    request = Request(
        judged=[_spec(item, out) for item in judged],
        labels=[Spec(path, agent=name) for name, path in labels.items() if name in present],
        raters=[_spec(item, out) for item in usable if item.cell.rater and item.cell.agent in present],
        sampling=Sampling(resamples=spec.resamples, seed=spec.seed),
    )
    try:
        return align(request)
    except InputError as error:
        notes.append(f"no alignment: {error}")
        return None


def _spec(item: CellResult, out: Path) -> Spec:
    return Spec(out / item.run, agent=item.cell.agent, judge=item.cell.name)


def _baseline(spec: SweepSpec, cells: Sequence[CellResult]) -> Baseline | None:
    """The human baseline with the number of requirements it is for."""
    base = spec.human_baseline
    if base is None or base.requirements is not None:
        return base
    sizes: dict[str, int] = {}
    for item in cells:
        if item.cell.judge is not SweepJudge.HUMAN:
            sizes[item.cell.agent] = max(sizes.get(item.cell.agent, 0), item.requirements)
    return base.model_copy(update={"requirements": sum(sizes.values()) or None})
