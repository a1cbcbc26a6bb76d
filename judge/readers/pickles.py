"""Pickle, joblib and torch files: which classes they hold and whether they are whole, without loading them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.opcodes import Stream, scan
from judge.readers.parts import Clock
from judge.readers.tensors import Tensors
from judge.readers.unpacking import unpack
from judge.readers.zipbox import ZipBox, is_zip

_TORCH_MAGIC = 0x1950A86A20F9469CFC6C
_PACKED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")
_WEIGHT = re.compile(r"[A-Za-z0-9_.]*(?:weight|bias|running_mean|running_var|embedding)[A-Za-z0-9_.]*")
_LEARNT = re.compile(r"[a-z][a-z0-9_]*[a-z0-9]_")
_STATELESS = frozenset({"FunctionTransformer", "HashingVectorizer", "FeatureHasher", "Normalizer", "Binarizer"})
_MEASURED = 64
_STORAGE_BYTES = 64 * 1024
_STORAGES = {
    "FloatStorage": "f4", "DoubleStorage": "f8", "HalfStorage": "f2", "BFloat16Storage": "bf2", "LongStorage": "i8",
    "IntStorage": "i4", "ShortStorage": "i2", "CharStorage": "i1", "ByteStorage": "u1", "BoolStorage": "b1",
}  # fmt: skip
_RAW_ARRAY = ("NumpyArrayWrapper", "NDArrayWrapper", "ZNDArrayWrapper")
_SUFFIXES = frozenset(
    {".pkl", ".pickle", ".p", ".joblib", ".jbl", ".pt", ".pth", ".ckpt", ".dill", ".cloudpickle", ".sav"}
)


def _read(source: Source, limits: Limits) -> Document:
    if is_zip(source.data):
        return _read_torch(source, limits)
    data, packed = source.data, ""
    cut = source.truncated
    if data.startswith(_PACKED):
        if cut:
            raise ReaderProblem("compressed and larger than the bounds allow", State.PARTIAL)
        data, cut = unpack(data, limits)
        packed = "compressed "
        if not _is_pickle(data):
            raise ReaderProblem("compressed data that is no pickle", State.MISMATCH)
    clock = Clock(limits.max_seconds / 2)
    stream = scan(data, 0, clock)
    if stream.first_int == _TORCH_MAGIC and stream.complete:
        return _read_old_torch(source, data, stream, clock, cut)
    joblib = any(name.endswith(_RAW_ARRAY) for name in stream.names)
    facts = _facts(stream)
    problems = _harm(stream)
    state = State.SOUND
    if not stream.complete:
        state, problem = _unfinished(stream, data, cut, joblib)
        problems.append(problem)
    elif stream.end < len(data) and not joblib:
        facts["trailing_bytes"] = len(data) - stream.end
    format_ = "joblib" if joblib or source.suffix == ".joblib" else "pickle"
    text = _text(f"{packed}{format_}", facts)
    return Document(source.path, format_, Family.MODEL, state, text, facts, problems=tuple(problems))


def _unfinished(stream: Stream, data: bytes, cut: bool, joblib: bool) -> tuple[State, str]:
    if joblib and (cut or data.endswith(b".")):
        return State.PARTIAL, "arrays lie raw in the stream, what follows them was not looked at"
    if cut or stream.problem.startswith("longer"):
        return State.PARTIAL, "only the beginning was looked at"
    return State.BROKEN, f"the pickle has no end ({stream.problem})"


def _facts(stream: Stream) -> dict[str, Any]:
    return {
        "classes": list(stream.names),
        "protocol": stream.protocol,
        "opcodes": stream.opcodes,
        "complete": stream.complete,
        # scikit-learn's rule: what fitting learns is kept in attributes that end with one underscore.
        "fitted": any(_LEARNT.fullmatch(key) for key in stream.keys) if _learns(stream.names) else None,
        "strings": [key for key in dict.fromkeys(stream.keys) if key.isprintable() and len(key) < 80][:60],
    }


def _learns(names: Iterable[str]) -> bool:
    """Whether there is something of scikit-learn that fitting changes."""
    return any(
        name.startswith("sklearn.")
        and not name.startswith("sklearn.utils")
        and name.rpartition(".")[2] not in _STATELESS
        for name in names
    )


def _harm(stream: Stream) -> list[str]:
    return [f"loading it would call {', '.join(stream.harmful[:5])}"] if stream.harmful else []


def _text(what: str, facts: dict[str, Any]) -> str:
    lines = [what, *(f"class {name}" for name in facts["classes"][:100])]
    lines += [f"tensor {name}" for name in facts.get("tensor_names", [])]
    return "\n".join(lines)


def _read_torch(source: Source, limits: Limits) -> Document:
    """A torch file of today: a zip with one pickle and a member for each storage."""
    box = ZipBox(source, limits)
    name = next((name for name in box.names if name.endswith("/data.pkl") or name == "data.pkl"), "")
    if not name:
        raise ReaderProblem("a zip without data.pkl, not saved by torch", State.MISMATCH)
    folder = name.removesuffix("data.pkl")
    clock = Clock(limits.max_seconds / 2)
    stream = scan(box.read(name, 64 * 1024 * 1024), 0, clock)
    storages = [member for member in box.names if member.startswith(folder + "data/")]
    facts = _facts(stream) | {
        "members": box.names[:100],
        "storages": len(storages),
        "storage_bytes": sum(box.size(member) for member in storages),
        "tensors": stream.storages,
        "parameters": stream.numbers,
        "tensor_names": [key for key in dict.fromkeys(stream.keys) if _WEIGHT.fullmatch(key)][:200],
        "script": box.has(folder + "constants.pkl"),
    }
    problems = _harm(stream)
    if not source.truncated:
        seen = _measure(box, folder, stream, clock)
        facts |= {
            key: seen.facts()[key] for key in ("zero_tensors", "nan_tensors", "infinite_tensors", "measured_tensors")
        }
        problems += seen.problems()
    state = State.SOUND
    if not stream.complete:
        state = State.BROKEN
        problems.append(f"data.pkl has no end ({stream.problem})")
    elif stream.storages and not storages:
        state = State.BROKEN
        problems.append("the tensors' values are missing")
    elif source.truncated:
        state = State.PARTIAL
        problems.append("larger than the bounds allow, values not looked at")
    return Document(source.path, "torch", Family.MODEL, state, _text("torch", facts), facts, problems=tuple(problems))


def _measure(box: ZipBox, folder: str, stream: Stream, clock: Clock) -> Tensors:
    """What the values in the storages are like."""
    tensors = Tensors(clock)
    order = ">" if box.has(folder + "byteorder") and box.read(folder + "byteorder", 16) == b"big" else "<"
    for key, storage in list(stream.kinds.items())[:_MEASURED]:
        kind, name = _STORAGES.get(storage, ""), f"{folder}data/{key}"
        if kind and order == "<" and box.size(name):
            tensors.add(key, [], storage, box.read(name, _STORAGE_BYTES), kind)
    return tensors


def _read_old_torch(source: Source, data: bytes, first: Stream, clock: Clock, cut: bool) -> Document:
    """A torch file of the old kind: five pickles after each other, then raw values."""
    streams = [first]
    while len(streams) < 5 and streams[-1].complete and not clock.over:
        streams.append(scan(data, streams[-1].end, clock))
    merged = Stream(protocol=first.protocol, complete=len(streams) == 5 and streams[-1].complete)
    for stream in streams:
        merged.names.update(stream.names)
        merged.keys += stream.keys
        merged.opcodes += stream.opcodes
        merged.storages += stream.storages
        merged.numbers += stream.numbers
    values = len(data) - streams[-1].end
    facts = _facts(merged) | {
        "tensors": merged.storages,
        "parameters": merged.numbers,
        "storage_bytes": values,
        "tensor_names": [key for key in dict.fromkeys(merged.keys) if _WEIGHT.fullmatch(key)][:200],
    }
    problems = _harm(merged)
    state = State.PARTIAL if cut else State.SOUND
    if not cut and (not merged.complete or (merged.storages and values < merged.numbers)):
        state = State.BROKEN
        problems.append("the end of the file is missing")
    return Document(source.path, "torch", Family.MODEL, state, _text("torch", facts), facts, problems=tuple(problems))


def _is_pickle(data: bytes) -> bool:
    if len(data) > 2 and data[0] == 0x80 and 2 <= data[1] <= 5:
        return True
    # Protocols 0 and 1 have no mark; what they begin with in practice, and an end, must do.
    return (
        data[:1] in {b"(", b"c", b"]", b"}"}
        and data.endswith(b".")
        and len(data) > 3
        and b"\n" in data[:200]
        and (scan(data[: 1 << 16], 0, Clock(0.2)).complete)
    )


def _sniff(data: bytes) -> bool:
    if is_zip(data):
        return b"data.pkl" in data[:200] or b"/data.pkl" in data
    return _is_pickle(data)


def _sniff_packed(data: bytes) -> bool:
    """Compressed joblib files, which only their extension tells from other compressed files."""
    return _sniff(data) or data.startswith(_PACKED)


READER = Reader("pickle", _SUFFIXES, _sniff, _read, isolated=True, kin="model")
PACKED_READER = Reader("packed pickle", _SUFFIXES, _sniff_packed, _read, isolated=True, kin="model")
