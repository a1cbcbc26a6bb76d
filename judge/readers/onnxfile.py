"""ONNX models: inputs and outputs, operators, parameters. Weights in other files are told, not read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.parts import Clock
from judge.readers.protobuf import Cut, Field, Value, fields, messages, numbers, signed, text
from judge.readers.tensors import Tensors

_TYPES = (
    "?", "float32", "uint8", "int8", "uint16", "int16", "int32", "int64", "string", "bool", "float16", "float64",
    "uint32", "uint64", "complex64", "complex128", "bfloat16",
)  # fmt: skip
_KINDS = {1: "f4", 2: "u1", 3: "i1", 4: "u2", 5: "i2", 6: "i4", 7: "i8", 9: "b1", 10: "f2", 11: "f8", 16: "bf2"}
_TYPED = {4: "f4", 10: "f8"}
_MAX_NODES = 200_000
_SHOWN = 200


def _read(source: Source, limits: Limits) -> Document:
    model = _Model(limits)
    problems: list[str] = []
    state = State.SOUND
    try:
        model.take(fields(memoryview(source.data)))
    except Cut:
        state = State.PARTIAL if source.truncated else State.BROKEN
        problems.append("larger than the bounds allow, looked at in part" if source.truncated else "the end is missing")
    if state is State.SOUND and not model.nodes and not model.tensors.count:
        if not model.graphs:
            raise ReaderProblem("no graph in it")
        state = State.EMPTY
        problems.append("a graph without operators")
    facts: dict[str, Any] = {
        **model.header,
        "nodes": model.nodes,
        "operators": dict(model.operators.most_common(100)),
        "inputs": model.inputs[:50],
        "outputs": model.outputs[:50],
        **model.tensors.facts(),
        "external_weights": model.external,
    }
    if model.external:
        problems.append(f"{model.external} tensors lie in other files, not read")
    problems += model.problems + model.tensors.problems()
    lines = [f"{key} {value}" for key, value in model.header.items()]
    lines += [f"input {line}" for line in model.inputs[:50]] + [f"output {line}" for line in model.outputs[:50]]
    lines += [f"{count} x {name}" for name, count in model.operators.most_common(100)]
    lines += [f"weights {line}" for line in model.tensors.lines[:_SHOWN]]
    return Document(source.path, "onnx", Family.MODEL, state, "\n".join(lines), facts, problems=tuple(problems))


class _Model:
    """What is in one file."""

    def __init__(self, limits: Limits) -> None:
        self.header: dict[str, Any] = {}
        self.operators: Counter[str] = Counter()
        self.inputs: list[str] = []
        self.outputs: list[str] = []
        self.tensors = Tensors(Clock(limits.max_seconds / 2))
        self.nodes = self.external = self.graphs = 0
        self.problems: list[str] = []
        self._clock = Clock(limits.max_seconds * 0.7)

    def take(self, parts: Iterator[Field]) -> None:
        names = {2: "producer", 3: "producer_version", 6: "description"}
        for number, value in parts:
            if number == 1:
                self.header["ir_version"] = signed(value)
            elif number in names:
                self.header[names[number]] = " ".join(text(value).split())
            elif number == 8:
                found = dict(messages(value))
                if not text(found.get(1, 0)):
                    self.header["opset"] = signed(found.get(2, 0))
            elif number == 7:
                self.graphs += 1
                if self.graphs > 1:
                    raise ReaderProblem("damaged: several graphs")
                self._graph(messages(value))

    def _graph(self, parts: Iterator[Field]) -> None:
        weights: set[str] = set()
        inputs: list[tuple[str, str]] = []
        for number, value in parts:
            if number == 1:
                self._node(value)
            elif number == 5:
                weights.add(self._tensor(value))
            elif number == 11:
                inputs.append(_described(value))
            elif number == 12:
                self.outputs.append(" ".join(_described(value)))
            if self.nodes >= _MAX_NODES or self._clock.over:
                self.problems.append("only looked at in part, it holds very much")
                break
        self.inputs += [f"{name} {about}" for name, about in inputs if name not in weights]

    def _node(self, value: Value) -> None:
        self.nodes += 1
        kind = next((text(part, 80) for number, part in messages(value) if number == 4), "?")
        if kind in self.operators or len(self.operators) < 500:
            self.operators[kind] += 1

    def _tensor(self, value: Value) -> str:
        shape: list[int] = []
        kind, name, data, code = 0, "", memoryview(b""), ""
        for number, part in messages(value):
            if number == 1:
                shape += [max(0, side) for side in numbers(part, 32)]
            elif number == 2:
                kind = signed(part)
            elif number == 8:
                name = text(part)
            elif number == 9 and not isinstance(part, int):
                data, code = part, _KINDS.get(kind, "")
            elif number in _TYPED and not isinstance(part, int):
                data, code = part, _TYPED[number]
            elif number == 14 and part == 1:
                self.external += 1
        type_ = _TYPES[kind] if 0 <= kind < len(_TYPES) else "?"
        self.tensors.add(name, shape[:32], type_, bytes(data[: 1 << 16]), code or _KINDS.get(kind, ""))
        return name


def _described(value: Value) -> tuple[str, str]:
    """Name, and type with shape, of an input or output."""
    name, about = "", ""
    for number, part in messages(value):
        if number == 1:
            name = text(part)
        elif number == 2:
            inner = next((found for kind, found in messages(part) if kind == 1), None)
            about = _shape(inner) if inner is not None else ""
    return name, about


def _shape(value: Value) -> str:
    kind, sides = 0, []
    for number, part in messages(value):
        if number == 1:
            kind = signed(part)
        elif number == 2:
            for _, side in list(messages(part))[:32]:
                found = dict(messages(side))
                sides.append(str(signed(found[1])) if 1 in found else text(found.get(2, 0), 40) or "?")
    return f"{_TYPES[kind] if 0 <= kind < len(_TYPES) else '?'} [{', '.join(sides)}]"


def _sniff(data: bytes) -> bool:
    """The first field of an ONNX file is its small format version, the next the producer or the graph."""
    return len(data) > 8 and data[0] == 0x08 and 1 <= data[1] <= 30 and data[2] in {0x12, 0x1A, 0x22, 0x3A, 0x42}


READER = Reader("onnx", frozenset({".onnx"}), _sniff, _read, isolated=True, kin="model")
