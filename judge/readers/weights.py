"""Model files that are no pickles: safetensors, keras, HDF5, ONNX, GGUF and TensorFlow Lite."""

from __future__ import annotations

import json
import math
import re
import struct
from typing import Any

from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.zipbox import ZipBox, is_zip

_HDF = b"\x89HDF\r\n\x1a\n"
_HEADER = 16 * 1024 * 1024
_NAME = re.compile(rb"[\x20-\x7e]{1,100}")
_PRINTED = re.compile(rb"[A-Za-z_][A-Za-z0-9_./:-]{3,60}")


def _document(
    source: Source,
    format_: str,
    family: Family,
    state: State,
    facts: dict[str, Any],
    problems: list[str],
    lines: list[str],
) -> Document:
    return Document(source.path, format_, family, state, "\n".join(lines), facts, problems=tuple(problems))


def _read_safetensors(source: Source, limits: Limits) -> Document:
    length = int.from_bytes(source.data[:8], "little")
    if not 2 <= length <= min(_HEADER, source.size - 8) or len(source.data) < 8 + length:
        raise ReaderProblem("damaged header")
    try:
        header = json.loads(source.data[8 : 8 + length])
        tensors = {name: part for name, part in header.items() if name != "__metadata__"}
        ends = [int(part["data_offsets"][1]) for part in tensors.values()]
        counts = [math.prod(int(side) for side in part["shape"]) for part in tensors.values()]
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
        raise ReaderProblem(f"damaged header: {type(error).__name__}") from None
    facts = {"tensors": len(tensors), "parameters": sum(counts), "tensor_names": list(tensors)[:200]}
    problems: list[str] = []
    state = State.SOUND if tensors else State.EMPTY
    if max(ends, default=0) + 8 + length > source.size:
        state = State.BROKEN
        problems.append("the end is missing")
    lines = [f"{name} {part.get('dtype')} {part['shape']}" for name, part in list(tensors.items())[:200]]
    return _document(source, "safetensors", Family.MODEL, state, facts, problems, lines)


def _sniff_safetensors(data: bytes) -> bool:
    return data[8:9] == b"{" and data[3:8] == b"\0" * 5 and b'"' in data[9:12]


def _read_keras(source: Source, limits: Limits) -> Document:
    box = ZipBox(source, limits)
    try:
        config = json.loads(box.read("config.json"))
        layers = config.get("config", {}).get("layers", [])
        names = [str(layer.get("class_name")) for layer in layers if isinstance(layer, dict)]
        facts: dict[str, Any] = {
            "classes": [str(config.get("class_name"))],
            "layers": names[:200],
            "members": box.names[:100],
        }
    except (ValueError, AttributeError, TypeError, RecursionError) as error:
        raise ReaderProblem(f"damaged config.json: {type(error).__name__}") from None
    facts["weight_bytes"] = weights = box.size("model.weights.h5")
    problems = [] if weights else ["no weights in it"]
    lines = [f"keras {facts['classes'][0]}", *names[:200]]
    return _document(source, "keras", Family.MODEL, State.SOUND if weights else State.BROKEN, facts, problems, lines)


def _sniff_keras(data: bytes) -> bool:
    return is_zip(data) and b"config.json" in data and (b"model.weights.h5" in data or b"metadata.json" in data[:200])


def _read_hdf(source: Source, limits: Limits) -> Document:
    data = source.data
    version = data[8] if len(data) > 8 else 255
    offset = {0: 40, 1: 44, 2: 28, 3: 28}.get(version)
    problems: list[str] = []
    state = State.SOUND
    if offset is None or len(data) < offset + 8:
        raise ReaderProblem("damaged HDF5 header")
    end = struct.unpack_from("<Q", data, offset)[0]
    if end > source.size:
        state = State.BROKEN
        problems.append(f"{end} bytes are announced, {source.size} are there")
    elif source.truncated:
        state = State.PARTIAL
    keras = b"model_config" in data or b"layer_names" in data or b"keras_version" in data
    names = _heap_names(data)
    facts = {"keras": keras, "stored_bytes": end, "names": names}
    problems.append("the values were not looked at")
    return _document(source, "hdf5", Family.MODEL if keras else Family.ARRAY, state, facts, problems, names)


def _names(data: bytes) -> list[str]:
    found = dict.fromkeys(match.group().decode("ascii") for match in _PRINTED.finditer(data[: 1 << 20]))
    return list(found)[:100]


def _heap_names(data: bytes) -> list[str]:
    """Names of groups and data sets, from the name heaps of the usual kind of file."""
    names: dict[str, None] = {}
    start = data.find(b"HEAP")
    while start >= 0 and len(names) < 200 and start + 32 <= len(data):
        size, address = struct.unpack_from("<Q8xQ", data, start + 8)
        if data[start + 4] == 0 and size < 1 << 20 and address + size <= len(data):
            parts = data[address : address + size].split(b"\0")
            names.update((part.decode("ascii"), None) for part in parts if _NAME.fullmatch(part))
        start = data.find(b"HEAP", start + 4)
    return list(names)[:200]


def _read_onnx(source: Source, limits: Limits) -> Document:
    names = _names(source.data)
    facts = {"names": names, "operators": [name for name in names if name[:1].isupper() and name.isalpha()][:50]}
    state = State.PARTIAL if source.truncated else State.SOUND
    if source.size < 32:
        raise ReaderProblem("too short for a model")
    return _document(source, "onnx", Family.MODEL, state, facts, ["only names in it were looked at"], ["onnx", *names])


def _sniff_onnx(data: bytes) -> bool:
    """The first field of an ONNX file is its small format version, the next the producer or the graph."""
    return len(data) > 8 and data[0] == 0x08 and 1 <= data[1] <= 30 and data[2] in {0x12, 0x1A, 0x22, 0x3A, 0x42}


def _read_gguf(source: Source, limits: Limits) -> Document:
    if len(source.data) < 24:
        raise ReaderProblem("cut within its header")
    version, tensors, pairs = struct.unpack_from("<IQQ", source.data, 4)
    facts = {"version": version, "tensors": tensors, "metadata": pairs}
    if tensors > 1_000_000 or pairs > 1_000_000:
        raise ReaderProblem("damaged header")
    state = State.SOUND if tensors else State.EMPTY
    return _document(source, "gguf", Family.MODEL, state, facts, ["the values were not looked at"], ["gguf"])


def _read_lite(source: Source, limits: Limits) -> Document:
    facts = {"names": _names(source.data)}
    return _document(
        source,
        "tflite",
        Family.MODEL,
        State.SOUND,
        facts,
        ["the values were not looked at"],
        ["tflite", *facts["names"]],
    )


READERS = (
    Reader("safetensors", frozenset({".safetensors"}), _sniff_safetensors, _read_safetensors, kin="model"),
    Reader("keras", frozenset({".keras"}), _sniff_keras, _read_keras, isolated=True, kin="model"),
    Reader(
        "hdf5",
        frozenset({".h5", ".hdf5", ".hdf", ".he5"}),
        lambda data: data.startswith(_HDF),
        _read_hdf,
        kin="model",
    ),
    Reader("gguf", frozenset({".gguf"}), lambda data: data.startswith(b"GGUF"), _read_gguf, kin="model"),
    Reader("tflite", frozenset({".tflite"}), lambda data: data[4:8] == b"TFL3", _read_lite, kin="model"),
    Reader("onnx", frozenset({".onnx"}), _sniff_onnx, _read_onnx, kin="model"),
)
