"""Keras models of the third version: a zip file with a description and the weights in HDF5."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from judge.readers import hdf
from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.zipbox import ZipBox, is_zip

_WEIGHTS = "model.weights.h5"


def _read(source: Source, limits: Limits) -> Document:
    box = ZipBox(source, limits)
    try:
        config = json.loads(box.read("config.json"))
        about = json.loads(box.read("metadata.json")) if box.has("metadata.json") else {}
        layers = config.get("config", {}).get("layers", [])
        names = [str(layer.get("class_name")) for layer in layers if isinstance(layer, dict)]
        facts: dict[str, Any] = {
            "classes": [str(config.get("class_name"))],
            "layers": names[:200],
            "keras_version": str(about.get("keras_version", ""))[:40],
            "compiled": bool(config.get("compile_config")),
            "members": box.names[:100],
        }
    except (ValueError, AttributeError, TypeError, RecursionError) as error:
        raise ReaderProblem(f"damaged config.json: {type(error).__name__}") from None
    size = box.size(_WEIGHTS)
    lines = [f"keras {facts['classes'][0]}", *names[:200]]
    if not size:
        return _document(source, State.BROKEN, facts | {"weight_bytes": 0}, ["no weights in it"], lines)
    inner = _weights(source, box, limits, size)
    kept = ("values", "datasets", "arrays", "install")
    facts |= {"weight_bytes": size} | {key: inner.facts[key] for key in kept if key in inner.facts}
    if "values" in facts:
        facts["parameters"] = facts.pop("values")
    state = inner.state if inner.state in {State.BROKEN, State.PARTIAL} else State.SOUND
    return _document(source, state, facts, list(inner.problems), [*lines, inner.text])


def _document(source: Source, state: State, facts: dict[str, Any], problems: list[str], lines: list[str]) -> Document:
    return Document(source.path, "keras", Family.MODEL, state, "\n".join(lines), facts, problems=tuple(problems))


def _weights(source: Source, box: ZipBox, limits: Limits, size: int) -> Document:
    """The document of the weights."""
    if source.truncated:
        problem = "larger than the bounds allow, its weights were not looked at"
        return Document(_WEIGHTS, "hdf5", Family.MODEL, State.PARTIAL, problems=(problem,))
    try:
        data = box.read(_WEIGHTS, limits.max_bytes)
        inner = Source(_WEIGHTS, ".h5", data, size, len(data) < size)
        return hdf.READER.read(inner, replace(limits, max_seconds=limits.max_seconds * 0.8))
    except ReaderProblem as problem:
        return Document(_WEIGHTS, "hdf5", Family.MODEL, problem.state, problems=(f"{_WEIGHTS}: {problem}",))


def _sniff(data: bytes) -> bool:
    return is_zip(data) and b"config.json" in data and (b"model.weights.h5" in data or b"metadata.json" in data[:200])


READER = Reader("keras", frozenset({".keras"}), _sniff, _read, isolated=True, kin="model")
