"""Grades one file by the rubric."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from judge.results.score import QualityResult
from judge.score.quality import lint, rubric
from judge.score.quality.docstring import judge_docstrings
from judge.score.quality.hints import judge_hints
from judge.score.quality.mark import Mark, combine
from judge.score.quality.naming import judge_names
from judge.score.quality.returns import judge_returns
from judge.score.quality.size import bodies, judge_branching, judge_complexity, judge_length
from judge.score.quality.source import Source, is_text, read_source
from judge.score.quality.units import Units, find_units
from judge.text import one_line

if TYPE_CHECKING:
    from judge.score.suite.model import Override, Quality

_NOTHING = "the file holds no function to judge"


def grade(source: bytes, quality: Quality, entry: str, overrides: Sequence[Override] = ()) -> QualityResult:
    """The quality of a file, by its syntax tree alone; the code is never run and never imported.

    Comments that silence tools change nothing. A file that cannot be parsed, or that holds no code, is worth 0. Half
    of a criterion is its worst function, half the mean over all.

    Args:
        source: The file as it was handed in.
        quality: Weights, thresholds and exemptions of the suite. When all criteria are exempt or weigh nothing, every
            item has weight 0 and the dimension was not measured.
        entry: Name of the function or class that the suite calls, which is never judged; empty for a program.
        overrides: Values of human reviewers for this submission; one for an unknown criterion is named in the
            findings and has no other effect.
    """
    read = read_source(source)
    if isinstance(read, Source) and not all(is_text(item) for item in read.tree.body):
        units = find_units(read.tree, entry)
        values, absent = _measure(read, units, quality)
        found, functions, lines = lint.findings(read.text, quality.ruff), len(units.functions), read.lines
    else:
        reason = read if isinstance(read, str) else "line 1: the file holds no code"
        values, absent = dict.fromkeys(rubric.WEIGHTS, (0.0, (reason,))), frozenset()
        found, functions, lines = (), 0, source.count(b"\n") + bool(source and not source.endswith(b"\n"))
    unknown = sorted({item.item for item in overrides} - set(rubric.WEIGHTS))
    found += tuple(f"note: a reviewer's value for '{one_line(name, 60)}' names no criterion" for name in unknown)
    items = rubric.items(values, rubric.shares(quality, absent), overrides)
    return QualityResult(value=rubric.total(items), items=items, functions=functions, lines=lines, findings=found)


def _measure(
    source: Source, units: Units, quality: Quality
) -> tuple[dict[str, tuple[float, tuple[str, ...]]], frozenset[str]]:
    """Value and reasons of each criterion, and those for which there is nothing to judge."""
    code = bodies(units)
    hints = [judge_hints(unit) for unit in units.functions]
    marks: dict[str, list[Mark]] = {
        "docstring": judge_docstrings(units),
        "hints": [mark for mark in hints if mark is not None],
        "naming": judge_names(units, source.tree),
        "complexity": [judge_complexity(unit, body, quality.max_complexity) for unit, body in code],
        "length": [judge_length(unit, body, source.code, quality.max_length) for unit, body in code],
        "branching": [judge_branching(unit, body, quality.max_branching) for unit, body in code],
        "returns": [judge_returns(unit) for unit in units.functions],
    }
    absent = frozenset(name for name, found in marks.items() if not found)
    values = {name: combine(found) if found else (1.0, (_NOTHING,)) for name, found in marks.items()}
    return values, absent
