"""Models and arrays."""

from __future__ import annotations

import json
import pickle
import struct
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from judge.readers import Family
from tests.readers.formats.entry import Entry, Make
from tests.readers.formats.flat import tflite
from tests.readers.formats.making import package, patched, raw, repeated, sample, scrambled, swapped

_CALLS = b"\x80\x04\x8c\x05posix\x8c\x06system\x93\x8c\x07echo hi\x85R."
_NPY = b"\x93NUMPY\x01\x00"


def _npy(path: Path) -> None:
    import numpy

    numpy.save(path, numpy.arange(12.0).reshape(3, 4))


def _npy_head(head: str, body: bytes = b"") -> Make:
    return raw(_NPY + struct.pack("<H", len(head)) + head.encode() + body)


def _objects(path: Path) -> None:
    head = b"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }\n"
    path.write_bytes(_NPY + struct.pack("<H", len(head)) + head + _CALLS)


def _npz(path: Path) -> None:
    import numpy

    numpy.savez(path, x=numpy.arange(10), y=numpy.linspace(0, 1, 50))


def _mat(version: str) -> Make:
    def run(path: Path) -> None:
        import numpy
        import scipy.io

        kept = {"x": numpy.arange(12.0).reshape(3, 4)}
        scipy.io.savemat(path, kept, format=version, do_compression=version == "5")

    return run


def _mat_hdf(path: Path) -> None:
    _hdf(path)
    head = b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(508) + b"\0\2IM"
    import h5py

    with h5py.File(path, "w", userblock_size=512) as file:
        file["x"] = [[1.0, 2.0], [3.0, 4.0]]
    data = path.read_bytes()
    path.write_bytes(head + data[512:])


def _mat_bomb(path: Path) -> None:
    import zlib

    packed = zlib.compress(struct.pack("<II", 14, 200_000_000) + bytes(200_000_000), 1)
    path.write_bytes(b"MATLAB 5.0 MAT-file".ljust(124) + b"\0\1IM" + struct.pack("<II", 15, len(packed)) + packed)


def _hdf(path: Path) -> None:
    import h5py
    import numpy

    with h5py.File(path, "w") as file:
        group = file.create_group("model")
        group.attrs["epoch"] = 3
        group["w"] = numpy.linspace(-1, 1, 200).reshape(20, 10)
        group["b"] = numpy.zeros(10)
        file["rows"] = numpy.array([(1, 2.5), (2, 3.5)], dtype=[("step", "i4"), ("loss", "f8")])


def _hdf_links(path: Path) -> None:
    import h5py

    _hdf(path)
    with h5py.File(path, "a") as file:
        file["out"] = h5py.ExternalLink("/etc/passwd", "/x")
        file["ring"] = h5py.SoftLink("/ring")
        file["model/back"] = file["/"]
        file.create_dataset("raw", shape=(100,), dtype="u1", external=[("/etc/passwd", 0, 100)])
        layout = h5py.VirtualLayout(shape=(10,), dtype="f8")
        layout[:] = h5py.VirtualSource("/etc/passwd", "x", shape=(10,))
        file.create_virtual_dataset("virtual", layout)


def _hdf_huge(path: Path) -> None:
    import h5py

    with h5py.File(path, "w") as file:
        file.create_dataset("endless", shape=(10**12, 10**5), dtype="f8", chunks=(1, 10**5), fillvalue=1.0)
        file["endless"][0] = 2.0
        file.create_dataset("packed", shape=(8_000_000,), dtype="f8", chunks=(8_000_000,), compression="gzip")
        file["packed"][...] = 0


def _hdf_many(path: Path) -> None:
    import h5py

    with h5py.File(path, "w") as file:
        group = file
        for _ in range(300):
            group = group.create_group("g")
        for i in range(5_000):
            file.create_group(f"a{i}")


def _keras(path: Path) -> None:
    weights = path.with_name("weights.h5")
    _hdf(weights)
    config = {"class_name": "Sequential", "config": {"layers": [{"class_name": "Dense"}]}, "compile_config": {}}
    members = {
        "metadata.json": b'{"keras_version": "3.5.0"}',
        "config.json": json.dumps(config).encode(),
        "model.weights.h5": weights.read_bytes(),
    }
    weights.unlink()
    path.write_bytes(package(members))


def _onnx(path: Path) -> None:
    import numpy
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    weights = numpy.linspace(-1, 1, 12).reshape(4, 3).astype("f4")
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["m"]), helper.make_node("Relu", ["m"], ["y"])],
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 4])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", 3])],
        [numpy_helper.from_array(weights, "w")],
    )
    onnx.save(helper.make_model(graph, producer_name="tester"), path)


def field(number: int, value: int | bytes) -> bytes:
    """A field of a message of Protocol Buffers."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def _saved_model(path: Path) -> None:
    nodes = b"".join(
        field(1, field(1, name) + field(2, kind)) for name, kind in ((b"x", b"Placeholder"), (b"y", b"MatMul"))
    )
    signature = field(1, b"serving_default") + field(
        2, field(1, field(1, b"x") + field(2, b"")) + field(2, field(1, b"y") + field(2, b""))
    )
    about = field(4, b"serve") + field(5, b"2.16.1")
    path.write_bytes(field(1, 1) + field(2, field(1, about) + field(2, nodes) + field(5, signature)))


def _nested_message(levels: int) -> bytes:
    data = b""
    for _ in range(levels):
        data = field(7, data)
    return field(1, 7) + data


def _pickle(path: Path) -> None:
    path.write_bytes(pickle.dumps({"model": OrderedDict(a=1), "path": Path("x")}))


def _joblib(path: Path) -> None:
    import joblib
    from sklearn.linear_model import LogisticRegression

    rows = [[i, i % 3] for i in range(40)]
    joblib.dump(LogisticRegression().fit(rows, [i % 2 for i in range(40)]), path)


_TORCH_PICKLE = (
    b"\x80\x02ccollections\nOrderedDict\nq\x00)Rq\x01(X\x08\x00\x00\x000.weightq\x02ctorch._utils\n_rebuild_tensor_v2\n"
    b"((X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x000X\x03\x00\x00\x00cpuK\x08tQK\x00K\x04K\x02\x86"
    b"K\x02K\x01\x86\x89h\x00)RtRu."
)


def _torch(*values: float, pickled: bytes = _TORCH_PICKLE) -> Make:
    """The layout that torch writes; torch itself is too large for the test environment."""
    members = {"m/data.pkl": pickled, "m/byteorder": b"little", "m/version": b"3\n"}
    members["m/data/0"] = struct.pack(f"<{len(values)}f", *values)
    return lambda path: path.write_bytes(package(members)) and None


def _safetensors(header: Mapping[str, Any], body: bytes = b"") -> Make:
    text = json.dumps(header).encode()
    return raw(struct.pack("<Q", len(text)) + text + body)


_WEIGHTS = (0.5, -0.25, 1.5, 2.0, -1.0, 0.1, 0.2, 0.3)
_HDF_FACTS = {
    "datasets": 3,
    "groups": 1,
    "columns": ["step", "loss"],
    "arrays": lambda found: found["model/w"]["max"] == 1,
}
_DEEP = b"\x80\x04" + b"]\x94" * 300_000 + b"a" * 299_999 + b"."

ENTRIES: tuple[Entry, ...] = (
    Entry("npy", (".npy",), Family.ARRAY, _npy, text="shape (3, 4)", facts={"shape": [3, 4], "max": 11.0, "nan": None},
          hostile={"code in its header": _npy_head("__import__('os').system('touch harm')"),
                   "a shape that lies": _npy_head("{'descr': '<f8', 'fortran_order': False, 'shape': (10**15,), }"),
                   "a shape of exabytes": _npy_head(
                       "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000000000,), }"),
                   "brackets without end": _npy_head("(" * 60_000), "signs without end": _npy_head("-" * 60_000 + "1"),
                   "pickled objects that call": _objects}),
    Entry("npz", (".npz",), Family.ARRAY, _npz, text="y: shape (50,)", facts={"names": ["x", "y"]},
          hostile={"a bomb": raw(package({"x.npy": _NPY + bytes(80_000_000)}))}),
    Entry("MATLAB 5", (".mat",), Family.ARRAY, _mat("5"), text="x: double of shape (3, 4), 0 to 11", extra="data",
          modules=("scipy",), hostile={"a bomb": _mat_bomb, "bytes overwritten": scrambled(_mat("5"), 0.8, 40)}),
    Entry("MATLAB 4", (".mat",), Family.ARRAY, _mat("4"), text="x: double of shape (3, 4), 0 to 11", extra="data",
          modules=("scipy",), hostile={"sides that lie": patched(
              _mat("4"), (b"\3\0\0\0\4\0\0\0", b"\xff\xff\xff\x7f\xff\0\0\0"))}),
    Entry("MATLAB 7.3", (".mat",), Family.ARRAY, _mat_hdf, text="/x: shape (2, 2)", extra="data", modules=("h5py",)),
    Entry("HDF5", (".h5", ".hdf5"), Family.ARRAY, _hdf, text="/model/w: shape (20, 10)", facts=_HDF_FACTS, extra="data",
          modules=("h5py",),
          hostile={"links to /etc/passwd and in rings": _hdf_links, "a data set of exabytes": _hdf_huge,
                   "5,000 groups and 300 levels": _hdf_many, "headers overwritten": scrambled(_hdf, 0.08, 300),
                   "bytes overwritten": scrambled(_hdf, 0.5, 2_000)}),
    Entry("Keras 3", (".keras",), Family.MODEL, _keras, text="Dense",
          facts={"layers": ["Dense"], "compiled": False, "keras_version": "3.5.0", "datasets": 3}, extra="data",
          modules=("h5py",),
          hostile={"weights that are none": swapped(_keras, "model.weights.h5", b"\x89HDF\r\n\x1a\n" * 50),
                   "a deep description": swapped(_keras, "config.json", b"[" * 200_000)}),
    Entry("ONNX", (".onnx",), Family.MODEL, _onnx, text="input x float32 [batch, 4]", modules=("onnx",),
          facts={"operators": {"MatMul": 1, "Relu": 1}, "parameters": 12, "producer": "tester"},
          hostile={"100 messages within each other": raw(_nested_message(100)), "lengths beyond the end": raw(
              field(1, 7) + b"\x3a" + _varint(1 << 62)), "bytes overwritten": scrambled(_onnx, 0.5, 30),
              "200,000 empty nodes": repeated((field(1, 7), 1), (field(7, field(1, b"")), 300_000))}),
    Entry("TensorFlow graph", (".pb",), Family.MODEL, _saved_model, text="signature serving_default(x) -> y",
          facts={"tensorflow": "2.16.1", "operators": {"Placeholder": 1, "MatMul": 1}},
          hostile={"bytes overwritten": scrambled(_saved_model, 0.3, 20),
                   "numbers without end": repeated((b"\x0a\xff", 1), (b"\xff", 10_000))}),
    Entry("TensorFlow Lite", (".tflite",), Family.MODEL, lambda path: path.write_bytes(tflite()) and None,
          text="2 x FULLY_CONNECTED", facts={"inputs": ["x float32 [1, 4]"], "parameters": 8}, modules=("flatbuffers",),
          hostile={"tables beyond the end": raw(b"\xff\xff\xff\x7fTFL3" + bytes(60)),
                   "a table in itself": raw(struct.pack("<I4sii", 8, b"TFL3", 0, 0) + bytes(60))}),
    Entry("safetensors", (".safetensors",), Family.MODEL, sample("sample.safetensors"), text="w F32 10x4",
          facts={"parameters": 43, "tensor_names": ["w", "h"]},
          hostile={"a header of exabytes": raw(struct.pack("<Q", 1 << 60) + b'{"'), "deep JSON": raw(
              struct.pack("<Q", 100_004) + b'{"a"' + b"[" * 100_000), "places that lie": _safetensors(
                  {"w": {"dtype": "F32", "shape": [1 << 60, 1 << 60], "data_offsets": [-5, 1 << 62]}})}),
    Entry("GGUF", (".gguf",), Family.MODEL, sample("sample.gguf"), text="general.architecture = llama",
          facts={"architecture": "llama", "tensors": 2, "parameters": 36},
          hostile={"a million tensors announced": raw(b"GGUF" + struct.pack("<IQQ", 3, 999_999, 0)),
                   "a text of exabytes": raw(b"GGUF" + struct.pack("<IQQQ", 3, 1, 1, 1 << 62) + b"x")}),
    Entry("pickle", (".pkl", ".pickle"), Family.MODEL, _pickle, text="class collections.OrderedDict",
          facts={"complete": True},
          hostile={"a call": raw(_CALLS), "300,000 levels": raw(_DEEP), "a length that lies": raw(
              b"\x80\x04\x8e" + struct.pack("<Q", 1 << 62)), "30 million values": repeated(
                  (b"\x80\x04", 1), (b"N0", 15_000_000), (b"N.", 1))}),
    Entry("joblib", (".joblib", ".pkl"), Family.MODEL, _joblib, text="LogisticRegression", facts={"fitted": True},
          modules=("joblib", "sklearn")),
    Entry("torch", (".pt", ".pth", ".ckpt"), Family.MODEL, _torch(*_WEIGHTS), text="tensor 0.weight",
          facts={"parameters": 8, "zero_tensors": [], "measured_tensors": 1},
          hostile={"a call": _torch(1.0, 2.0, pickled=_CALLS), "nothing but zeros": _torch(*[0.0] * 8),
                   "not finite": _torch(float("nan"), float("inf"), 1.0)}),
)  # fmt: skip
