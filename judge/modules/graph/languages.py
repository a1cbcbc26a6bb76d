"""The table of languages: one entry and one query file each."""

from __future__ import annotations

import importlib
import importlib.util
import posixpath
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
    """

    name: str
    suffixes: tuple[str, ...]
    package: str = ""
    function: str = "language"
    query: str = ""
    names: tuple[str, ...] = ()

    @property
    def analysed(self) -> bool:
        """Whether files in it are parsed."""
        return self.name == "python" or (bool(self.package) and _installed(self.package))

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


LANGUAGES: tuple[Language, ...] = (
    Language("python", (".py", ".pyw", ".pyi", ".ipynb"), "tree_sitter_python"),
    Language("javascript", (".js", ".mjs", ".cjs", ".jsx"), "tree_sitter_javascript"),
    Language("typescript", (".ts", ".mts", ".cts"), "tree_sitter_typescript", "language_typescript"),
    Language("tsx", (".tsx",), "tree_sitter_typescript", "language_tsx", "typescript"),
    Language("java", (".java",)),
    Language("kotlin", (".kt", ".kts")),
    Language("go", (".go",)),
    Language("rust", (".rs",)),
    Language("c", (".c", ".h")),
    Language("cpp", (".cpp", ".cc", ".cxx", ".hpp", ".hh", ".cu")),
    Language("csharp", (".cs",)),
    Language("ruby", (".rb",)),
    Language("php", (".php",)),
    Language("r", (".r", ".rmd")),
    Language("julia", (".jl",)),
    Language("scala", (".scala",)),
    Language("swift", (".swift",)),
    Language("bash", (".sh", ".bash", ".zsh")),
    Language("powershell", (".ps1",)),
    Language("sql", (".sql",)),
    Language("html", (".html", ".htm")),
    Language("css", (".css", ".scss", ".sass", ".less")),
    Language("vue", (".vue",)),
    Language("svelte", (".svelte",)),
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
