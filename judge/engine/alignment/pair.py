"""Which labels and raters belong to which judged folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from judge.engine.alignment.names import Spec
from judge.engine.alignment.source import Source, read_source
from judge.errors import InputError
from judge.jsontext import show_path


@dataclass(slots=True)
class Group:
    """The judges and raters of one agent, on one set of labels.

    Attributes:
        agent: Its name; empty when not known.
        labels: None when the raters' majority stands in.
        judges: Judge's name -> verdicts.
        raters: Rater's name -> verdicts.
    """

    agent: str
    labels: Source | None
    judges: dict[str, Source] = field(default_factory=dict)
    raters: dict[str, Source] = field(default_factory=dict)


def pair(judged: Sequence[Spec], labels: Sequence[Spec], raters: Sequence[Spec]) -> tuple[list[Group], list[str]]:
    """Groups judged folders by agent and labels.

    One set of labels serves all; of several, each judged folder takes the one of its agent, or the one at the same
    place in the order when there are as many labels as judged folders.

    Returns:
        The groups, and doubts to tell the user.

    Raises:
        InputError: Something is not there, or what belongs together cannot be told.
    """
    notes: list[str] = []
    sources = {spec.path: read_source(spec.path) for spec in (*labels, *judged, *raters)}
    groups: dict[tuple[str, object], Group] = {}
    for number, spec in enumerate(judged):
        chosen = _labels_of(spec, number, judged, labels, notes)
        agent = spec.agent or (chosen.agent if chosen is not None else "")
        key = (agent, chosen.path if chosen is not None else None)
        group = groups.setdefault(key, Group(agent, sources[chosen.path] if chosen is not None else None))
        group.judges[_free_name(_judge_name(spec, sources[spec.path]), spec, group.judges)] = sources[spec.path]
    for spec in raters:
        group = _group_of(spec, list(groups.values()))
        name = spec.judge or spec.path.name
        group.raters[_free_name(name, spec, {**group.judges, **group.raters})] = sources[spec.path]
    for group in groups.values():
        if group.labels is None and not group.raters:
            raise InputError(f"there are no raters for {group.agent or 'the judged agent'}", where="--rater")
        for source in (*group.judges.values(), *group.raters.values(), *([group.labels] if group.labels else [])):
            notes += [f"{note}" for note in source.notes if note not in notes]
    return list(groups.values()), notes


def _labels_of(
    spec: Spec, number: int, judged: Sequence[Spec], labels: Sequence[Spec], notes: list[str]
) -> Spec | None:
    if not labels:
        return None
    if len(labels) == 1:
        if spec.agent and labels[0].agent and spec.agent != labels[0].agent:
            notes.append(
                f"{show_path(spec.path)} is of {spec.agent}, but the labels {show_path(labels[0].path)} are of"
                f" {labels[0].agent}"
            )
        return labels[0]
    same = [item for item in labels if item.agent and item.agent == spec.agent]
    if len(same) == 1:
        return same[0]
    if len(labels) == len(judged) and not same:
        return labels[number]
    known = ", ".join(item.agent or show_path(item.path) for item in labels)
    raise InputError(
        f"which of {len(labels)} labels belong to it cannot be told (there are {known})",
        where=show_path(spec.path),
        hint="name the agents: AGENT/JUDGE=PATH and --labels AGENT=PATH",
    )


def _group_of(spec: Spec, groups: Sequence[Group]) -> Group:
    same = [group for group in groups if spec.agent and group.agent == spec.agent]
    if len(groups) == 1:
        return groups[0]
    if len(same) == 1:
        return same[0]
    raise InputError(
        "which agent this rater rated cannot be told",
        where=show_path(spec.path),
        hint="--rater AGENT/NAME=PATH, with one of " + ", ".join(group.agent or "(no name)" for group in groups),
    )


def _judge_name(spec: Spec, source: Source) -> str:
    if spec.judge:
        return spec.judge
    if source.header is None:
        return spec.path.name or str(spec.path)
    model = source.header.model or source.header.judge
    return f"{model} ({source.header.setting.value})"


def _free_name(name: str, spec: Spec, taken: dict[str, Source]) -> str:
    """The name, with the folder's or a number when another has it."""
    if name not in taken:
        return name
    longer = f"{name}, {spec.path.name}"
    number = 2
    while longer in taken:
        longer = f"{name}, {spec.path.name} #{number}"
        number += 1
    return longer
