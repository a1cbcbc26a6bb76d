"""Turns one JSON value into a task, or into the list of everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judge.jsontext import Problem, child, show
from judge.schemas import Preference, Requirement, Task
from judge.tasks.dag import find_cycles
from judge.tasks.fields import Fields, Findings, is_id
from judge.tasks.names import name_problem

TASK_KEYS = frozenset({"query", "requirements"})
"""An object with none of these keys was never meant to be a task."""

TASK_LABEL_KEYS = ("executed_successfully", "satisfied_all_requirements", "satisfied_all_preferences")
ITEM_LABEL_KEYS = ("satisfied", "verdict", "reason", "label", "confidence", "votes", "citations", "blocked_by")
"""Fields of labelled or judged files that say, or give away, the answer; they never reach a judge."""

MAX_FINDINGS = 1000

_FLAGS = ("is_kaggle_api_needed", "is_training_needed", "is_web_navigation_needed")


@dataclass(frozen=True, slots=True)
class Checked:
    """The outcome of a check: a task exactly when there are no problems."""

    task: Task | None
    name: str | None
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]


def looks_like_task(value: object) -> bool:
    """Whether a JSON value was meant to be a task, right or wrong."""
    return isinstance(value, dict) and not TASK_KEYS.isdisjoint(value)


def check_task(value: object, root: str = "$") -> Checked:
    """Checks a parsed JSON value against DevAI's task format; labels are left out of the task."""
    found = Findings()
    if not isinstance(value, dict):
        found.bad(root, f"is {show(value)}", "a task: an object with name, query and requirements")
        return Checked(None, None, tuple(found.problems), ())
    fields = Fields(value, root, found)
    problem = name_problem(value["name"], child(root, "name")) if "name" in value else None
    if "name" not in value:
        found.bad(child(root, "name"), "is missing", "the task's name")
    if problem is not None:
        found.problems.append(problem)
    name = value["name"] if "name" in value and problem is None else None
    built: dict[str, Any] = {
        "name": name,
        "query": fields.text("query", expected="what the agent was asked"),
        "tags": _tags(fields),
        "requirements": _requirements(fields),
        "preferences": _preferences(fields),
    }
    built |= {flag: fields.flag(flag) for flag in _FLAGS}
    extras = fields.rest(*built, *TASK_LABEL_KEYS)
    task = None if found.problems else Task.model_validate(extras | built)
    return Checked(task, name, _bounded(found.problems, root), _bounded(found.warnings, root))


def _bounded(problems: Sequence[Problem], root: str) -> tuple[Problem, ...]:
    """All findings, unless there are so many that nobody reads them."""
    more = len(problems) - MAX_FINDINGS
    return tuple(problems) if more <= 0 else (*problems[:MAX_FINDINGS], Problem(root, f"has {more} more findings"))


def _tags(fields: Fields) -> tuple[str, ...]:
    tags = []
    for path, item in fields.items("tags", of="texts"):
        if isinstance(item, str):
            tags.append(item)
        else:
            fields.found.bad(path, f"is {show(item)}", "text")
    return tuple(tags)


def _satisfied(fields: Fields) -> None:
    value = fields.data.get("satisfied")
    if value is not None and not isinstance(value, bool):
        fields.found.warn(child(fields.path, "satisfied"), f"is {show(value)} and is ignored", "true, false or null")


def _requirements(fields: Fields) -> tuple[Requirement, ...]:
    found = fields.found
    raw = fields.items("requirements", required=True, of="requirements")
    if not raw and fields.data.get("requirements") == []:
        found.bad(child(fields.path, "requirements"), "is empty", "at least one requirement")
    made: list[Requirement] = []
    ids = _ids(raw, "requirement_id")
    seen: dict[int, str] = {}
    links: list[tuple[str, int, list[tuple[str, int]]]] = []
    for path, item in raw:
        if not isinstance(item, dict):
            found.bad(path, f"is {show(item)}", "a requirement: an object with requirement_id and criteria")
            continue
        own = Fields(item, path, found)
        number = _unique_id(own, "requirement_id", seen)
        prerequisites = _prerequisites(own, number, ids)
        built: dict[str, Any] = {
            "requirement_id": number,
            "prerequisites": tuple(dict.fromkeys(target for _, target in prerequisites)),
            "criteria": own.text("criteria", expected="the criterion as text"),
            "category": own.optional_text("category"),
        }
        _satisfied(own)
        if number is not None:
            links.append((path, number, prerequisites))
            extras = own.rest(*built, *ITEM_LABEL_KEYS)
            made.append(Requirement.model_validate(extras | built))
    _cycles(found, links)
    return tuple(made)


def _ids(raw: Sequence[tuple[str, Any]], key: str) -> frozenset[int]:
    """All usable ids of a list; with an unusable one among them, links cannot be called unknown."""
    return frozenset(item[key] for _, item in raw if isinstance(item, dict) and is_id(item.get(key)))


def _unique_id(own: Fields, key: str, seen: dict[int, str]) -> int | None:
    number = own.id(key)
    if number is None:
        return None
    if number in seen:
        own.found.bad(child(own.path, key), f"is {number}, as at {seen[number]}", "an id of its own")
        return None
    seen[number] = own.path
    return number


def _prerequisites(own: Fields, number: int | None, ids: frozenset[int]) -> list[tuple[str, int]]:
    """The usable prerequisites of one requirement, with their JSON paths; a link to itself is dropped."""
    kept: list[tuple[str, int]] = []
    taken: set[int] = set()
    if own.data.get("prerequisites", ()) is None:
        own.found.warn(child(own.path, "prerequisites"), "is null and is read as none", "a list of requirement ids")
    for path, target in own.items("prerequisites", of="requirement ids"):
        if not is_id(target):
            own.found.bad(path, f"is {show(target)}", "a requirement id")
        elif target == number:
            own.found.warn(path, f"requirement {number} names itself as prerequisite; the link is dropped")
        elif target not in ids:
            known = ", ".join(map(str, sorted(ids)[:20])) + (", …" if len(ids) > 20 else "")
            own.found.bad(
                path, f"is {target}, and there is no such requirement", f"one of {known}" if ids else "a requirement id"
            )
        elif target in taken:
            own.found.warn(path, f"names requirement {target} a second time")
        else:
            kept.append((path, target))
            taken.add(target)
    return kept


def _cycles(found: Findings, links: Sequence[tuple[str, int, list[tuple[str, int]]]]) -> None:
    """Reports each cycle at the link that closes it."""
    edges: Mapping[int, tuple[int, ...]] = {number: tuple(t for _, t in targets) for _, number, targets in links}
    places = {(number, target): path for _, number, targets in links for path, target in targets}
    for cycle in find_cycles(edges):
        ring = " -> ".join(map(str, (*cycle, cycle[0])))
        found.bad(
            places[cycle[0], cycle[1]], f"closes a cycle of prerequisites: {ring}", "an order in which all can be met"
        )


def _preferences(fields: Fields) -> tuple[Preference, ...]:
    made: list[Preference] = []
    seen: dict[int, str] = {}
    for path, item in fields.items("preferences", of="preferences"):
        if not isinstance(item, dict):
            fields.found.bad(path, f"is {show(item)}", "a preference: an object with preference_id and criteria")
            continue
        own = Fields(item, path, fields.found)
        number = _unique_id(own, "preference_id", seen)
        built: dict[str, Any] = {"preference_id": number, "criteria": own.text("criteria", expected="the wish as text")}
        _satisfied(own)
        if number is not None:
            made.append(Preference.model_validate(own.rest(*built, *ITEM_LABEL_KEYS) | built))
    return tuple(made)
