"""Which workspace files the imports of a source file mean, language by language."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from judge.modules.graph.facts import DefKind
from judge.modules.graph.module_paths import Projects
from judge.modules.graph.other_program import Program
from judge.modules.graph.pieces import HERE
from judge.modules.graph.raw import Raw, RawUse

MAX_FILES = 40
MAX_IMPLICIT = 200
_JS = ("", ".js", ".ts", ".jsx", ".tsx", ".mjs", ".cjs", ".vue", ".svelte", "/index.js", "/index.ts", "/index.tsx",
       "/index.jsx")  # fmt: skip
_SUFFIXES = {
    "ruby": ("", ".rb"),
    "php": ("", ".php"),
    "julia": ("", ".jl"),
    "r": ("", ".R", ".r"),
    "bash": ("", ".sh"),
    "css": ("", ".css", ".scss", ".less"),
    "sql": ("", ".sql"),
}
_ROOTS = ("", "src/", "lib/", "public/", "static/", "app/", "include/", "assets/")
_URL_FOR = re.compile(r"filename\s*=\s*[\"']([^\"']+)|[\"']([^\"']+\.(?:js|css))[\"']")


class Link(NamedTuple):
    """One import with the files it means (none for an external package)."""

    use: RawUse
    paths: tuple[str, ...]


class Imports:
    """Resolves imports; everything is looked up in indexes, so that it takes the same time in any workspace."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.files = program.raws
        self.projects = Projects(program.raws, program.texts)

    def links(self, raw: Raw) -> list[Link]:
        """All imports of a file, those that are calls included."""
        found = [Link(use, self._narrowed(raw, use, self._paths(raw, use))) for use in raw.imports]
        return found + list(self._included(raw))

    def _narrowed(self, raw: Raw, use: RawUse, paths: list[str]) -> tuple[str, ...]:
        """Of several files, those that define what is taken or said."""
        others = [path for path in dict.fromkeys(paths) if path != raw.path]
        if len(others) < 2:
            return tuple(others)
        wanted = {use.value} if use.value not in {"", "*"} else raw.spoken()
        chosen = [path for path in others if any(item.name in wanted for item in self.files[path].definitions)]
        return tuple((chosen or others[:1])[:MAX_FILES])

    def _paths(self, raw: Raw, use: RawUse) -> list[str]:
        family = self.program.family(raw)
        if family == "javascript":
            return self._script(raw, use.text)
        if family == "c":
            return self._header(raw, use.text)
        if family == "go":
            return self.projects.go(raw, use.text.strip('"`'))
        if family == "rust":
            return self.projects.rust(raw, use)
        if family == "swift":
            return self.projects.swift(use.text)
        if family in {"jvm", "csharp", "php"}:
            return self._qualified(use, family)
        if family == "julia":
            return [path for path in self._packages.get((family, use.text.lstrip(".")), ()) if path != raw.path]
        if family == "css":
            return self._relative(raw, use.text, family)
        return []

    def _script(self, raw: Raw, name: str) -> list[str]:
        page = raw.language in {"html", "vue", "svelte"}
        if "{{" in name or "{%" in name:
            found = _URL_FOR.search(name)
            name = (found.group(1) or found.group(2)) if found else ""
        name = name.split("?")[0].split("#")[0]
        if not name or "://" in name or name.startswith("//"):
            return []
        folder = posixpath.dirname(raw.path)
        bare = name.removeprefix("@/").removeprefix("~/").lstrip("/")
        bases = [posixpath.join(folder, name)] if name.startswith(".") or page else []
        if not name.startswith("."):
            bases += [f"{root}{bare}" for root in (_ROOTS if page or name[:1] in "@~/" else ("", "src/"))]
            bases += [posixpath.join(folder, "..", "static", bare)] if page else []
        for base in bases:
            clean = posixpath.normpath(base)
            stems = [clean, posixpath.splitext(clean)[0]] if clean.endswith((".js", ".jsx", ".mjs")) else [clean]
            for candidate in (f"{stem}{suffix}" for stem in stems for suffix in _JS):
                if candidate in self.files:
                    return [candidate]
        return []

    def _header(self, raw: Raw, name: str) -> list[str]:
        near = posixpath.normpath(posixpath.join(posixpath.dirname(raw.path), name))
        if near in self.files:
            return [near]
        ending = [path for path in self._by_base.get(posixpath.basename(name), ()) if f"/{path}".endswith(f"/{name}")]
        return ending[:1]

    @cached_property
    def _by_base(self) -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in self.files:
            found.setdefault(posixpath.basename(path), []).append(path)
        return found

    @cached_property
    def _packages(self) -> Mapping[tuple[str, str], list[str]]:
        """Files by family and declared package."""
        found: dict[tuple[str, str], list[str]] = {}
        for path, raw in self.files.items():
            if raw.package:
                found.setdefault((self.program.family(raw), raw.package), []).append(path)
        return found

    @cached_property
    def _names(self) -> Mapping[tuple[str, str], list[str]]:
        """Files by family and full name of what they define."""
        found: dict[tuple[str, str], list[str]] = {}
        for path, raw in self.files.items():
            family = self.program.family(raw)
            for item in raw.definitions:
                name = f"{raw.package}.{item.qualname}" if raw.package else item.qualname
                found.setdefault((family, name), []).append(path)
        return found

    def _qualified(self, use: RawUse, family: str) -> list[str]:
        if use.value in {"", "*"}:
            return self._packages.get((family, use.text), []) or self._names.get((family, use.text), [])
        full = self._names.get((family, f"{use.text}.{use.value}")) or self._names.get((family, use.text))
        return full or (self.projects.php(use.text, use.value) if family == "php" else [])

    def _relative(self, raw: Raw, name: str, family: str) -> list[str]:
        """A path as it stands in an import: from the file's folder, from the root, else the only one of that ending."""
        anchored = name.startswith(HERE)
        name = posixpath.normpath(name.lstrip(HERE).split("?")[0])
        if not name or "{}" in name or "://" in name:
            return []
        folder = posixpath.dirname(raw.path)
        bases = [name] if anchored else [posixpath.join(folder, name), *(f"{root}{name}" for root in _ROOTS)]
        for base in bases:
            for suffix in _SUFFIXES.get(family, ("",)):
                for candidate in (f"{base}{suffix}", _partial(f"{base}{suffix}")):
                    clean = posixpath.normpath(candidate).lstrip("/")
                    if clean in self.files and clean != raw.path:
                        return [clean]
        bare = re.sub(r"^(?:\.\./)+", "", name)
        for suffix in _SUFFIXES.get(family, ("",)):
            same = self._by_base.get(posixpath.basename(f"{bare}{suffix}"), ())
            ending = [path for path in same if f"/{path}".endswith(f"/{bare}{suffix}") and path != raw.path]
            if len(ending) == 1:
                return ending
        return []

    def _included(self, raw: Raw) -> Iterator[Link]:
        """Calls that load another source file."""
        table = self.program.table(raw)
        family = self.program.family(raw)
        for use in raw.calls if table.includes else ():
            name = use.text.strip()
            kind = table.includes.get(name) or table.includes.get(name.replace("::", "."))
            if kind is None or not use.args:
                continue
            for text in self.program.values(raw).texts(use.args[0], raw, use.scope)[:2]:
                paths = self._relative(raw, text, family)
                plain = re.fullmatch(r"[\w./-]+", text) is not None
                if paths or (kind == "library" and plain):
                    yield Link(RawUse(text.lstrip(HERE), use.line, use.start), tuple(paths))

    def implicit(self, raw: Raw) -> list[tuple[str, int, str]]:
        """Names of other files of the same package that a file uses without importing them: name, line, path."""
        family = self.program.family(raw)
        group = self._group(raw, family)
        if group is None:
            return []
        found: list[tuple[str, int, str]] = []
        lines: dict[str, int] = {}
        for words in raw.words.values():
            for word, line in words.items():
                lines.setdefault(word, line)
        shared = self._shared.get((family, group), {})
        for word, line in lines.items():
            paths = shared.get(word)
            alone = paths is not None and len(paths) == 1 and (family, word, raw.path) not in self._own_names
            if paths is not None and alone:
                found.append((word, line, next(iter(paths))))
            if len(found) >= MAX_IMPLICIT:
                break
        return found

    @cached_property
    def _shared(self) -> Mapping[tuple[str, str], dict[str, set[str]]]:
        """By family and group the names that its files share, with the files that define them."""
        found: dict[tuple[str, str], dict[str, set[str]]] = {}
        for raw in self.files.values():
            family = self.program.family(raw)
            group = self._group(raw, family)
            for item in raw.definitions if group is not None else ():
                if "." not in item.qualname and (item.kind is DefKind.CLASS or family != "ruby"):
                    found.setdefault((family, group or ""), {}).setdefault(item.name, set()).add(raw.path)
        return found

    @cached_property
    def _own_names(self) -> set[tuple[str, str, str]]:
        """Family, name and path of every definition."""
        return {
            (self.program.family(raw), item.name, path) for path, raw in self.files.items() for item in raw.definitions
        }

    def _group(self, raw: Raw, family: str) -> str | None:
        """What a file shares its names with, or None."""
        if family == "go":
            return posixpath.dirname(raw.path)
        if family in {"jvm", "php"}:
            return raw.package or posixpath.dirname(raw.path)
        if family in {"csharp", "swift", "c", "ruby"}:
            return raw.package if family == "csharp" else ""
        if family == "r" and posixpath.basename(posixpath.dirname(raw.path)) == "R":
            return posixpath.dirname(raw.path)
        return None


def _partial(path: str) -> str:
    """The name of a SCSS partial."""
    folder, name = posixpath.split(path)
    return posixpath.join(folder, f"_{name}")
