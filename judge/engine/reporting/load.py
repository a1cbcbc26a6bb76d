"""Runs and labels into one report: joins, counts and nothing that needs a model or a workspace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from judge.engine.reporting.evidence import EvidenceReader, masked, masked_all
from judge.engine.reporting.excerpts import excerpt
from judge.engine.reporting.source import Judged, Source, name_sources, open_source
from judge.engine.totals import Share, Totals, totals
from judge.errors import InputError
from judge.report.model import (
    Agreement,
    Cited,
    Counts,
    Part,
    Report,
    RequirementReport,
    RunReport,
    Shown,
    State,
    TaskReport,
)
from judge.schemas import Judgment, Requirement, Task, Usage, VerdictValue
from judge.tasks import Drift, Labels, ancestors, join_labels, load_labels, show_path

_MOST_NOTES = 25
_DECIDED = frozenset({State.SATISFIED, State.UNSATISFIED})


@dataclass(frozen=True, slots=True)
class LabelSource:
    """Labels and where they came from."""

    path: Path
    labels: Labels


@dataclass(frozen=True, slots=True)
class _Labelled:
    """Labels as they apply to one task."""

    values: Mapping[int, bool | None] = field(default_factory=dict)
    notes: Mapping[int, str] = field(default_factory=dict)
    rest: tuple[str, ...] = ()


def load_report(runs: Sequence[Path], labels: Sequence[Path] = ()) -> Report:
    """Everything that a report on these runs shows.

    Args:
        runs: Run folders, or files and folders of DevAI JSON with verdicts.
        labels: None, one label folder for all runs, or one for each run in their order.

    Raises:
        InputError: A path cannot be used, or the number of label folders fits neither.
    """
    from judge import __version__

    if len(labels) not in {0, 1, len(runs)}:
        raise InputError(
            f"{len(labels)} label folders for {len(runs)} runs", where="--labels", hint="give one, or one for each run"
        )
    opened = [LabelSource(path, load_labels(path)) for path in labels]
    beside: list[LabelSource | None] = list(opened) if len(opened) == len(runs) else [*opened * len(runs)]
    beside = beside or [None] * len(runs)
    reports = []
    for path, name, own in zip(runs, name_sources(runs), beside, strict=True):
        source = open_source(path)
        source.name = name
        reports.append(_run(source, own))
    title = reports[0].name if len(reports) == 1 else f"{len(reports)} runs"
    return Report(
        title=title, version=__version__, runs=tuple(reports), labels=tuple(show_path(path) for path in labels)
    )


def _run(source: Source, labels: LabelSource | None) -> RunReport:
    evidence = EvidenceReader(source.evidence if source.evidence is not None and source.evidence.is_dir() else None)
    notes = list(source.notes)
    labelled = {item.task.name: _labelled(item.task, labels, notes) for item in source.tasks}
    if labels is not None:
        notes += _label_notes(labels, source)
    tasks = [_task(item, labelled[item.task.name], evidence, labels is not None) for item in source.tasks]
    notes += evidence.problems
    header = source.header
    counted = totals((item.task, _values(item)) for item in source.tasks)
    usages = [usage for item in source.tasks for usage in item.usage.values()]
    first = next((one for item in source.tasks for one in item.verdicts.values()), None)
    return RunReport(
        name=source.name,
        source=show_path(source.path),
        judge=header.judge if header else first.judge if first else "",
        model=header.model if header else first.model if first else "",
        setting=header.setting.value if header else "",
        modules=header.modules if header else (),
        gate=header.gate if header else False,
        created=header.created if header else "",
        version=header.version if header else "",
        options=header.options if header else {},
        prompts=header.prompts if header else {},
        counts=_counts(counted),
        agreement=_agreement(item for task in tasks for item in task.requirements) if labels is not None else None,
        usage=sum(usages, Usage()) if usages else None,
        tasks=tuple(tasks),
        notes=_some(notes),
    )


def _some(notes: Sequence[str]) -> tuple[str, ...]:
    more = len(notes) - _MOST_NOTES
    return (*notes[:_MOST_NOTES], f"and {more} more notes") if more > 0 else tuple(notes)


def _labelled(task: Task, labels: LabelSource | None, notes: list[str]) -> _Labelled:
    own = labels.labels.tasks.get(task.name) if labels is not None else None
    if own is None:
        if labels is not None:
            notes.append(f"{task.name}: there are no labels for this task")
        return _Labelled()
    joined = join_labels(task, own)
    drift = {number: detail for number, kind, detail in joined.drift if kind in {Drift.TEXT, Drift.MOVED}}
    rest = tuple(
        f"label {number}: {detail}" if kind == Drift.EXTRA else f"requirement {number}: {detail}"
        for number, kind, detail in joined.drift
        if kind in {Drift.EXTRA, Drift.MISSING}
    )
    return _Labelled(joined.satisfied, drift, rest)


def _label_notes(labels: LabelSource, source: Source) -> list[str]:
    names = {item.task.name for item in source.tasks}
    unused = sorted(set(labels.labels.tasks) - names)
    notes = [f"{show_path(item.path)}: {problem}" for item in labels.labels.invalid for problem in item.problems]
    if unused:
        more = f" and {len(unused) - 3} more" if len(unused) > 3 else ""
        notes.append(f"labels without a judged task: {', '.join(unused[:3])}{more}")
    return notes


def _values(item: Judged) -> dict[int, VerdictValue]:
    return {number: verdict.verdict for number, verdict in item.verdicts.items()}


def _task(item: Judged, labelled: _Labelled, evidence: EvidenceReader, compare: bool) -> TaskReport:
    requirements = tuple(_requirement(one, item, labelled, evidence) for one in item.task.requirements)
    known = {one.requirement_id for one in item.task.requirements}
    stray = sorted(number for number in item.verdicts if number not in known)
    notes = [*item.notes, *labelled.rest]
    if stray:
        notes.append(f"verdicts without a requirement: {', '.join(map(str, stray))}")
    return TaskReport(
        name=item.task.name,
        query=masked(item.task.query),
        tags=item.task.tags,
        counts=_counts(totals([(item.task, _values(item))])),
        agreement=_agreement(requirements) if compare else None,
        requirements=requirements,
        notes=_some(notes),
    )


def _requirement(one: Requirement, item: Judged, labelled: _Labelled, evidence: EvidenceReader) -> RequirementReport:
    number = one.requirement_id
    verdict = item.verdicts.get(number)
    label = labelled.values.get(number)
    unmet = _unmet(one.prerequisites, number, item)
    base = RequirementReport(
        requirement_id=number,
        criteria=one.criteria,
        category=one.category,
        prerequisites=one.prerequisites,
        state=State(verdict.verdict.value) if verdict is not None else State.PENDING,
        unmet=tuple(sorted({*unmet, *(verdict.blocked_by if verdict is not None else ())})),
        blocked=bool(_unmet(ancestors(item.task, number), number, item)) or bool(verdict and verdict.blocked_by),
        label=label,
        label_note=labelled.notes.get(number, ""),
        usage=item.usage.get(number),
        confidence=item.confidences.get(number),
    )
    if verdict is None:
        return base
    shown = evidence.get(verdict.evidence_hash)
    asked = verdict.usage.calls or verdict.votes or verdict.citations or verdict.evidence_hash
    decided = verdict.verdict != VerdictValue.ERROR
    reason, error, raw = masked_all((verdict.reason, verdict.error, verdict.raw_answer))
    return base.model_copy(
        update={
            "reason": reason,
            "error": error,
            "votes": tuple(vote.value for vote in verdict.votes),
            "citations": _cited(verdict, shown),
            "citations_verified": verdict.citations_verified,
            "injection": verdict.injection,
            "redacted": verdict.redacted,
            "gated": bool(verdict.blocked_by) and not asked,
            "agrees": (verdict.verdict == VerdictValue.SATISFIED) == label if decided and label is not None else None,
            "seconds": verdict.seconds if verdict.judge else None,
            "judge": verdict.judge,
            "model": verdict.model,
            "prompt_hash": verdict.prompt_hash,
            "evidence_hash": verdict.evidence_hash,
            "raw_answer": raw,
            "evidence": tuple(piece for piece in shown if piece.text or piece.pictures or piece.problems),
        }
    )


def _unmet(numbers: Iterable[int], own: int, item: Judged) -> list[int]:
    known = ((number, item.verdicts[number].verdict) for number in numbers if number in item.verdicts and number != own)
    return [number for number, verdict in known if verdict == VerdictValue.UNSATISFIED]


def _cited(verdict: Judgment, evidence: Sequence[Shown]) -> tuple[Cited, ...]:

    found = []
    quotes = masked_all([item.quote for item in verdict.citations]) if verdict.citations else []
    for item, quote in zip(verdict.citations, quotes, strict=True):
        place = item.model_dump(include={"path", "line", "end_line", "step", "verified"})
        found.append(Cited(**place, quote=quote, lines=excerpt(item, quote, evidence)))
    return tuple(found)


def _counts(value: Totals) -> Counts:
    return Counts(
        tasks=value.tasks,
        requirements=value.requirements,
        satisfied=value.satisfied,
        unsatisfied=value.unsatisfied,
        errors=value.errors,
        pending=value.pending,
        independent=_part(value.independent),
        dependent=_part(value.dependent),
        transitive=_part(value.transitive),
        solved=_part(value.solved),
    )


def _part(share: Share) -> Part:
    return Part(met=share.met, of=share.of, rate=share.rate)


def _agreement(requirements: Iterable[RequirementReport]) -> Agreement:
    listed = list(requirements)
    judged = [item for item in listed if item.state in _DECIDED]
    both = [item for item in judged if item.agrees is not None]
    agree = sum(1 for item in both if item.agrees)
    return Agreement(
        compared=len(both),
        agree=agree,
        too_strict=sum(1 for item in both if not item.agrees and item.label),
        too_lenient=sum(1 for item in both if not item.agrees and not item.label),
        unlabelled=len(judged) - len(both),
        unjudged=sum(1 for item in listed if item.label is not None and item.state not in _DECIDED),
        rate=agree / len(both) if both else None,
    )
