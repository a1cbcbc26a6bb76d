"""What calls do with files: path patterns, handles and what is written."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from judge.modules.graph.python.access import Rule, access_rules, looks_like_path, matching
from judge.modules.graph.python.folding import HOLE, ROOT, Folder
from judge.modules.graph.python.ir import UNKNOWN, Ir, RawCall
from judge.modules.graph.python.program import Context, Program

_READ_METHODS = frozenset({"read", "readlines", "readline", "read_text", "read_bytes", "getvalue"})
_WRITE_MODES = frozenset("wax+")
_IN_MEMORY = re.compile(r":memory:|file::memory:|file:[^?]*\?(?:.*&)?mode=memory\b")
_NO_FILES = ("io.", "tempfile.", "requests.", "urllib.", "StringIO", "BytesIO", "httpx.", "zipfile.")
MAX_PATTERNS = 8


class Touch(NamedTuple):
    """One access before it becomes a fact: its kind, path pattern, whether that is from the root, and content."""

    access: str
    pattern: str
    anchored: bool
    content: int | None
    folder: bool = False


class FileEvaluator(Folder):
    """Adds files to what expressions can be.

    Attributes:
        wanted: Last parts of the names of calls that may touch files.
    """

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.wanted = frozenset(access_rules())

    def file_names(self, ir: Ir, ctx: Context) -> list[str]:
        """Paths that a path, handle or text read from a file stands for."""
        found: list[str] = []
        if self._steps > 40:
            return found
        self._steps += 2
        try:
            for form, home in self.expand(ir, ctx):
                inner = self._handle_of(form, home or ctx)
                if inner is not None:
                    found.extend(self.file_names(inner, home or ctx))
                else:
                    found.extend(
                        item.value for item in self._fold_form(form, home or ctx) if isinstance(item.value, str)
                    )
        finally:
            self._steps -= 2
        return list(dict.fromkeys(found))[:MAX_PATTERNS]

    def _handle_of(self, form: Ir, ctx: Context) -> Ir | None:
        """The path expression behind a call that gives a file handle, its text or a writer of it."""
        if form[0] != "c":
            return None
        call = ctx.module.calls[form[1]]
        if call.func[0] == "a" and call.func[2] in _READ_METHODS:
            base: Ir = call.func[1]
            return base
        target = self.call_target(call, ctx)
        for rule in matching(target, call.label or target):
            if rule.access == "opens" or rule.handle:
                return path_argument(rule, call)
        return None

    def touches(self, call: RawCall, target: str, ctx: Context) -> Iterator[Touch]:
        """The file accesses of one call: for each kind those of the first rule that finds a path."""
        done: set[str] = set()
        blind: dict[str, Touch] = {}
        for rule in matching(target, target.rsplit(".", 1)[-1]):
            access = self._mode(rule, call, ctx) if rule.access == "opens" else rule.access
            path = path_argument(rule, call)
            if access == "displays" and access not in done and path is None:
                blind[access] = Touch(access, "", False, None)
            if path is None or access in done:
                continue
            strict = rule.likely or target.startswith("?")
            names = [name for name in self.file_names(path, ctx) if _acceptable(name, strict)]
            for pattern, anchored in dict.fromkeys(locate(name) for name in names):
                done.add(access)
                yield Touch(access, _completed(pattern, rule), anchored, rule.content, rule.folder)
            if access == "displays" and not names:
                blind[access] = Touch(access, "", False, None)
            elif not names and not strict and not self._elsewhere(path, ctx):
                blind[access] = Touch(access, "", False, rule.content, rule.folder)
        yield from (touch for access, touch in blind.items() if access not in done)

    def _elsewhere(self, path: Ir, ctx: Context) -> bool:
        """Whether the path is a buffer, a stream, an address or a database in memory, so surely no workspace file."""
        for form, home in self.expand(path, ctx):
            if form[0] == "X" and form[1].startswith("sys.std"):
                return True
            if form[0] == "c" and self.target(form, home or ctx).startswith(_NO_FILES):
                return True
        return any("://" in text or _IN_MEMORY.match(text) for text in self.texts(path, ctx))

    def _mode(self, rule: Rule, call: RawCall, ctx: Context) -> str:
        ir: Ir | None = dict(call.keywords).get("mode")
        if ir is None and rule.mode < len(call.args):
            ir = call.args[rule.mode]
        modes = self.texts(ir, ctx) if ir is not None else []
        return "writes" if any(_WRITE_MODES & set(mode) for mode in modes) else "reads"

    def origin(self, ir: Ir, ctx: Context, depth: int = 0) -> str:
        """Dotted name of what produced a value; of a text or container, of its first part that has one."""
        memory = ctx.remembered().origins
        known = memory.get(id(ir))
        if known is not None:
            return known[1]
        memory[id(ir)] = (ir, "")
        name = ""
        for form, home in self.expand(ir, ctx):
            name = self._origin_of(form, home or ctx, depth)
            if name:
                break
        memory[id(ir)] = (ir, name)
        return name

    def _origin_of(self, form: Ir, ctx: Context, depth: int) -> str:
        op = form[0]
        if op == "c":
            call = ctx.module.calls[form[1]]
            target = self.call_target(call, ctx)
            if target in _TRANSPARENT or target.startswith(("str.", "list.", "json.dumps")):
                return self._first_origin([*call.args, *(value for _, value in call.keywords)], ctx, depth)
            return "" if target.startswith("?") else target
        if op in "jol" or op == "b":
            parts = form[2:] if op == "b" else form[1]
            return self._first_origin(parts, ctx, depth)
        if op == "d":
            return self._first_origin([value for _, value in form[1]], ctx, depth)
        if op in {"lc", "dc"}:
            return self._first_origin([form[1]], ctx, depth)
        return self.head_name((form, ctx), ctx)

    def _first_origin(self, parts: Iterable[Ir], ctx: Context, depth: int) -> str:
        if depth > 4:
            return ""
        for part in list(parts)[:16]:
            name = self.origin(part, ctx, depth + 1) if part is not UNKNOWN and part[0] != "k" else ""
            if name:
                return name
        return ""


_TRANSPARENT = frozenset(
    {"str", "float", "int", "round", "repr", "abs", "list", "tuple", "sorted", "dict", "json.dumps", "bool"}
)


def path_argument(rule: Rule, call: RawCall) -> Ir | None:
    """The expression that a rule takes for the path."""
    for name, value in call.keywords:
        if name in rule.keywords:
            return value
    if rule.path == -1:
        return call.func[1] if call.func[0] == "a" else None
    return call.args[rule.path] if rule.path < len(call.args) else None


def content_argument(position: int | None, call: RawCall) -> tuple[Ir | None, str]:
    """The expression that is written, with its source text."""
    if position == -1:
        return (call.func[1], "") if call.func[0] == "a" else (None, "")
    if position is None or position >= len(call.args):
        return None, ""
    return call.args[position], call.texts[position] if position < len(call.texts) else ""


def _acceptable(pattern: str, strict: bool) -> bool:
    if not pattern or "\n" in pattern or "://" in pattern or len(pattern) > 400 or _IN_MEMORY.match(pattern):
        return False
    return looks_like_path(pattern) if strict else True


def _completed(pattern: str, rule: Rule) -> str:
    if rule.suffix and not pattern.endswith(rule.suffix) and not pattern.endswith(HOLE):
        return pattern + rule.suffix
    return pattern


def locate(text: str) -> tuple[str, bool]:
    """A path text as a pattern, and whether it is known from the workspace root."""
    text = text.replace("\\", "/")
    if text.startswith(ROOT) or text == "\0":
        clean = posixpath.normpath("/" + text[1:].lstrip("/")).lstrip("/")
        return clean or ".", True
    text = text.replace("\0", "")
    for prefix in ("/workspace/", "workspace://"):
        if text.startswith(prefix):
            return posixpath.normpath(text[len(prefix) :]), True
    if not text:
        return "", False
    clean = posixpath.normpath(text)
    return (clean + "/" if text.endswith("/") and clean != "/" else clean), False
