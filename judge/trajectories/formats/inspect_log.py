"""Inspect logs, version 2: ``.json`` and ``.eval``; each sample of each epoch is a trajectory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from judge.schemas import StepUsage
from judge.trajectories.build import Builder
from judge.trajectories.format import CERTAIN, Format, Match
from judge.trajectories.formats import inspect_archive
from judge.trajectories.formats.inspect_sample import SampleReader, usage_of_model
from judge.trajectories.formats.late import late
from judge.trajectories.jsonstream import members
from judge.trajectories.report import Converted
from judge.trajectories.sample import Sample
from judge.trajectories.source import Source
from judge.trajectories.values import add_usage, mapping, number_of, string

NAME = "inspect"


def sniff(sample: Sample) -> Match | None:
    """An object with ``eval`` and ``plan`` or ``samples``, or a zip with ``header.json`` and ``samples/``."""
    if sample.is_folder:
        return None
    if inspect_archive.is_archive(sample.source.path, sample.source.head):
        return Match(CERTAIN, "a zip with header.json and samples/")
    root = mapping(sample.root)
    described = mapping(root.get("eval"))
    if (
        described
        and ("plan" in root or "samples" in root or "status" in root)
        and ("model" in described or "task" in described)
    ):
        return Match(CERTAIN, "an object with eval, plan and samples")
    return None


def read(source: Source) -> Iterator[Converted]:
    """Each sample."""
    if source.head.startswith("PK"):
        model = _model(inspect_archive.header(source.path))
        for value in late(inspect_archive.samples(source.path, source.problems)):
            yield _sample(source, value, model)
        return
    for sample, named in late(_samples(source)):
        yield _sample(source, sample, named)


def _samples(source: Source) -> Iterator[tuple[Mapping[str, Any], str]]:
    """The samples of a log that is one JSON object, each with the log's model."""
    model, error, count = "", "", 0
    for piece in members(source, "samples"):
        if piece.element:
            count += 1
            yield mapping(piece.value), model
        elif piece.key == "eval":
            model = string(mapping(piece.value).get("model"))
        elif piece.key == "error":
            error = string(mapping(piece.value).get("message"))
    if not count:
        source.problems.append(f"the log holds no samples{': ' + error[:200] if error else ''}")


def _model(header: Mapping[str, Any]) -> str:
    return string(mapping(header.get("eval")).get("model"))


def _sample(source: Source, sample: Mapping[str, Any], model: str) -> Converted:
    builder = Builder(NAME, source)
    SampleReader(builder, sample, model).run()
    notes = builder.report.notes
    for key in ("total_time", "working_time"):
        if (seconds := number_of(sample.get(key))) is not None:
            notes[key.replace("_", " ")] = seconds
    error = mapping(sample.get("error"))
    if string(error.get("message")):
        notes["error"] = string(error["message"])[:500]
    # A sample that failed before the model answered is a run, too.
    builder.report.valid_empty = bool(error)
    if limit := string(mapping(sample.get("limit")).get("type")):
        notes["limit"] = limit[:60]
    name = f"{str(sample.get('id'))[:200]}_epoch_{str(sample.get('epoch', 1))[:20]}"
    return builder.finish(name, stated=_stated(mapping(sample.get("model_usage")), model))


def _stated(usages: Mapping[str, Any], model: str) -> StepUsage:
    """Tokens of all models of a sample; what was read from and written to a cache is part of the input."""
    total = StepUsage(model=model or None)
    for name, item in usages.items():
        usage = usage_of_model(mapping(item), name)
        total = add_usage(total, usage)
    return total.model_copy(update={"model": model or total.model})


FORMAT = Format(
    name=NAME,
    description="Inspect logs, .json and .eval (version 2)",
    sniff=sniff,
    read=read,
)
