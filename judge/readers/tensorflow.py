"""Graphs of TensorFlow in .pb files: a saved model, or a frozen graph. Signatures and operations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.parts import Clock
from judge.readers.protobuf import Cut, Field, Value, fields, messages, text
from judge.text import looks_like_text

_MAX_NODES = 200_000
_LEAST_NAME = 2


def _read(source: Source, limits: Limits) -> Document:
    data = source.data
    graph = _Graph(Clock(limits.max_seconds / 2))
    saved = data[:1] == b"\x08"
    problems: list[str] = []
    state = State.SOUND
    try:
        if saved:
            for number, value in fields(memoryview(data)):
                if number == 2:
                    graph.meta(messages(value))
        else:
            graph.nodes(fields(memoryview(data)))
    except Cut:
        state = State.PARTIAL if source.truncated else State.BROKEN
        problems.append("larger than the bounds allow, looked at in part" if source.truncated else "the end is missing")
    if not graph.count:
        if problems and source.path.endswith("saved_model.pb"):
            raise ReaderProblem(problems[0], state)
        return _other(source)
    facts: dict[str, Any] = {
        "saved_model": saved,
        "nodes": graph.count,
        "operators": dict(graph.operators.most_common(100)),
        "signatures": graph.signatures[:50],
        "tags": graph.tags[:20],
        "tensorflow": graph.version,
        "functions": graph.functions,
        "variables": graph.operators["VarHandleOp"] + graph.operators["VariableV2"],
    }
    lines = [f"signature {name}" for name in graph.signatures[:50]]
    lines += [f"{count} x {name}" for name, count in graph.operators.most_common(100)]
    return Document(source.path, "tensorflow", Family.MODEL, state, "\n".join(lines), facts, problems=tuple(problems))


def _other(source: Source) -> Document:
    """Other messages of Protocol Buffers bear the extension too, and only their own programs know what is in them."""
    problem = "no graph of TensorFlow, only its size was looked at"
    return Document(source.path, "protobuf", Family.BINARY, State.PARTIAL, problems=(problem,))


class _Graph:
    """What is in the graphs of one file."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.count = self.functions = 0
        self.operators: Counter[str] = Counter()
        self.signatures: list[str] = []
        self.tags: list[str] = []
        self.version = ""

    def meta(self, parts: Iterator[Field]) -> None:
        """One graph of a saved model with what is told about it."""
        for number, value in parts:
            if number == 1:
                for kind, part in messages(value):
                    if kind == 4:
                        self.tags.append(text(part, 40))
                    elif kind == 5:
                        self.version = text(part, 40)
            elif number == 2:
                self.nodes(messages(value))
            elif number == 5:
                self.signatures.append(_signature(value))

    def nodes(self, parts: Iterator[Field]) -> None:
        """The operations of a graph and of its functions."""
        for number, value in parts:
            if number == 1:
                self._node(value)
            elif number == 2:
                for kind, function in messages(value):
                    if kind == 1:
                        self.functions += 1
                        for place, node in messages(function):
                            if place == 3:
                                self._node(node)
            if self.count > _MAX_NODES or self.clock.over:
                return

    def _node(self, value: Value) -> None:
        operation = next((text(part, 80) for number, part in messages(value) if number == 2), "")
        if len(operation) < _LEAST_NAME or not operation.isprintable():
            raise ReaderProblem("an operation without name")
        self.count += 1
        if operation in self.operators or len(self.operators) < 1000:
            self.operators[operation] += 1


def _signature(value: Value) -> str:
    """A signature's name with its inputs and outputs."""
    name, sides = "", {1: [], 2: []}  # type: tuple[str, dict[int, list[str]]]
    for number, part in messages(value):
        if number == 1:
            name = text(part, 80)
        elif number == 2:
            for kind, entry in messages(part):
                if kind in sides and len(sides[kind]) < 20:
                    sides[kind].append(next((text(key, 80) for place, key in messages(entry) if place == 1), "?"))
    return f"{name}({', '.join(sides[1])}) -> {', '.join(sides[2])}"


def _sniff(data: bytes) -> bool:
    """For the extension only: such messages have no mark to know them by."""
    return not looks_like_text(data)


READER = Reader("tensorflow", frozenset({".pb"}), _sniff, _read, isolated=True, kin="model")
