"""Reference labels: whether each requirement is really met, joined to tasks by id and checked by text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from judge.errors import InputError
from judge.jsontext import Problem, Value, child, parse_file, show, show_path
from judge.schemas import Task
from judge.tasks.fields import Fields, Findings
from judge.tasks.layout import find_layout, json_files, judgment_kinds
from judge.tasks.load import InvalidTask, elements
from judge.tasks.names import name_problem

_QUOTES = re.compile("[\"'`´‘’‚‛“”„‟«»‹›]")
_SPACES = re.compile(r"\s+")
_ENDS = " .,;:!"


@dataclass(frozen=True, slots=True)
class Label:
    """The label of one requirement.

    Attributes:
        requirement_id: The id in the label file.
        criteria: The criterion's text there; empty when the file has none.
        satisfied: Met or not; None when unlabelled.
        reason: Why, when the file says so.
    """

    requirement_id: int
    criteria: str
    satisfied: bool | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TaskLabels:
    """The labels of one task: requirement id -> label."""

    name: str
    path: Path
    requirements: Mapping[int, Label]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Labels:
    """Labels of many tasks.

    Attributes:
        tasks: Task name -> labels.
        invalid: Files or entries that cannot be used, with every reason.
        warnings: About files that hold no labels at all.
    """

    tasks: Mapping[str, TaskLabels] = field(default_factory=dict)
    invalid: tuple[InvalidTask, ...] = ()
    warnings: tuple[str, ...] = ()


class Drift(StrEnum):
    """How a label's place differs from the requirement's."""

    TEXT = "other text"
    """Same id, other wording: the label is used."""
    MOVED = "moved"
    """The same wording stands at another id: that label is used."""
    MISSING = "missing"
    """No label for this requirement, or only one that belongs to another."""
    EXTRA = "extra"
    """A label that no requirement of the task claims."""


@dataclass(frozen=True, slots=True)
class Join:
    """Labels as they apply to one task.

    Attributes:
        satisfied: Requirement id -> label; None when unlabelled. Every requirement of the task is there.
        drift: (requirement id, kind, one line of detail) for all that does not fit.
        used: Requirement id -> id of the label that was taken for it.
    """

    satisfied: Mapping[int, bool | None]
    drift: tuple[tuple[int, Drift, str], ...] = ()
    used: Mapping[int, int] = field(default_factory=dict)


def normalise_criterion(text: str) -> str:
    """A criterion without what two editions of one text differ in: quotes, back-ticks, spacing, letter case, end mark.

    >>> normalise_criterion("Saved in  `a/b.py`.") == normalise_criterion('saved in "a/b.py"')
    True
    """
    text = _QUOTES.sub("", unicodedata.normalize("NFKC", text)).casefold()
    return _SPACES.sub(" ", text).strip(_ENDS)


def join_labels(task: Task, labels: TaskLabels) -> Join:
    """Joins labels to a task: by id when the texts agree, else by text, else by id with the drift reported."""
    wanted = {item.requirement_id: normalise_criterion(item.criteria) for item in task.requirements}
    texts = {number: normalise_criterion(label.criteria) for number, label in labels.requirements.items()}
    taken: dict[int, int] = {
        number: number for number in wanted if number in texts and texts[number] in {wanted[number], ""}
    }
    drift: list[tuple[int, Drift, str]] = []
    for number, text in wanted.items():
        free = [other for other, found in texts.items() if found == text and other not in taken.values()]
        if number not in taken and len(free) == 1:
            taken[number] = free[0]
            drift.append((number, Drift.MOVED, f"its text is at label {free[0]}; that label is used"))
    for number in wanted:
        if number in taken:
            continue
        if number in texts and number not in taken.values():
            taken[number] = number
            drift.append((number, Drift.TEXT, f"the label was given for {show(labels.requirements[number].criteria)}"))
        else:
            drift.append((number, Drift.MISSING, "no label fits this requirement"))
    used = set(taken.values())
    drift += [
        (number, Drift.EXTRA, f"no requirement fits this label ({show(labels.requirements[number].criteria)})")
        for number in texts
        if number not in used
    ]
    satisfied = {number: labels.requirements[taken[number]].satisfied if number in taken else None for number in wanted}
    return Join(satisfied, tuple(sorted(drift)), taken)


def load_labels(path: Path) -> Labels:
    """Loads labels from a file, a folder of files, or an agent's folder of official judgments (the human consensus).

    Raises:
        InputError: The path is not there, holds no label files, or holds those of several agents.
    """
    tasks: dict[str, TaskLabels] = {}
    invalid: list[InvalidTask] = []
    warnings: list[str] = []
    for file in _label_files(path):
        for value in elements(parse_file(file)):
            if not value.parsed:
                invalid.append(InvalidTask(file, None, value.problems))
            elif not isinstance(value.data, dict) or "requirements" not in value.data:
                warnings.append(f"{show_path(file)}: {value.root} holds no labels ({show(value.data)}); skipped")
            else:
                _add(tasks, invalid, file, value)
    if not tasks and not invalid:
        raise InputError(
            "holds no labels", where=show_path(path), hint="label files are tasks with satisfied filled in"
        )
    return Labels(tasks, tuple(invalid), tuple(warnings))


def _label_files(path: Path) -> list[Path]:
    try:
        is_folder, exists = path.is_dir(), path.exists()
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", where=show_path(path)) from None
    if not exists:
        raise InputError("no such file or folder", where=show_path(path), hint="name a label file or a folder of them")
    if not is_folder:
        return [path]
    layout = find_layout(path)
    agents = dict(layout.judgments) if layout is not None else {}
    files = [] if agents else list(json_files(path))
    if files:
        return files
    kinds = {} if agents else judgment_kinds(path)
    human = [name for name in kinds if name.startswith("human_as_a_judge")]
    chosen = human[:1] or (list(kinds) if len(kinds) == 1 else [])
    if chosen and not any(name.endswith("/human_as_a_judge") for name in kinds):
        return list(json_files(kinds[chosen[0]]))
    choices = [f"judgment/{agent}/{kind}" for agent, found in agents.items() for kind in found] or list(kinds)
    hint = "name one of " + ", ".join(sorted(choices)[:6]) if choices else "*.json and *.jsonl files are looked for"
    raise InputError(
        "holds the labels of several judges" if choices else "holds no label files", where=show_path(path), hint=hint
    )


def _add(tasks: dict[str, TaskLabels], invalid: list[InvalidTask], file: Path, value: Value) -> None:
    name, labels, found = _check(value.data, value.root)
    problems = [*value.problems, *found.problems]
    warnings = [*map(str, value.warnings), *map(str, found.warnings)]
    if name is not None and name in tasks:
        where = show_path(tasks[name].path)
        problems.append(
            Problem(child(value.root, "name"), f"is {show(name)}, as in {where}", "one set of labels a task")
        )
    if problems or name is None:
        invalid.append(InvalidTask(file, name, tuple(problems), tuple(warnings)))
    else:
        tasks[name] = TaskLabels(name, file, labels, tuple(warnings))


def _check(data: dict[str, Any], root: str) -> tuple[str | None, dict[int, Label], Findings]:
    found = Findings()
    fields = Fields(data, root, found)
    name: str | None = data.get("name") if isinstance(data.get("name"), str) else None
    if name is not None and name.endswith(".json"):
        found.warn(child(root, "name"), f"is {show(name)}; .json is left out", "the task's name")
        name = name.removesuffix(".json")
    problem = name_problem(name, child(root, "name"))
    if problem is not None:
        found.problems.append(problem)
        name = None
    labels: dict[int, Label] = {}
    for path, item in fields.items("requirements", required=True, of="labelled requirements"):
        if not isinstance(item, dict):
            found.bad(path, f"is {show(item)}", "an object with requirement_id and satisfied")
            continue
        own = Fields(item, path, found)
        number, satisfied = own.id("requirement_id"), item.get("satisfied")
        if satisfied is not None and not isinstance(satisfied, bool):
            found.bad(child(path, "satisfied"), f"is {show(satisfied)}", "true, false or null")
        if number is not None and number in labels:
            found.bad(child(path, "requirement_id"), f"is {number} a second time", "one label a requirement")
        elif number is not None:
            criteria = own.optional_text("criteria") or ""
            reason = item.get("reason")
            labels[number] = Label(
                number,
                criteria,
                satisfied if isinstance(satisfied, bool) else None,
                reason if isinstance(reason, str) else "",
            )
    return name, labels, found
