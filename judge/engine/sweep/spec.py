"""Reads a sweep file strictly: every problem at once, each with its line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from pydantic import ValidationError
from yaml.nodes import MappingNode, Node, SequenceNode

from judge.bounded import read_whole
from judge.errors import InputError
from judge.jsontext import plain_message, show_path
from judge.results import SweepJudge, SweepSpec
from judge.schemas import Setting

_LARGEST = 1024 * 1024
_MOST_NODES = 10_000
_DEEPEST = 40

_MESSAGES = {
    "missing": "is missing",
    "too_short": "is empty",
    "string_too_short": "is empty",
    "string_pattern_mismatch": "expects a name of letters, digits and . _ + - that begins with a letter or digit",
}

_Path = tuple[str | int, ...]


class SweepProblem(NamedTuple):
    """What is wrong with a sweep file.

    Attributes:
        line: 1-based; the first when it concerns the whole file.
        place: Where in the document, such as ``agents[0].name``.
        what: What is wrong.
    """

    line: int
    place: str
    what: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.place}: {self.what}" if self.place else f"line {self.line}: {self.what}"


class LoadedSweep(NamedTuple):
    """A sweep file.

    Attributes:
        spec: What it says; None when it has problems.
        problems: All of them, by line.
    """

    spec: SweepSpec | None
    problems: tuple[SweepProblem, ...]


def load_sweep(path: Path) -> LoadedSweep:
    """Reads a sweep file.

    Raises:
        InputError: It is not there or cannot be read.
    """
    try:
        return parse_sweep(read_whole(path, _LARGEST))
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", where=show_path(path)) from error


def parse_sweep(data: bytes) -> LoadedSweep:
    """Checks the content of a sweep file.

    Args:
        data: YAML.
    """
    try:
        node = yaml.compose(data, Loader=yaml.SafeLoader)
        if node is not None and _size(node, {}) > _MOST_NODES:
            what = "has more values, with all its aliases written out, than any sweep file"
            return LoadedSweep(None, (SweepProblem(1, "", what),))
        value = yaml.load(data, Loader=yaml.SafeLoader)
        text = json.dumps(value, default=str)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = f"is no YAML: {error.problem or error.context}"
        return LoadedSweep(None, (SweepProblem(mark.line + 1 if mark else 1, "", what),))
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        what = "is nested too deeply" if isinstance(error, RecursionError) else " ".join(str(error).split())
        return LoadedSweep(None, (SweepProblem(1, "", f"is no YAML that can be used: {what}"),))
    if not isinstance(value, dict) or node is None:
        return LoadedSweep(None, (SweepProblem(1, "", "is no mapping; a sweep file begins with `version: 1`"),))
    problems = list(_duplicates(node, ()))
    try:
        spec = SweepSpec.model_validate_json(text, strict=True)
    except ValidationError as error:
        found = error.errors(include_url=False)
        problems += [_problem(node, item) for item in found if not _follows(item, found)]
        return LoadedSweep(None, tuple(sorted(set(problems))))
    problems += [SweepProblem(_line(node, place), _show(place), what) for place, what in _contradictions(spec)]
    return LoadedSweep(None if problems else spec, tuple(sorted(set(problems))))


def _size(node: Node, known: dict[int, int]) -> int:
    """How many values there are when each alias is written out: some short files stand for billions."""
    if (found := known.get(id(node))) is not None:
        return found
    known[id(node)] = _MOST_NODES + 1  # for what holds itself
    inner: list[Node] = []
    if isinstance(node, yaml.MappingNode):
        inner = [part for pair in node.value for part in pair]
    elif isinstance(node, yaml.SequenceNode):
        inner = node.value
    known[id(node)] = 1 + sum(_size(part, known) for part in inner)
    return known[id(node)]


def _follows(item: Any, found: Sequence[Any]) -> bool:
    """Whether a list is called empty only because what is in it cannot be used."""
    place = item["loc"]
    return item["type"] == "too_short" and any(
        len(other["loc"]) > len(place) and other["loc"][: len(place)] == place for other in found
    )


def _problem(node: Node, item: Any) -> SweepProblem:
    place: _Path = tuple(item["loc"])
    kind, message = item["type"], item["msg"]
    if place and place[-1] == "[key]":
        place = place[:-1]
    if kind == "extra_forbidden":
        message = "unknown key"
    elif kind in _MESSAGES:
        message = _MESSAGES[kind]
    else:
        message = plain_message(message).removeprefix("Input should be ")
        message = f"expects {message}" if item["msg"].startswith("Input should be ") else message
    return SweepProblem(_line(node, place), _show(place), message)


def _contradictions(spec: SweepSpec) -> Iterator[tuple[_Path, str]]:
    """What is well formed and makes no sense."""
    for number, votes in enumerate(spec.votes):
        if votes < 1 or votes % 2 == 0:
            yield ("votes", number), f"expects an odd number of votes, not {votes}"
    if "embeddings" in spec.search_methods and not spec.embeddings:
        yield ("search_methods",), "embeddings need `embeddings:`, what makes them"
    asked = [judge.value for judge in (SweepJudge.AGENT, SweepJudge.LLM) if judge in spec.judges]
    if asked and not spec.models:
        yield ("judges",), f"there is no model for {' and '.join(asked)}: add `models:`"
    yield from _twice(spec)
    if Setting.GRAY_BOX in spec.settings and not any(agent.trajectories for agent in spec.agents):
        yield ("settings",), "gray-box needs `trajectories:` of an agent"
    if spec.judges == (SweepJudge.MAJORITY,):
        yield ("judges",), "a majority needs other judges beside it"
    if SweepJudge.HUMAN in spec.judges:
        for number, agent in enumerate(spec.agents):
            if not (agent.raters or agent.labels or spec.labels):
                yield ("agents", number), "the judge human needs `labels:` or `raters:`"


def _twice(spec: SweepSpec) -> Iterator[tuple[_Path, str]]:
    for name in ("settings", "judges", "models", "module_sets", "votes", "strictness", "search_methods", "truncations"):
        values = [_key(item) for item in getattr(spec, name)]
        for number, item in enumerate(values):
            if item in values[:number]:
                yield (name, number), "is there twice"
    names = [agent.name.casefold() for agent in spec.agents]
    for number, agent in enumerate(spec.agents):
        if agent.name.casefold() in names[:number]:
            yield ("agents", number, "name"), "is there twice"


def _key(item: object) -> object:
    return frozenset(item) if isinstance(item, tuple) else item


def _duplicates(node: Node, place: _Path) -> Iterator[SweepProblem]:
    """Keys that are in one mapping twice, which YAML itself would let pass."""
    if len(place) > _DEEPEST:
        return
    if isinstance(node, MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            name = str(key.value)
            if name in seen:
                yield SweepProblem(key.start_mark.line + 1, _show((*place, name)), "is there twice")
            seen.add(name)
            yield from _duplicates(value, (*place, name))
    elif isinstance(node, SequenceNode):
        for number, value in enumerate(node.value[:1000]):
            yield from _duplicates(value, (*place, number))


def _line(node: Node, place: _Path) -> int:
    """The line of a place, or of the nearest thing around it that is there."""
    line = int(node.start_mark.line) + 1
    for part in place:
        found: Node | None = None
        if isinstance(node, MappingNode):
            for key, value in node.value:
                if str(key.value) == str(part):
                    found, line = value, int(key.start_mark.line) + 1
        elif isinstance(node, SequenceNode) and isinstance(part, int) and part < len(node.value):
            found = node.value[part]
            line = int(found.start_mark.line) + 1
        if found is None:
            return line
        node = found
    return line


def _show(place: Sequence[str | int]) -> str:
    text = ""
    for part in place:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text
