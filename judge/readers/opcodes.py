"""Pickle streams read as a list of opcodes. Nothing is ever unpickled: loading a pickle runs what it says."""

from __future__ import annotations

import io
import math
import pickletools
import re
from dataclasses import dataclass, field

from judge.readers.parts import Clock

_MAX_OPS = 1_000_000
_MAX_NAMES = 200
_MAX_STORAGES = 10_000
_PUSHES_TEXT = frozenset(
    {"SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8", "UNICODE", "STRING", "BINSTRING", "SHORT_BINSTRING"}
)
_PUSHES_INT = frozenset({"BININT", "BININT1", "BININT2", "INT", "LONG", "LONG1"})
_TYPE = re.compile(r"[<>|=]?([?bBiufcmMOSUV])(\d{1,6})")
_ARRAY_KEYS = frozenset({"subclass", "shape", "order", "dtype", "allow_mmap", "numpy_array_alignment_bytes"})
_HARMFUL_MODULES = """
os posix nt subprocess sys shutil socket pty runpy importlib ctypes webbrowser pip pdb bdb code codeop multiprocessing
asyncio commands popen2 requests urllib http ftplib smtplib tempfile
"""
_HARMFUL = frozenset(_HARMFUL_MODULES.split())
_HARMFUL_BUILTINS = frozenset(
    {"eval", "exec", "compile", "__import__", "open", "getattr", "setattr", "delattr", "globals", "breakpoint", "input"}
)


@dataclass(slots=True)
class Stream:
    """What one pickle is made of.

    Attributes:
        protocol: Pickle protocol; 0 when the stream does not say.
        names: Global names it refers to, ``module.name``, in order of appearance.
        opcodes: How many were read.
        complete: Whether its end was reached.
        end: Position after its last opcode.
        problem: Why its end was not reached.
        keys: Strings in it, the first ones: keys of a state dictionary, field names.
        storages: Persistent ids, as torch uses for tensors.
        numbers: Values in those tensors, as the stream says.
        kinds: Kind of the values of each storage (``FloatStorage``) by its key, which is the name of its member.
    """

    protocol: int = 0
    names: dict[str, None] = field(default_factory=dict)
    opcodes: int = 0
    complete: bool = False
    end: int = 0
    problem: str = ""
    keys: list[str] = field(default_factory=list)
    storages: int = 0
    numbers: int = 0
    kinds: dict[str, str] = field(default_factory=dict)
    first_int: int | None = None

    @property
    def harmful(self) -> list[str]:
        """Names that no data needs and that do things when the file is loaded."""
        found = []
        for name in self.names:
            module, _, attribute = name.rpartition(".")
            builtin = module in {"builtins", "__builtin__"} and attribute.split(".")[0] in _HARMFUL_BUILTINS
            if builtin or module.split(".")[0] in _HARMFUL:
                found.append(name)
        return found


def scan(data: bytes, start: int, clock: Clock) -> Stream:
    """Reads one pickle from a position on, within bounds; never raises."""
    stream = Stream()
    stack = _Recent(stream)
    source = io.BytesIO(data)
    source.seek(start)
    before = ""
    try:
        for op, argument, _ in pickletools.genops(source):
            stream.opcodes += 1
            if op.name == "PROTO":
                stream.protocol = _int(argument)
            elif op.name == "STOP":
                stream.complete = True
            else:
                stack.add(op.name, argument)
                # The state of an array's description is a dictionary, that of the type within it a tuple.
                if op.name == "BUILD" and before == "SETITEMS" and stack.array is not None:
                    _pass_array(data, source, stack.take_array(), clock)
            before = op.name
            if stream.opcodes >= _MAX_OPS or (stream.opcodes % 4096 == 0 and clock.over):
                stream.problem = "longer than is looked at"
                break
    except Exception as error:  # noqa: BLE001 - task boundary: genops raises whatever damaged arguments lead to
        stream.problem = f"after {stream.opcodes} opcodes: {error}"
    stream.end = source.tell()
    return stream


def _pass_array(data: bytes, source: io.BytesIO, array: _Array, clock: Clock) -> None:
    """Moves on behind the values that joblib writes raw after the description of an array."""
    position = source.tell()
    if array.kind == "O":  # pickled on their own
        source.seek(scan(data, position, clock).end)
        return
    size = math.prod(array.shape) * array.item
    if array.padded and position < len(data):
        size += 1 + data[position]
    if not 0 <= size <= len(data) - position:
        raise ValueError("an array goes on behind the end")
    source.seek(position + size)


@dataclass(slots=True)
class _Array:
    """An array in a joblib file: its shape, the kind of its values and how many bytes each takes."""

    shape: list[int] = field(default_factory=list)
    kind: str = ""
    item: int = 0
    padded: bool = False


class _Recent:
    """Follows text and numbers far enough to tell which names a stream refers to, and how long its raw arrays are."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.texts: list[str] = ["", ""]
        self.memo: dict[int, str] = {}
        self.pushed: str | None = None
        self.number = 0
        self.array: _Array | None = None
        self.key = ""
        self.type_memo: dict[int, str] = {}
        self.type = ""
        self.wrappers: set[int] = set()
        self.class_pushed = False
        self.storage = ""
        self.storage_pushed = ""
        self.storage_memo: dict[int, str] = {}

    def take_array(self) -> _Array:
        """The array that was described last; there is one."""
        array, self.array = self.array or _Array(), None
        return array

    def add(self, name: str, argument: object) -> None:
        if name in _PUSHES_TEXT:
            self._text(str(argument)[:500])
            if len(self.stream.keys) < 2000:
                self.stream.keys.append(str(argument)[:200])
        elif name in {"MEMOIZE", "BINPUT", "LONG_BINPUT", "PUT"}:
            self._remember(len(self.memo) if name == "MEMOIZE" else _int(argument))
        elif name in {"BINGET", "LONG_BINGET", "GET"}:
            self._recall(_int(argument))
        elif name in {"GLOBAL", "INST"}:
            self._name(str(argument).replace(" ", ".", 1))
        elif name == "STACK_GLOBAL":
            self._name(".".join(self.texts))
        else:
            self._other(name, argument)

    def _begin_array(self) -> None:
        self.array = _Array()
        self.key = ""

    def _remember(self, index: int) -> None:
        self.memo[index] = self.pushed or ""
        if self.type:
            self.type_memo[index] = self.type
        if self.class_pushed:
            self.wrappers.add(index)
        if self.storage_pushed:
            self.storage_memo[index] = self.storage_pushed
        self.type, self.class_pushed, self.storage_pushed = "", False, ""

    def _recall(self, index: int) -> None:
        if index in self.wrappers:
            self._begin_array()
        elif index in self.storage_memo:
            self.storage = self.storage_memo[index]
        elif self.memo.get(index):
            self._text(self.memo[index])
        elif self.array is not None and self.key == "dtype":
            self._type_of(self.type_memo.get(index, ""))

    def _other(self, name: str, argument: object) -> None:
        self.pushed = None
        if name in _PUSHES_INT and isinstance(argument, int):
            self.number = argument
            if self.array is not None and self.key == "shape":
                self.array.shape.append(argument)
            if self.stream.first_int is None:
                self.stream.first_int = argument
        elif name == "REDUCE" and _TYPE.fullmatch(self.texts[1]):
            self.type = self.texts[1]  # what numpy.dtype was called with; remembered if the stream remembers it
        elif name in {"BINPERSID", "PERSID"}:
            self.stream.storages += 1
            if len(self.stream.kinds) < _MAX_STORAGES:
                self.stream.kinds[self.texts[0]] = self.storage  # the texts are the key and the device
            self.stream.numbers += max(0, self.number)

    def _text(self, text: str) -> None:
        self.texts = [self.texts[1], text]
        self.pushed = text
        if self.array is not None:
            if text in _ARRAY_KEYS:
                self.key = text
                self.array.padded = self.array.padded or text == "numpy_array_alignment_bytes"
            elif self.key == "dtype" and not self.array.kind and _TYPE.fullmatch(text):
                self._type_of(text)

    def _type_of(self, text: str) -> None:
        match = _TYPE.fullmatch(text)
        if match and self.array is not None and not self.array.kind:
            self.array.kind, self.array.item = match.group(1), int(match.group(2))

    def _name(self, name: str) -> None:
        self.pushed = None
        self.storage_pushed = name.rpartition(".")[2] if name.endswith("Storage") else ""
        self.storage = self.storage_pushed or self.storage
        self.class_pushed = name == "joblib.numpy_pickle.NumpyArrayWrapper"
        if self.class_pushed:
            self._begin_array()
        if len(self.stream.names) < _MAX_NAMES:
            self.stream.names[name[:200]] = None


def _int(argument: object) -> int:
    return argument if isinstance(argument, int) else -1
