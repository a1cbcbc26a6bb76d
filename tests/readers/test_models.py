"""Pickles, torch, joblib, arrays, safetensors, HDF5 and others: read, never loaded."""

from __future__ import annotations

import array
import io
import json
import pickle
import struct
import wave
import zipfile
import zlib
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

import pytest

from judge.readers import Document, Family, State

Read = Callable[..., Document]


class Harm:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[str]]:
        import os

        return os.mkdir, (str(self.path),)


@pytest.mark.parametrize("protocol", range(6))
def test_pickles_tell_their_classes(read: Read, protocol: int) -> None:
    found = read("a.pkl", pickle.dumps({"model": OrderedDict(a=1), "path": Path("x")}, protocol))
    assert (found.state, found.family) == (State.SOUND, Family.MODEL)
    assert "collections.OrderedDict" in found.facts["classes"]
    assert any(name.startswith("pathlib") for name in found.facts["classes"])


@pytest.mark.parametrize("name", ["a.pkl", "a.pt", "a.joblib", "a.pth", "a.bin"])
def test_pickles_are_never_loaded(read: Read, tmp_path: Path, name: str) -> None:
    found = read(name, pickle.dumps(Harm(tmp_path / "harm")))
    assert not (tmp_path / "harm").exists()
    assert any("mkdir" in problem for problem in found.problems)


def test_damaged_pickles(read: Read) -> None:
    data = pickle.dumps(list(range(1000)))
    assert read("a.pkl", data[:-10]).state is State.BROKEN
    assert read("a.pkl", "dummy model").state is State.MISMATCH
    assert read("a.pkl", bytes(range(128, 256)) * 3).state is State.BROKEN
    assert read("a.pkl", b"\x80\x04\x8d" + b"\xff" * 8).state is State.BROKEN
    assert read("a.pkl", zlib.compress(data)).state is State.SOUND
    assert read("a.pkl", zlib.compress(bytes(80_000_000))).state is State.UNREADABLE
    assert read("a.pkl", b"\x80\x04" + b"N0" * 3_000_000 + b"N.").state in {State.SOUND, State.PARTIAL}


class NumpyArrayWrapper:
    """As joblib writes it."""

    def __init__(self, count: int) -> None:
        self.subclass = None
        self.shape = (count,)
        self.order = "C"
        self.dtype = None


NumpyArrayWrapper.__module__ = "joblib.numpy_pickle"


def test_raw_arrays_of_joblib_are_passed_over(read: Read) -> None:
    # The opcodes joblib writes for {"w": array of two float64, "m": OrderedDict()}, protocol 4.
    def text(word: str) -> bytes:
        return b"\x8c" + bytes([len(word)]) + word.encode() + b"\x94"

    dtype = (
        text("numpy") + text("dtype") + b"\x93\x94" + text("f8") + b"\x89\x88\x87\x94R\x94(K\x03" + text("<") + b"NNNJ"
    )
    dtype += b"\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00t\x94b"
    state = b"}\x94(" + text("shape") + b"K\x02\x85\x94" + text("order") + text("C") + text("dtype") + dtype
    state += text("allow_mmap") + b"\x88" + text("numpy_array_alignment_bytes") + b"K\x10ub"
    wrapper = text("joblib.numpy_pickle") + text("NumpyArrayWrapper") + b"\x93\x94)\x81\x94" + state
    raw = b"\x03\xff\xff\xff" + struct.pack("<2d", 1.5, 2.5)
    rest = text("m") + text("collections") + text("OrderedDict") + b"\x93\x94)R\x94u."
    data = b"\x80\x04}\x94(" + text("w") + wrapper + raw + rest
    found = read("m.joblib", data)
    assert (found.state, found.format) == (State.SOUND, "joblib")
    assert "collections.OrderedDict" in found.facts["classes"]
    assert read("m.joblib", data[: data.index(raw) + 8]).state is State.BROKEN


def torch_zip(*, pickled: bytes | None = None, storages: int = 1) -> bytes:
    stream = b"\x80\x02ccollections\nOrderedDict\nq\x00)Rq\x01(X\x08\x00\x00\x000.weight"
    stream += b"q\x02ctorch._utils\n_rebuild_tensor_v2\n"
    stream += b"((X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x000X\x03\x00\x00\x00cpu"
    stream += b"K\x08tQK\x00K\x04K\x02\x86"
    stream += b"K\x02K\x01\x86\x89h\x00)RtRu."
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("m/data.pkl", stream if pickled is None else pickled)
        for number in range(storages):
            archive.writestr(f"m/data/{number}", bytes(32))
        archive.writestr("m/version", "3\n")
    return out.getvalue()


def test_torch(read: Read) -> None:
    found = read("a.pt", torch_zip())
    facts = found.facts
    assert (found.state, found.format, facts["parameters"], facts["storage_bytes"]) == (State.SOUND, "torch", 8, 32)
    assert facts["tensor_names"] == ["0.weight"]
    assert read("a.bin", torch_zip()).format == "torch"
    assert read("a.pt", torch_zip()[:200]).state is State.BROKEN
    assert read("a.pt", torch_zip(storages=0)).state is State.BROKEN
    assert read("a.pt", torch_zip(pickled=b"\x80\x02K")).state is State.BROKEN
    large = read("a.pt", torch_zip(storages=300), max_bytes=4096)
    assert (large.state, large.facts["storages"]) == (State.PARTIAL, 300)


def npy(descr: str, shape: str, data: bytes) -> bytes:
    header = f"{{'descr': {descr!r}, 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


def test_arrays(read: Read) -> None:
    found = read("a.npy", npy("<f8", "(2, 2)", struct.pack("<4d", 1, 2, float("nan"), 4)))
    facts = found.facts
    assert (found.state, facts["shape"], facts["finite_share"], facts["max"]) == (State.SOUND, [2, 2], 0.75, 4)
    assert read("a.npy", npy(">i4", "(2,)", struct.pack(">2i", 1, 5))).facts["max"] == 5
    assert read("a.npy", npy("<f2", "(2,)", struct.pack("<2e", 1, 5))).facts["max"] == 5
    assert read("a.npy", npy("|b1", "(3,)", bytes(3))).facts["all_constant"] is True
    assert read("a.npy", npy("<f8", "(0,)", b"")).state is State.EMPTY
    assert read("a.npy", npy("<f8", "(4,)", bytes(8))).state is State.BROKEN
    assert read("a.npy", npy("|O", "(1,)", pickle.dumps(1))).state is State.PARTIAL
    assert read("a.npy", npy("<f8", "(-1,)", bytes(8))).state is State.BROKEN
    assert read("a.npy", npy("<f8", "(" * 5000, b"")).state is State.BROKEN
    assert read("a.npy", "1 2 3").state is State.MISMATCH


def test_npz(read: Read) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("x.npy", npy("<i8", "(2,)", struct.pack("<2q", 3, 4)))
    found = read("a.npz", out.getvalue())
    assert (found.state, found.facts["arrays"]["x"]["max"]) == (State.SOUND, 4)
    assert read("a.npz", out.getvalue()[:100]).state is State.BROKEN


def test_safetensors(read: Read) -> None:
    header = json.dumps({"w": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]}}).encode()
    data = struct.pack("<Q", len(header)) + header + bytes(16)
    assert read("a.safetensors", data).facts["parameters"] == 4
    assert read("a.safetensors", data[:-1]).state is State.BROKEN
    assert read("a.safetensors", struct.pack("<Q", 1 << 60) + header).state is State.BROKEN
    assert read("a.safetensors", struct.pack("<Q", 2) + b"[]").state is State.BROKEN


def hdf(**sets: object) -> bytes:
    h5py = pytest.importorskip("h5py")
    out = io.BytesIO()
    with h5py.File(out, "w") as file:
        for name, value in sets.items():
            file[name] = value
    return out.getvalue()


def test_hdf5_and_keras(read: Read) -> None:
    data = hdf(w=[[1.0, 2.0], [3.0, 4.5]], b=[0.0, 0.0])
    found = read("a.h5", data)
    assert (found.state, found.facts["datasets"], found.facts["arrays"]["w"]["max"]) == (State.SOUND, 2, 4.5)
    assert read("a.h5", data[:1000]).state is State.BROKEN
    assert read("a.h5", "text").state is State.MISMATCH
    assert read("a.h5", hdf()).state is State.EMPTY
    out = io.BytesIO()
    config = {"class_name": "Sequential", "config": {"layers": [{"class_name": "Dense"}]}}
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("metadata.json", "{}")
        archive.writestr("config.json", json.dumps(config))
        archive.writestr("model.weights.h5", data)
    found = read("a.keras", out.getvalue())
    assert (found.state, found.facts["layers"], found.facts["parameters"]) == (State.SOUND, ["Dense"], 6)
    assert read("a.h5", out.getvalue()).format == "keras"


def test_keras_in_hdf5_is_a_model(read: Read) -> None:
    h5py = pytest.importorskip("h5py")
    out = io.BytesIO()
    config = {"class_name": "Sequential", "config": {"layers": [{"class_name": "Conv2D"}, {"class_name": "Dense"}]}}
    with h5py.File(out, "w") as file:
        file.attrs["model_config"] = json.dumps(config)
        file["model_weights/dense/kernel"] = [[0.0, 0.0], [0.0, 0.0]]
    found = read("model.h5", out.getvalue())
    assert (found.family, found.facts["keras"], found.facts["layers"]) == (Family.MODEL, True, ["Conv2D", "Dense"])
    assert "all values that were looked at are zero" in found.problems


def wav(samples: list[int]) -> bytes:
    out = io.BytesIO()
    with wave.open(out, "wb") as sound:
        sound.setparams((1, 2, 8000, 0, "NONE", ""))
        sound.writeframes(array.array("h", samples).tobytes())
    return out.getvalue()


def test_wav(read: Read) -> None:
    found = read("a.wav", wav([0, 20000] * 4000))
    assert (found.state, found.facts["duration"], found.facts["rate"]) == (State.SOUND, 1.0, 8000)
    assert read("a.wav", wav([0] * 800)).state is State.BLANK
    assert read("a.wav", wav([])).state is State.EMPTY
    assert read("a.wav", wav([0, 9999] * 4000)[:100]).state is State.BROKEN


@pytest.mark.parametrize(
    ("name", "data", "family"),
    [
        ("a.mp4", b"\0\0\0\x20ftypisom" + bytes(64), Family.VIDEO),
        ("a.mp3", b"ID3\x04" + bytes(64), Family.AUDIO),
        ("a.parquet", b"PAR1" + bytes(64) + b"PAR1", Family.TABLE),
        ("a.gguf", b"GGUF" + struct.pack("<IQQ", 3, 2, 1), Family.MODEL),
        ("a.onnx", b"\x08\x07\x12\x07pytorch" + bytes(40), Family.MODEL),
        ("a.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(64), Family.DOCUMENT),
    ],
)
def test_known_by_their_first_bytes(read: Read, name: str, data: bytes, family: Family) -> None:
    found = read(name, data)
    assert found.family is family
    assert found.state is not State.SOUND
    assert read(name, "no such thing").state is State.MISMATCH
    assert read(name, bytes(100)).state in {State.BLANK, State.BROKEN}


def test_a_cut_parquet_file(read: Read) -> None:
    assert read("a.parquet", b"PAR1" + bytes(64)).state is State.BROKEN
