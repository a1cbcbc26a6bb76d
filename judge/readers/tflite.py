"""TensorFlow Lite: the graph in a FlatBuffer, read place by place within the file."""

from __future__ import annotations

import struct
from collections import Counter
from typing import Any

from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.parts import Clock
from judge.readers.tensors import Tensors

_TYPES = (
    "float32", "float16", "int32", "uint8", "int64", "string", "bool", "int16", "complex64", "int8", "float64",
    "complex128", "uint64", "resource", "variant", "uint32", "uint16", "int4", "bfloat16",
)  # fmt: skip
_KINDS = {0: "f4", 1: "f2", 2: "i4", 3: "u1", 4: "i8", 6: "b1", 7: "i2", 9: "i1", 10: "f8"}
_OPERATORS = """
ADD AVERAGE_POOL_2D CONCATENATION CONV_2D DEPTHWISE_CONV_2D DEPTH_TO_SPACE DEQUANTIZE EMBEDDING_LOOKUP FLOOR
FULLY_CONNECTED HASHTABLE_LOOKUP L2_NORMALIZATION L2_POOL_2D LOCAL_RESPONSE_NORMALIZATION LOGISTIC LSH_PROJECTION LSTM
MAX_POOL_2D MUL RELU RELU_N1_TO_1 RELU6 RESHAPE RESIZE_BILINEAR RNN SOFTMAX SPACE_TO_DEPTH SVDF TANH
CONCAT_EMBEDDINGS SKIP_GRAM CALL CUSTOM EMBEDDING_LOOKUP_SPARSE PAD UNIDIRECTIONAL_SEQUENCE_RNN GATHER
BATCH_TO_SPACE_ND SPACE_TO_BATCH_ND TRANSPOSE MEAN SUB DIV SQUEEZE UNIDIRECTIONAL_SEQUENCE_LSTM STRIDED_SLICE
BIDIRECTIONAL_SEQUENCE_RNN EXP TOPK_V2 SPLIT LOG_SOFTMAX DELEGATE BIDIRECTIONAL_SEQUENCE_LSTM CAST PRELU MAXIMUM
ARG_MAX MINIMUM LESS NEG PADV2
""".split()
_CUSTOM = 32
_MAX_ITEMS = 100_000


def _read(source: Source, limits: Limits) -> Document:
    try:
        return _document(source, limits)
    except (struct.error, IndexError, OverflowError, ValueError):
        if source.truncated:
            raise ReaderProblem("larger than the bounds allow, its graph lies outside", State.PARTIAL) from None
        raise ReaderProblem("damaged or cut: a part lies outside of the file") from None


def _document(source: Source, limits: Limits) -> Document:
    model = _Table(source.data, struct.unpack_from("<I", source.data)[0])
    codes = [_operator(code) for code in model.tables(1)]
    buffers = model.tables(4)
    tensors = Tensors(Clock(limits.max_seconds / 2))
    operators: Counter[str] = Counter()
    inputs: list[str] = []
    outputs: list[str] = []
    graphs = model.tables(2)
    for graph in graphs[: limits.max_pages]:
        described = []
        for tensor in graph.tables(0):
            shape = [max(0, side) for side in tensor.numbers(0, "i")][:16]
            kind, place, name = tensor.scalar(1, "b"), tensor.scalar(2, "I"), tensor.text(3)
            type_ = _TYPES[kind] if 0 <= kind < len(_TYPES) else "?"
            described.append(f"{name} {type_} {shape}")
            data = buffers[place].raw(0, 1 << 16) if 0 < place < len(buffers) else b""
            if data:
                tensors.add(name, shape, type_, data, _KINDS.get(kind, ""))
        for operator in graph.tables(3):
            number = operator.scalar(0, "I")
            operators[codes[number] if number < len(codes) else "?"] += 1
        for target, places in ((inputs, graph.numbers(1, "i")), (outputs, graph.numbers(2, "i"))):
            target += [described[place] for place in places[:50] if 0 <= place < len(described)]
    facts: dict[str, Any] = {
        "version": model.scalar(0, "I"),
        "description": model.text(3),
        "subgraphs": len(graphs),
        "nodes": sum(operators.values()),
        "operators": dict(operators.most_common(100)),
        "inputs": inputs[:50],
        "outputs": outputs[:50],
        **tensors.facts(),
    }
    problems = tensors.problems()
    state = State.SOUND if operators else State.EMPTY
    if not operators:
        problems.append("a graph without operators")
    lines = [f"input {line}" for line in inputs[:50]] + [f"output {line}" for line in outputs[:50]]
    lines += [f"{count} x {name}" for name, count in operators.most_common(100)]
    lines += [f"weights {line}" for line in tensors.lines]
    return Document(source.path, "tflite", Family.MODEL, state, "\n".join(lines), facts, problems=tuple(problems))


def _operator(code: _Table) -> str:
    number = max(code.scalar(0, "b"), code.scalar(3, "i"))
    if number == _CUSTOM:
        return code.text(1) or "CUSTOM"
    return _OPERATORS[number] if 0 <= number < len(_OPERATORS) else f"operator {number}"


class _Table:
    """A table of a FlatBuffer: fields by number, each perhaps absent; a place outside of the file is an error."""

    def __init__(self, data: bytes, at: int) -> None:
        self.data = data
        self.at = at
        self.fields = at - struct.unpack_from("<i", data, at)[0]
        self.size = struct.unpack_from("<H", data, self.fields)[0] if self.fields >= 0 else 0
        if self.fields < 0:
            raise IndexError

    def _place(self, number: int) -> int:
        entry = 4 + 2 * number
        offset = struct.unpack_from("<H", self.data, self.fields + entry)[0] if entry < self.size else 0
        return self.at + offset if offset else 0

    def scalar(self, number: int, code: str) -> int:
        place = self._place(number)
        return int(struct.unpack_from("<" + code, self.data, place)[0]) if place else 0

    def _vector(self, number: int, item: int) -> tuple[int, int]:
        """Where a vector's items begin and how many they are."""
        place = self._place(number)
        if not place:
            return 0, 0
        start = place + struct.unpack_from("<I", self.data, place)[0]
        count: int = struct.unpack_from("<I", self.data, start)[0]
        if count * item > len(self.data) - start - 4:
            raise IndexError
        return start + 4, count

    def numbers(self, number: int, code: str) -> list[int]:
        start, count = self._vector(number, 4)
        return list(struct.unpack_from(f"<{min(count, 1000)}{code}", self.data, start)) if count else []

    def raw(self, number: int, limit: int) -> bytes:
        start, count = self._vector(number, 1)
        return self.data[start : start + min(count, limit)]

    def text(self, number: int) -> str:
        return self.raw(number, 400).decode("utf-8", "replace")[:200]

    def tables(self, number: int) -> list[_Table]:
        start, count = self._vector(number, 4)
        places = range(start, start + 4 * min(count, _MAX_ITEMS), 4)
        return [_Table(self.data, place + struct.unpack_from("<I", self.data, place)[0]) for place in places]


READER = Reader("tflite", frozenset({".tflite"}), lambda data: data[4:8] == b"TFL3", _read, isolated=True, kin="model")
