"""HDF5: groups, data sets and attributes. Links to other files are told and never followed."""

from __future__ import annotations

import json
import math
from itertools import islice
from typing import Any

from judge.readers.document import Document, Family, Limits, Reader, ReaderProblem, Source, State
from judge.readers.extras import bring
from judge.readers.hdfhead import check_length, heap_names, is_hdf
from judge.readers.numbers import SAMPLE, measure, remarks, values_of
from judge.readers.parts import Clock, TextBuilder
from judge.readers.zipbox import Window

_MAX_OBJECTS = 2_000
_MAX_DEPTH = 30
_MAX_ATTRIBUTES = 20
_MEASURED_SETS = 100
_MAX_CHUNK = 64 * 1024 * 1024
_MAX_CONFIG = 8 * 1024 * 1024
_KERAS = frozenset({"model_config", "layer_names", "keras_version"})


def _read(source: Source, limits: Limits) -> Document:
    end = check_length(source)
    try:
        h5py = bring("h5py", "data")
    except ReaderProblem as problem:
        return _without_library(source, end, str(problem))
    try:
        file = h5py.File(Window(source), "r")
        h5py.h5o.get_info(file.id)
    except (OSError, ValueError, RuntimeError, KeyError) as error:
        raise ReaderProblem(f"damaged HDF5: {str(error)[:200]}") from None
    with file:
        tree = Tree(h5py, limits, source.truncated)
        tree.walk(file)
        return tree.document(source, "hdf5")


def _without_library(source: Source, end: int, advice: str) -> Document:
    names = heap_names(source.data)
    keras = any(mark.encode() in source.data for mark in _KERAS)
    family = Family.MODEL if keras else Family.ARRAY
    facts = {"keras": keras, "stored_bytes": end, "names": names, "install": "judge[data]"}
    return Document(source.path, "hdf5", family, State.PARTIAL, "\n".join(names), facts, problems=(advice,))


class Tree:
    """What is in one file, found without following anything out of it."""

    def __init__(self, h5py: Any, limits: Limits, cut: bool) -> None:
        self.h5py = h5py
        self.cut = cut
        self.clock = Clock(limits.max_seconds * 0.6)
        self.out = TextBuilder(limits.max_chars)
        self.sets: list[dict[str, Any]] = []
        self.names: dict[str, None] = {}
        self.fields: dict[str, None] = {}
        self.links: list[str] = []
        self.layers: list[str] = []
        self.problems: list[str] = []
        self.groups = self.values = self.bytes = self.objects = self.unread = 0
        self.keras = self.deep = False
        self._seen: set[int] = set()

    def walk(self, root: Any) -> None:
        """Visits groups and data sets, the outer ones first."""
        waiting = [(root, "", 0)]
        self._seen.add(self.h5py.h5o.get_info(root.id).addr)
        while waiting:
            group, path, depth = waiting.pop(0)
            self._attributes(group, path or "/")
            try:
                names = list(islice(group, _MAX_OBJECTS - self.objects + 1))
            except (RuntimeError, OSError, ValueError, KeyError, UnicodeDecodeError) as error:
                self._trouble(path or "/", error)
                continue
            more = len(names) > _MAX_OBJECTS - self.objects
            for name in names[: _MAX_OBJECTS - self.objects]:
                found = self._member(group, str(name), f"{path}/{name}")
                if isinstance(found, self.h5py.Group):
                    if depth < _MAX_DEPTH:
                        waiting.append((found, f"{path}/{name}", depth + 1))
                    else:
                        self.deep = True
                if self.clock.over:
                    more = True
                    break
            if more:
                self.problems.append("only looked at in part, it holds very much")
                return
        if self.deep:
            self.problems.append(f"only looked at {_MAX_DEPTH} groups deep")

    def _member(self, group: Any, name: str, path: str) -> Any:
        """One entry of a group, told; the group it is, so that it is visited too."""
        h5py = self.h5py
        self.objects += 1
        try:
            link = group.get(name, getlink=True)
            if isinstance(link, h5py.ExternalLink):
                self.links.append(f"{path} -> {str(link.filename)[:200]}:{str(link.path)[:100]}")
                self.out.add(f"{path}: link to {self.links[-1].partition('-> ')[2]} outside of the file, not followed")
                return None
            if isinstance(link, h5py.SoftLink):
                self.out.add(f"{path}: link to {str(link.path)[:200]}")
                return None
            found = group.get(name)
            address = h5py.h5o.get_info(found.id).addr
        except (RuntimeError, OSError, ValueError, KeyError, TypeError, AttributeError, UnicodeError) as error:
            self._trouble(path, error)
            return None
        self.names[path.lstrip("/")] = None
        if address in self._seen:
            self.out.add(f"{path}: another name of what stands above")
            return None
        self._seen.add(address)
        if isinstance(found, h5py.Dataset):
            self._set(found, path)
        elif isinstance(found, h5py.Group):
            self.groups += 1
            self.out.add(f"{path}/")
        return found

    def _trouble(self, path: str, error: Exception) -> None:
        if self.cut and "outside of what was read" in str(error):
            self.unread += 1
        elif len(self.problems) < 10:
            self.problems.append(f"{path} cannot be read: {str(error).strip()[:120]}")

    def _attributes(self, item: Any, path: str) -> None:
        try:
            names = list(islice(item.attrs, _MAX_ATTRIBUTES * 2))
        except (RuntimeError, OSError, ValueError, KeyError, UnicodeError) as error:
            self._trouble(path, error)
            return
        for name in names[:_MAX_ATTRIBUTES]:
            self.keras = self.keras or name in _KERAS
            try:
                identifier = self.h5py.h5a.open(item.id, name.encode())
                if math.prod(identifier.shape) > 1_000 or identifier.get_storage_size() > _MAX_CONFIG:
                    self.out.add(f"{path} @{name}: large")
                    continue
                value = item.attrs[name]
            except (RuntimeError, OSError, ValueError, KeyError, TypeError, UnicodeError) as error:
                self._trouble(f"{path} @{name}", error)
                continue
            text = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
            if name == "model_config":
                self.layers = _layers(text)
            self.out.add(f"{path} @{name} = {' '.join(text[:300].split())}")

    def _set(self, found: Any, path: str) -> None:
        facts: dict[str, Any] = {"name": path.lstrip("/")}
        try:
            shape = None if found.shape is None else [int(side) for side in found.shape]
            facts |= {"shape": shape, "dtype": str(found.dtype)[:200]}
            self.fields.update((str(name), None) for name in (found.dtype.names or ())[:200])
            count = 0 if shape is None else math.prod(shape)
            stored = found.id.get_storage_size()
            facts["values"] = count
            note = self._values(found, count, stored, facts)
        except (RuntimeError, OSError, ValueError, KeyError, TypeError, OverflowError) as error:
            self._trouble(path, error)
            return
        self.values += count
        self.bytes += stored
        self.sets.append(facts)
        about = ", ".join(f"{key} {facts[key]:.6g}" for key in ("min", "max", "mean") if key in facts)
        parts = [f"shape {tuple(shape or ())}", facts["dtype"], *([about] if about else []), *([note] if note else [])]
        self.out.add(f"{path}: {', '.join(parts)}")
        self._attributes(found, path)

    def _values(self, found: Any, count: int, stored: int, facts: dict[str, Any]) -> str:
        """Measures the first values of a data set where they lie in this file; else says why not."""
        if found.external:
            self.links += [f"{facts['name']} -> {str(part[0])[:200]}" for part in found.external[:5]]
            return "its values lie in other files, not read"
        if found.is_virtual:
            return "put together from other data sets, not read"
        if not count:
            return "no values"
        if not stored:
            facts["unwritten"] = True
            return "nothing was ever written to it"
        item = found.dtype.itemsize
        if found.chunks is not None and math.prod(found.chunks) * item > _MAX_CHUNK:
            return "its blocks are too large, not read"
        if len(self.sets) >= _MEASURED_SETS or self.clock.over or item > 1 << 16:
            return ""
        picked = found[_beginning(found.shape, SAMPLE if item <= 16 else SAMPLE // 100)]
        kind = f"{found.dtype.kind}{item}"
        if found.dtype.kind in "biufc":
            native = picked.astype(found.dtype.newbyteorder("<"))
            facts |= measure(values_of(native.tobytes(), kind) or ())
            return "; ".join(remarks(facts))
        texts = [_text(value) for value in picked.reshape(-1)[:5]] if hasattr(picked, "reshape") else [_text(picked)]
        return "begins with " + ", ".join(texts) if found.dtype.kind in "OSV" else ""

    def document(self, source: Source, format_: str) -> Document:
        """The document, when everything is visited."""
        written = [part for part in self.sets if part["values"] and not part.get("unwritten")]
        measured = [part for part in self.sets if "sampled" in part]
        facts = {
            "keras": self.keras,
            "groups": self.groups,
            "datasets": len(self.sets),
            "values": self.values,
            "stored_bytes": self.bytes,
            "arrays": {part["name"]: {key: part[key] for key in part if key != "name"} for part in self.sets[:200]},
            "names": list(self.names)[:500] or (heap_names(source.data) if self.cut else []),
            "columns": list(self.fields)[:500],
            "layers": self.layers[:200],
            "links_out": self.links[:20],
        }
        problems = list(self.problems)
        state = State.BROKEN if problems and not problems[-1].startswith("only looked at") else State.SOUND
        if state is State.SOUND and (self.unread or problems):
            state = State.PARTIAL
            problems += ["larger than the bounds allow, looked at in part"] if self.unread else []
        elif state is State.SOUND and not written and not self.links:
            state = State.EMPTY
            problems.append("no values in it")
        if self.links:
            problems.append(f"values in other files are not looked at: {', '.join(self.links[:3])}")
        floats = [part for part in measured if str(part["dtype"]).startswith(("float", ">f", "<f"))]
        if floats and all(part.get("all_zero") for part in floats) and len(floats) == len(measured):
            problems.append("all values that were looked at are zero")
        for key, what in (("nan", "values that are not numbers (NaN)"), ("inf", "infinite values")):
            named = [part["name"] for part in measured if part.get(key)]
            problems += [f"{what} in {', '.join(named[:5])}"] if named else []
        family = Family.MODEL if self.keras else Family.ARRAY
        return Document(source.path, format_, family, state, self.out.text(), facts, problems=tuple(problems))


def _beginning(shape: tuple[int, ...], room: int) -> tuple[slice, ...]:
    """A selection of the first values, at most so many."""
    picked: list[slice] = []
    for side in reversed(shape):
        take = max(1, min(side, room))
        room //= take
        picked.append(slice(0, take))
    return tuple(reversed(picked))


def _text(value: Any) -> str:
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
    return " ".join(text[:80].split())


def _layers(config: str) -> list[str]:
    """Kinds of the layers in a model's description, as Keras keeps it."""
    try:
        layers = json.loads(config)["config"]["layers"]
        return [str(layer["class_name"])[:80] for layer in layers[:500]]
    except (ValueError, KeyError, TypeError, RecursionError):
        return []


READER = Reader("hdf5", frozenset({".h5", ".hdf5", ".hdf", ".he5"}), is_hdf, _read, isolated=True, kin="model")
