"""The table of languages: one entry and one query file each."""

from __future__ import annotations

import importlib
import importlib.util
import posixpath
import re
from dataclasses import dataclass
from functools import cache
from typing import Any


@dataclass(frozen=True, slots=True)
class Language:
    """A source language.

    Attributes:
        name: Lower-case name.
        suffixes: File extensions with dot.
        package: Python package that holds the tree-sitter grammar; empty when there is none to use.
        function: Function of that package that returns the grammar.
        query: Name of the query file without extension; the name of the language by default.
        names: Whole file names that belong to it.
        family: Languages that call each other and share a table of conventions; the language by default.
        interpreters: Programs that a ``#!`` line names.
        reader: Name of the reader for a language that no grammar exists for.
        dialects: Other languages that a file of this name may be in: a sign in its text, and the language.
        repair: A pattern and its equally long replacement that spare a grammar's known weakness; tried when it fails.
        tolerant: Whether parse errors say nothing, because the grammar is of a near relative.
    """

    name: str
    suffixes: tuple[str, ...]
    package: str = ""
    function: str = "language"
    query: str = ""
    names: tuple[str, ...] = ()
    family: str = ""
    interpreters: tuple[str, ...] = ()
    reader: str = ""
    dialects: tuple[tuple[str, str], ...] = ()
    repair: tuple[bytes, bytes] | None = None
    tolerant: bool = False

    @property
    def analysed(self) -> bool:
        """Whether files in it are parsed."""
        if self.name == "python" or self.reader:
            return True
        return bool(self.package) and _installed(self.package)

    def dialect(self, source: str) -> Language:
        """The language of this text, for file names that several languages share."""
        for sign, name in self.dialects:
            other = named(name)
            if other is not None and other.analysed and re.search(sign, source[:50_000]):
                return other
        return self

    def repaired(self, data: bytes) -> bytes:
        """The source with the grammar's weak spots written another way, byte for byte as long."""
        return re.sub(self.repair[0], self.repair[1], data) if self.repair is not None else data

    @property
    def missing(self) -> str:
        """Why it is not parsed, or an empty string."""
        if self.analysed:
            return ""
        return f"grammar package {self.package.replace('_', '-')} is not installed" if self.package else "no grammar"

    def grammar(self) -> Any:
        """The tree-sitter grammar.

        Raises:
            ImportError: The grammar package is not installed.
        """
        from tree_sitter import Language as Grammar

        return Grammar(getattr(importlib.import_module(self.package), self.function)())


_CPP_SIGNS = r"\b(?:class\s+\w+\s*[:{;]|namespace\s+\w+|template\s*<|std::|public:|private:)"
_ONE_LINE_BODY = (rb"(?<=[^\s{};,$(]) \}", b";}")

PAGES = (".html", ".htm", ".ejs", ".vue", ".svelte")
"""Endings of pages, which hold code beside their text."""
LANGUAGES: tuple[Language, ...] = (
    Language("python", (".py", ".pyw", ".pyi", ".ipynb"), "tree_sitter_python", interpreters=("python",)),
    Language(
        "javascript",
        (".js", ".mjs", ".cjs", ".jsx"),
        "tree_sitter_javascript",
        interpreters=("node", "bun", "deno"),
    ),
    Language(
        "typescript",
        (".ts", ".mts", ".cts"),
        "tree_sitter_typescript",
        "language_typescript",
        family="javascript",
        interpreters=("ts-node", "tsx"),
    ),
    Language("tsx", (".tsx",), "tree_sitter_typescript", "language_tsx", family="javascript"),
    Language("java", (".java",), "tree_sitter_java", family="jvm"),
    Language("kotlin", (".kt", ".kts"), "tree_sitter_kotlin", family="jvm", repair=_ONE_LINE_BODY),
    Language("scala", (".scala", ".sc"), "tree_sitter_scala", family="jvm", interpreters=("scala",)),
    Language("go", (".go",), "tree_sitter_go"),
    Language("rust", (".rs",), "tree_sitter_rust"),
    Language("c", (".c", ".h"), "tree_sitter_c", dialects=((_CPP_SIGNS, "cpp"),)),
    Language(
        "cpp", (".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx", ".cu", ".cuh", ".ino"), "tree_sitter_cpp", family="c"
    ),
    Language("csharp", (".cs",), "tree_sitter_c_sharp"),
    Language(
        "ruby", (".rb", ".rake"), "tree_sitter_ruby", names=("Rakefile", "Gemfile", "Guardfile"), interpreters=("ruby",)
    ),
    Language("php", (".php", ".phtml"), "tree_sitter_php", "language_php", interpreters=("php",)),
    Language("r", (".r",), reader="r", interpreters=("Rscript",)),
    Language("rmarkdown", (".rmd", ".qmd"), reader="r", family="r"),
    Language("julia", (".jl",), "tree_sitter_julia", interpreters=("julia",)),
    Language("swift", (".swift",), "tree_sitter_swift", interpreters=("swift",)),
    Language(
        "bash", (".sh", ".bash", ".zsh", ".bats"), "tree_sitter_bash", interpreters=("bash", "sh", "zsh", "dash", "ksh")
    ),
    Language("sql", (".sql", ".ddl"), "tree_sitter_sql"),
    Language("html", (".html", ".htm", ".xhtml"), "tree_sitter_html", family="javascript", tolerant=True),
    Language("css", (".css",), "tree_sitter_css"),
    Language("scss", (".scss", ".less"), "tree_sitter_css", query="css", family="css", tolerant=True),
    Language("vue", (".vue",), "tree_sitter_html", query="html", family="javascript", tolerant=True),
    Language("svelte", (".svelte",), "tree_sitter_html", query="html", family="javascript", tolerant=True),
    Language("powershell", (".ps1",)),
    Language("sass", (".sass",)),
    Language("lua", (".lua",)),
    Language("perl", (".pl", ".pm")),
    Language("matlab", (".m",)),
    Language("haskell", (".hs",)),
    Language("elixir", (".ex", ".exs")),
    Language("dart", (".dart",)),
    Language("solidity", (".sol",)),
    Language("make", (".mk",), names=("Makefile", "makefile", "GNUmakefile")),
    Language("dockerfile", (), names=("Dockerfile",)),
)
_SHEBANG = re.compile(r"^#!\s*(?:\S*/)?(?:env\s+(?:-\S+\s+)*)?(?:\S*/)?([A-Za-z-]+)")


@cache
def _installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


@cache
def _by_suffix() -> dict[str, Language]:
    return {suffix: language for language in LANGUAGES for suffix in (*language.suffixes, *language.names)}


def language_of(path: str) -> Language | None:
    """The language of a file by its name, or None when it is no source code."""
    name = posixpath.basename(path)
    return _by_suffix().get(name) or _by_suffix().get(posixpath.splitext(name)[1].lower())


@cache
def _by_name() -> dict[str, Language]:
    return {language.name: language for language in LANGUAGES}


def named(name: str) -> Language | None:
    """The language of that name."""
    return _by_name().get(name)


def family_of(name: str) -> str:
    """The family of a language by its name."""
    language = named(name)
    return (language.family or language.name) if language is not None else name


def language_of_script(head: str) -> Language | None:
    """The language that the ``#!`` line of a file without extension names."""
    found = _SHEBANG.match(head)
    if found is None:
        return None
    return next((item for item in LANGUAGES if found.group(1) in item.interpreters), None)
