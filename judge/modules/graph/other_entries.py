"""Which source files of languages other than Python run by themselves, and what in them runs first."""

from __future__ import annotations

import json
import posixpath
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from judge.modules.graph.conventions import Conventions
from judge.modules.graph.facts import CodeFile, DefKind
from judge.modules.graph.frameworks import Frameworks, is_application, registers
from judge.modules.graph.kinds import EntryKind
from judge.modules.graph.languages import LANGUAGES, PAGES
from judge.modules.graph.manifests import is_project
from judge.modules.graph.other_program import Program, last_name
from judge.modules.graph.raw import Raw, RawDef, RawUse

_ENTRY_NAMES = frozenset({"index", "main", "app", "server", "cli", "script", "start", "run", "runme", "program"})
_SCRIPTED = frozenset({"javascript", "ruby", "php", "r", "julia", "bash"})
_PAGE_LANGUAGES = frozenset({"html"})
_HANDLER = re.compile(r"""\bon\w+\s*=\s*["']([^"']{1,300})["']""", re.IGNORECASE)
_SCRIPT_TAG = re.compile(r"""<script[^>]*\bsrc\s*=\s*["']([^"']+)["']""", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_SUFFIXES = sorted({suffix.lstrip(".") for item in LANGUAGES if item.name != "python" for suffix in item.suffixes})
_TARGET = re.compile(rf"[\w./@-]+\.(?:{'|'.join(map(re.escape, _SUFFIXES))})\b", re.IGNORECASE)
_SHELL_SCRIPT = re.compile(r"(?:^|[\s;&|\"'(])(\.{1,2}/[\w./-]+)")
_JS_SUFFIXES = ("", ".js", ".ts", ".jsx", ".tsx", ".mjs", ".cjs", "/index.js", "/index.ts", "/index.tsx", "/index.jsx")
_SET_UP = frozenset(
    "require library use import include require_relative source config define set options setwd pacman using "
    "loadNamespace suppressPackageStartupMessages requireNamespace attr_accessor attr_reader attr_writer private "
    "public protected module_function gem freeze declare export const_set".split()
)
_TEST_MARK = re.compile(r"(?:^|[.:_])(?:test|fact|theory|rstest|bench|test_case|parameterizedtest)$", re.IGNORECASE)
_NO_RUN = re.compile(r"^\s*(?:#|//|source\s|\.\s)")
_NOT_RUNNABLE = re.compile(r"\.config\.|\.d\.ts$|(^|/)(Gemfile|Guardfile)$|\.stories\.")


@dataclass(slots=True)
class Entries:
    """Files that run, and the definitions that runtimes call.

    Attributes:
        kinds: Why a file runs.
        lines: Where it begins.
        seeds: Definitions that something outside the code calls: path and qualified name.
        spoken: Names that pages call, for scripts.
    """

    kinds: dict[str, EntryKind] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    seeds: list[tuple[str, str]] = field(default_factory=list)
    spoken: set[str] = field(default_factory=set)

    def add(self, path: str, kind: EntryKind, line: int = 1) -> None:
        """A file that runs; what was said first holds."""
        self.kinds.setdefault(path, kind)
        self.lines.setdefault(path, line)


def test_scopes(code: CodeFile) -> frozenset[str]:
    """Definitions that an annotation makes tests, in a file that is more than tests."""
    if code.language == "python":
        return frozenset()
    return frozenset(
        item.qualname
        for item in code.definitions
        if any(_TEST_MARK.search(mark.partition("(")[0]) for mark in item.decorators)
    )


def find_entries(program: Program, importers: Mapping[str, set[str]]) -> Entries:
    """All entries of a workspace."""
    found = Entries()
    for path, raw in program.raws.items():
        table = program.table(raw)
        if table.tests is not None and table.tests.search(path) and _tests_something(raw):
            found.add(path, EntryKind.TEST)
    for path, text in program.texts.items():
        for target in _run_targets(path, text):
            _mention(target, path, program, found)
        if path.endswith(PAGES):
            found.spoken.update(word for handler in _HANDLER.findall(text) for word in _WORD.findall(handler))
    frameworks = Frameworks(program)
    for path, raw in program.raws.items():
        _definitions(raw, program.table(raw), frameworks, found)
        if path not in found.kinds:
            _own(raw, program, bool(importers.get(path)), found)
    return found


def _tests_something(raw: Raw) -> bool:
    return bool(raw.calls or raw.definitions)


def _definitions(raw: Raw, table: Conventions, frameworks: Frameworks, found: Entries) -> None:
    """Main functions, tests, and what frameworks find by annotation, base class or place."""
    classes = {item.qualname: item for item in raw.definitions if item.kind is DefKind.CLASS}
    page = frameworks.is_page(raw)
    for item in raw.definitions:
        owner = classes.get(item.qualname.rpartition(".")[0])
        if _is_main(raw, item, owner, table):
            found.add(raw.path, EntryKind.MAIN, item.line)
        elif _is_test(item, table):
            if raw.path not in found.kinds and not table.test_decorators:
                continue
        elif frameworks.derives(raw, item) or is_application(item) or (page and "." not in item.qualname):
            found.add(raw.path, EntryKind.APP, item.line)
        elif not registers(item, table):
            continue
        found.seeds.append((raw.path, item.qualname))


def _is_test(item: RawDef, table: Conventions) -> bool:
    marks = {mark.rpartition("::")[2] for mark in item.decorators}
    named = table.test_names is not None and table.test_names.match(item.name) is not None
    return named or bool(marks & table.test_decorators)


def _is_main(raw: Raw, item: RawDef, owner: RawDef | None, table: Conventions) -> bool:
    if any(re.split(r"[.(<]", base)[0] in table.main_bases for base in item.bases) and raw.language == "scala":
        return True
    if "main" in item.decorators and raw.language in {"scala", "swift"}:
        return True
    if item.name not in table.main:
        return False
    if table.main_packages:
        return raw.package in table.main_packages and item.kind is DefKind.FUNCTION
    if table.main_files is not None:
        top = "." not in item.qualname
        return (top and table.main_files.search(raw.path) is not None) or (raw.runs and raw.language == "swift")
    if item.name in {"setup", "loop"}:
        return raw.path.endswith(".ino")
    return item.kind is not DefKind.METHOD or owner is not None


def _own(raw: Raw, program: Program, imported: bool, found: Entries) -> None:
    """A file that runs because of what stands at its top level."""
    if _NOT_RUNNABLE.search(raw.path):
        return
    if raw.path.endswith(".ipynb"):
        found.add(raw.path, EntryKind.NOTEBOOK)
    elif raw.language in _PAGE_LANGUAGES:
        if any(use.scope == "" for use in raw.calls) or raw.imports or _HANDLER.search(raw.source[:200_000]):
            found.add(raw.path, EntryKind.PAGE)
    elif program.table(raw).whole:
        top = _work(raw)
        script = raw.path.endswith((".kts", ".sc")) or posixpath.basename(raw.path) == "main.swift"
        if top is not None and (raw.language == "csharp" or script or raw.runs):
            found.add(raw.path, EntryKind.SCRIPT, top.line)
    elif program.family(raw) in _SCRIPTED:
        top = _work(raw)
        named = posixpath.basename(raw.path).split(".")[0].lower() in _ENTRY_NAMES
        if raw.runs or (top is not None and (named or not imported)):
            found.add(raw.path, EntryKind.SCRIPT, top.line if top is not None else 1)


def _work(raw: Raw) -> RawUse | None:
    """The first call at the top level that does more than set up."""
    set_up = frozenset() if raw.language == "bash" else _SET_UP
    return next((use for use in raw.calls if use.scope == "" and last_name(use.text) not in set_up), None)


def _run_targets(path: str, text: str) -> Iterator[str]:
    """Files that a page loads, or that package metadata or a script runs."""
    name = posixpath.basename(path)
    if path.endswith(PAGES):
        yield from _SCRIPT_TAG.findall(text)
    elif name == "package.json":
        yield from _package_targets(text)
    elif name == "Cargo.toml":
        yield from _cargo_targets(text)
    elif not is_project(path) or name == "composer.json":
        for line in text.splitlines()[:5000]:
            if not _NO_RUN.match(line):
                yield from _TARGET.findall(line)
                yield from _SHELL_SCRIPT.findall(line)


def _package_targets(text: str) -> Iterator[str]:
    """Files that package.json runs or offers."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return
    if not isinstance(data, dict):
        return
    values: list[object] = [data.get("main"), data.get("module"), data.get("browser")]
    for key in ("bin", "scripts"):
        item = data.get(key)
        values.extend(item.values() if isinstance(item, dict) else [item])
    for value in values:
        if isinstance(value, str):
            yield from _TARGET.findall(value) or ([value] if " " not in value else [])


def _cargo_targets(text: str) -> Iterator[str]:
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return
    for key in ("bin", "example", "bench"):
        tables = data.get(key)
        for table in tables if isinstance(tables, list) else ():
            if isinstance(table, dict) and isinstance(table.get("path"), str):
                yield table["path"]


def _mention(target: str, near: str, program: Program, found: Entries) -> None:
    name = posixpath.normpath(target.split("?")[0].lstrip("/"))
    for base in (posixpath.join(posixpath.dirname(near), name), name, f"public/{name}", f"static/{name}"):
        for suffix in _JS_SUFFIXES:
            candidate = f"{posixpath.normpath(base)}{suffix}"
            raw = program.raws.get(candidate)
            if raw is not None and candidate != near:
                if not program.table(raw).whole and raw.language not in {"css", "scss", "sql"}:
                    found.add(candidate, EntryKind.MENTIONED)
                return
