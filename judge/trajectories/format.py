"""What a trajectory format is, and how to add one in one file.

**Adding a format.** Write ``judge/trajectories/formats/NAME.py`` with a ``FORMAT`` and add it to the table in
``formats/__init__.py``. Nothing else has to know of it. The file holds two functions:

* ``sniff(sample: Sample) -> Match | None`` looks at what a bounded head of the file holds: ``sample.records`` (the
  first elements of a list, lines or values, parsed even where the head cuts them), ``sample.root`` (the one top-level
  object, as far as the head shows it), ``sample.head`` (the text); of a folder ``sample.names`` and
  ``sample.file(name)``. Never at the name alone. It answers with a confidence: ``CERTAIN`` when a mark is there that
  only this format has, ``LIKELY`` when several keys together are peculiar to it, ``POSSIBLE`` when the shape fits and
  others may fit too, ``FALLBACK`` when another format should win whenever it says anything. The highest wins; equal
  ones are ambiguous, and the user is asked to name the format.

* ``read(source: Source) -> Iterable[Converted]`` gives each trajectory of the file or folder: most files hold one, logs
  of evaluations many (then each ``Converted`` has a ``name``, such as the instance's id). Records come from
  ``values(source)`` (lines, lists, values in a row), ``members(source, "samples")`` (one large object) or
  ``document(source)`` (one small object); all of them survive damage and note it. Neighbours and files of a folder come
  from ``source.file(name)``.

The reader feeds a ``Builder`` and never makes steps itself::

    def read(source: Source) -> Iterator[Converted]:
        builder = Builder("name of the format", source)
        for piece in values(source):
            record = piece.value
            match record.get("type") if isinstance(record, dict) else None:
                case "prompt":
                    builder.used("prompt")
                    builder.user(text_of(record.get("text"), builder.report))
                case "model":
                    builder.used("model")
                    builder.turn(text_of(record.get("text"), builder.report), usage=usage_of(record.get("usage")))
                    for call in record.get("calls") or []:
                        builder.call(call.get("id"), call.get("name"), call.get("arguments"))
                case "tool":
                    builder.used("tool")
                    builder.result(record.get("id"), text_of(record.get("content"), builder.report))
                case other:
                    builder.skip(other)
        yield builder.finish()

The builder sees to the rules that hold for every format: one step a tool call, thought and usage on the first of a
turn; results joined by id, kept when they come early, to the oldest open call when there is no id; prompts on the next
step; missing results are null and noted; unknown stays None. Values in records may be of any type: use ``text_of``,
``number_of``, ``mapping``, ``sequence`` and ``usage_of`` of ``values.py`` instead of indexing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from judge.trajectories.report import Converted, Problems
from judge.trajectories.sample import Sample
from judge.trajectories.source import Source

CERTAIN = 0.95
"""A mark is there that only this format has."""
LIKELY = 0.8
"""Several keys together are peculiar to the format."""
POSSIBLE = 0.5
"""The shape fits; another format's may as well."""
FALLBACK = 0.3
"""Any other format that says something should win."""


@dataclass(frozen=True, slots=True)
class Match:
    """That a file may be of a format.

    Attributes:
        confidence: 0 to 1; see the constants of this module.
        why: What in the content shows it, one clause.
    """

    confidence: float
    why: str


@dataclass(frozen=True, slots=True)
class Format:
    """One file format.

    Attributes:
        name: As in ``--format``.
        description: One line for lists of formats.
        sniff: Whether the content is of this format, whatever the file is called.
        read: Gives each trajectory in it, keeping what can be read; the loader fills in the name of the only one.
    """

    name: str
    description: str
    sniff: Callable[[Sample], Match | None]
    read: Callable[[Source], Iterable[Converted]]


__all__ = ["CERTAIN", "FALLBACK", "LIKELY", "POSSIBLE", "Format", "Match", "Problems"]
