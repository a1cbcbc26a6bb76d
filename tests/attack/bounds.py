"""The bounds of the program: what each bounds, where it stands in the code, what happens past it, and its tests."""

from __future__ import annotations

import dataclasses
import importlib
from typing import NamedTuple

FILES = "tests/attack/test_bounds_files.py::"
HERE = "tests/attack/test_bounds.py::"
WHOLE = f"{FILES}test_a_file_at_its_bound_is_whole_and_past_it_that_is_said"


class Bound(NamedTuple):
    """One bound.

    Attributes:
        what: What is bounded.
        where: The module and the name in it, for a setting the class and its field.
        unit: Of the value: ``bytes`` are written as KiB, MiB or GiB.
        past: What happens past it.
        tests: ``file::name`` of each test.
    """

    what: str
    where: str
    unit: str
    past: str
    tests: tuple[str, ...]


_LIMITS = "judge.readers.document:Limits."
_PART = "the state is `partial`, and the problem is named"
BOUNDS = (
    Bound(
        "files listed of a workspace",
        "judge.workspace.walk:WalkOptions.max_files",
        "",
        "the listing is not complete, which is shown",
        (f"{FILES}test_files_beyond_the_count_are_told", "tests/workspace/test_walk.py::test_a_hundred_thousand_files"),
    ),
    Bound(
        "folders above a file",
        "judge.workspace.walk:WalkOptions.max_depth",
        "",
        "the folder is listed as skipped",
        (
            f"{FILES}test_folders_beyond_the_depth_are_told",
            "tests/workspace/test_walk.py::test_five_thousand_folders_deep_is_survived",
        ),
    ),
    Bound(
        "time of listing a workspace",
        "judge.workspace.walk:WalkOptions.max_seconds",
        "s",
        "the listing is not complete, which is shown",
        ("tests/workspace/test_walk.py::test_bounds_on_files_and_time_are_told",),
    ),
    Bound(
        "links followed to one file",
        "judge.workspace.doors:MAX_LINKS",
        "",
        "the link is listed as skipped",
        (
            f"{FILES}test_links_beyond_the_count_are_told",
            "tests/workspace/test_walk.py::test_links_inside_are_followed_and_loops_survived",
        ),
    ),
    Bound("bytes read of one file", f"{_LIMITS}max_bytes", "bytes", _PART, (WHOLE,)),
    Bound("characters shown of one file", f"{_LIMITS}max_chars", "", "the text is cut, which is said", (WHOLE,)),
    Bound("pages, sheets or tables of one file", f"{_LIMITS}max_pages", "", _PART, (WHOLE,)),
    Bound(
        "pixels of a picture that is decoded",
        f"{_LIMITS}max_pixels",
        "",
        "width and height are measured, no more",
        (WHOLE, "tests/readers/test_pictures.py::test_huge_pictures_are_only_measured"),
    ),
    Bound(
        "unpacked bytes for each packed byte",
        f"{_LIMITS}max_expansion",
        "",
        "the file counts as a bomb and is not unpacked",
        ("tests/readers/test_archives.py::test_bombs", "tests/readers/test_tables.py::test_hostile_xlsx"),
    ),
    Bound(
        "time of reading one file",
        f"{_LIMITS}max_seconds",
        "s",
        "the reading process is ended, the file is `unreadable`",
        ("tests/readers/test_store.py::test_a_process_that_hangs_is_ended_and_started_again",),
    ),
    Bound(
        "memory of the reading process",
        "judge.readers.worker:_MEMORY",
        "bytes",
        "the file is `unreadable`",
        ("tests/readers/test_worker.py::test_memory_is_bounded",),
    ),
    Bound("members listed of an archive", "judge.readers.members:_COUNTED", "", _PART, (WHOLE,)),
    Bound("nesting of YAML", "judge.readers.data:_MAX_DEPTH", "", "the state is `broken`", (WHOLE,)),
    Bound("characters of TOML and INI that are parsed", "judge.readers.data:_MAX_TOML", "", _PART, (WHOLE,)),
    Bound("entities of XML", "judge.readers.markup:_MAX_ENTITIES", "", "the state is `broken`", (WHOLE,)),
    Bound("characters of a line of CSV", "judge.readers.table:_MAX_LINE", "", "the line is named", (WHOLE,)),
    Bound("parts of a mail", "judge.readers.mail:_MAX_PARTS", "", _PART, (WHOLE,)),
    Bound(
        "characters of an output of a cell", "judge.readers.notebook:_OUTPUT_CHARS", "", "cut, which is said", (WHOLE,)
    ),
    Bound("objects of an HDF5 file", "judge.readers.hdf:_MAX_OBJECTS", "", _PART, (WHOLE,)),
    Bound("nested groups of an HDF5 file", "judge.readers.hdf:_MAX_DEPTH", "", _PART, (WHOLE,)),
    Bound(
        "operations of a pickle",
        "judge.readers.opcodes:_MAX_OPS",
        "",
        _PART,
        (f"{FILES}test_a_long_pickle_is_listed_in_part",),
    ),
    Bound(
        "bytes of a source file that is analysed",
        "judge.modules.graph.reading:MAX_BYTES",
        "bytes",
        "named in the graph as too large to analyse",
        (f"{FILES}test_source_code_beyond_its_size_is_named_and_not_analysed",),
    ),
    Bound(
        "size of Python code once it is parsed",
        "judge.modules.graph.python.parse:_MOST_MARKS",
        "marks",
        "named in the graph as too big to be analysed",
        (
            "tests/modules/graph/test_big_python.py::test_what_is_too_big_is_said",
            "tests/modules/graph/test_big_python.py::test_a_long_ordinary_file_is_analysed",
        ),
    ),
    Bound(
        "cache of graphs",
        "judge.modules.graph.cache:MAX_SIZE",
        "bytes",
        "the oldest entries go",
        ("tests/modules/graph/test_cache.py::test_the_cache_is_bounded",),
    ),
    Bound(
        "bytes of a task or label file",
        "judge.jsontext.parse:MAX_BYTES",
        "bytes",
        "the file is refused",
        (f"{HERE}test_a_task_file_that_is_too_large",),
    ),
    Bound(
        "nesting of a task file",
        "judge.jsontext.parse:MAX_DEPTH",
        "",
        "the task is refused",
        (f"{HERE}test_a_task_file",),
    ),
    Bound(
        "bytes of the name of a task",
        "judge.tasks.names:MAX_NAME_BYTES",
        "",
        "the task is refused",
        (f"{HERE}test_a_task_file",),
    ),
    Bound(
        "characters of a criterion for the rules judge",
        "judge.engine.judges:_LONGEST_CRITERION",
        "",
        "the verdict is ERROR and says so",
        (f"{HERE}test_a_criterion",),
    ),
    Bound(
        "bytes of a trajectory",
        "judge.trajectories.source:MAX_BYTES",
        "bytes",
        "the rest is not read, which is noted",
        (f"{HERE}test_the_size_of_a_trajectory",),
    ),
    Bound(
        "bytes of a line of a trajectory",
        "judge.trajectories.source:_MAX_LINE",
        "bytes",
        "the rest is not read, which is noted",
        (f"{HERE}test_the_size_of_a_trajectory",),
    ),
    Bound(
        "steps of a trajectory",
        "judge.trajectories.build:_MAX_STEPS",
        "",
        "the rest is left out, which is noted",
        (f"{HERE}test_steps_of_a_trajectory",),
    ),
    Bound(
        "characters of a text of a step",
        "judge.trajectories.clean:MAX_FIELD",
        "",
        "its middle is cut, which is said in its place",
        (f"{HERE}test_a_text_of_a_trajectory",),
    ),
    Bound(
        "nesting of a line of a trajectory",
        "judge.trajectories.jsonlines:MAX_DEPTH",
        "",
        "the line is left out, which is noted",
        (f"{HERE}test_depth_of_a_line_of_a_trajectory",),
    ),
    Bound(
        "unpacked bytes of a packed trajectory before its ratio counts",
        "judge.trajectories.unpack:_BOMB_BYTES",
        "bytes",
        "the rest is not read, which is noted",
        ("tests/trajectories/test_load.py::test_a_gzip_bomb_is_not_unpacked",),
    ),
    Bound(
        "bytes of a run header, script or batch record",
        "judge.bounded:MAX_WHOLE",
        "bytes",
        "the file is refused",
        (f"{HERE}test_a_file_that_is_read_at_once", f"{HERE}test_a_file_that_is_far_too_large_is_refused"),
    ),
    Bound(
        "bytes of a line of a verdict log",
        "judge.bounded:MAX_LINE",
        "bytes",
        "the line is left out, which is noted",
        (f"{HERE}test_a_line_of_a_file", f"{HERE}test_a_file_that_is_far_too_large_is_refused"),
    ),
    Bound(
        "bytes of judge.toml",
        "judge.config.load:_LARGEST",
        "bytes",
        "the file is refused",
        (f"{HERE}test_a_file_that_is_far_too_large_is_refused",),
    ),
    Bound(
        "bytes of a file of prices",
        "judge.models.pricebook:_LARGEST",
        "bytes",
        "the file is refused",
        (f"{HERE}test_a_file_that_is_far_too_large_is_refused",),
    ),
    Bound(
        "bytes of a sweep file",
        "judge.engine.sweep.spec:_LARGEST",
        "bytes",
        "the file is refused",
        (f"{HERE}test_a_file_that_is_far_too_large_is_refused",),
    ),
    Bound(
        "values of a sweep file, aliases written out",
        "judge.engine.sweep.spec:_MOST_NODES",
        "",
        "the file is refused",
        (f"{HERE}test_aliases_of_a_sweep_file_cannot_blow_up",),
    ),
    Bound(
        "bytes of an answer of a server, unpacked",
        "judge.models.bounded:LONGEST_BODY",
        "bytes",
        "the answer is cut off, the verdict is ERROR",
        ("tests/models/test_bounded.py::test_an_answer_without_end_is_cut_and_not_asked_for_again",),
    ),
    Bound(
        "citations of an answer",
        "judge.models.answers:_MAX_CITATIONS",
        "",
        "the rest is left out",
        ("tests/models/test_answers.py::test_citations_are_read_and_bounded",),
    ),
    Bound(
        "cache of answers",
        "judge.models.cache.store:DEFAULT_BYTES",
        "bytes",
        "the oldest answers go",
        ("tests/models/test_cache.py::test_it_stays_within_its_size_and_keeps_what_is_used",),
    ),
    Bound(
        "bytes of a comment for GitHub",
        "judge.report.markdown:LIMIT",
        "",
        "rows are left out, which is said",
        ("tests/report/test_formats.py::test_a_long_run_fits_into_a_comment",),
    ),
    Bound(
        "bytes of a suite",
        "judge.score.suite.load:_MOST_BYTES",
        "bytes",
        "the suite is refused",
        ("tests/score/suite/test_mistakes.py::test_a_huge_file_is_refused",),
    ),
    Bound(
        "nesting of a suite",
        "judge.score.suite.nodes:DEEPEST",
        "",
        "the suite is refused",
        ("tests/score/suite/test_mistakes.py::test_aliases_cannot_nest_deeply",),
    ),
    Bound(
        "values of a suite, aliases written out",
        "judge.score.suite.nodes:MOST_NODES",
        "",
        "the suite is refused",
        ("tests/score/suite/test_mistakes.py::test_aliases_cannot_blow_up",),
    ),
    Bound(
        "bytes of a submission",
        "judge.score.submission:MAX_BYTES",
        "bytes",
        "the file is refused",
        ("tests/score/test_submission.py::test_what_is_none",),
    ),
    Bound(
        "bytes of a value that a submission answers",
        "judge.score.worker.limits:MAX_BYTES",
        "bytes",
        "the case fails",
        ("tests/score/attacks/test_resources.py::test_replies_beyond_the_bounds_are_refused",),
    ),
    Bound(
        "nesting of a value that a submission answers",
        "judge.score.worker.limits:MAX_DEPTH",
        "",
        "the case fails",
        ("tests/score/worker/test_codec.py::test_depth_is_bounded_on_both_sides",),
    ),
)


def value_of(bound: Bound) -> float:
    """The value in the code."""
    module, _, name = bound.where.partition(":")
    owner, _, field = name.partition(".")
    found = getattr(importlib.import_module(module), owner)
    if field:
        return float(next(item.default for item in dataclasses.fields(found) if item.name == field))
    return float(found)


def shown(bound: Bound) -> str:
    """The value for people."""
    value = int(value_of(bound))
    if bound.unit != "bytes":
        return f"{value:,} {bound.unit}".strip()
    for size, unit in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if value >= size:
            return f"{value / size:g} {unit}"
    return f"{value} bytes"


def markdown() -> str:
    """The table for people."""
    rows = ["| bound | value | past it | test |", "|---|---|---|---|"]
    for bound in BOUNDS:
        tests = ", ".join(f"`{test}`" for test in bound.tests)
        rows.append(f"| {bound.what} | {shown(bound)} | {bound.past} | {tests} |")
    return "\n".join(rows) + "\n"
