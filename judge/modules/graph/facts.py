"""What the analysis of one source file yields, language by language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class DefKind(StrEnum):
    """Kinds of definitions."""

    CLASS = "class"
    FUNCTION = "function"
    METHOD = "method"


class Body(StrEnum):
    """What the body of a definition amounts to."""

    REAL = "real"
    STUB = "stub"
    """``pass``, ``...``, a docstring alone, ``raise NotImplementedError``, a TODO."""
    TRIVIAL = "trivial"
    """Only returns a constant, an empty container or its argument, or only prints."""


@dataclass(frozen=True, slots=True)
class Value:
    """What is statically known of an expression.

    Attributes:
        text: Source text, at most 200 characters.
        constant: The literal (str, int, float, bool, None) or a path/f-string/join folded into one string with ``{}``
            for unknown parts; None also when unknown, see ``known``.
        known: Whether ``constant`` is the whole value.
        origin: Dotted name of the call or object that produced it, as far as it can be followed through assignments
            in the same scope or module, such as ``pandas.read_csv``; empty when unknown.
    """

    text: str
    constant: str | int | float | bool | None = None
    known: bool = False
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """One call expression.

    Attributes:
        target: Dotted name with import aliases resolved, such as ``sklearn.svm.SVC``; a method of a value with known
            origin is ``<origin>().<method>`` (``sklearn.svm.SVC().fit``); of an unknown value ``?.<method>``; a call
            of something defined in the workspace is ``<module>.<qualname>``.
        name: Last part of the target.
        line: 1-based.
        scope: Qualified name of the enclosing definition, empty at module level.
        args: Positional arguments.
        keywords: Keyword arguments by name.
        reachable: Whether some entry point (or importable module level) can get here.
        resolved: Node id of the workspace definition called, or empty.
    """

    target: str
    name: str
    line: int
    end_line: int
    scope: str
    args: tuple[Value, ...] = ()
    keywords: Mapping[str, Value] = field(default_factory=dict)
    reachable: bool = True
    resolved: str = ""


@dataclass(frozen=True, slots=True)
class Definition:
    """One class, function or method."""

    name: str
    qualname: str
    kind: DefKind
    line: int
    end_line: int
    body: Body
    bases: tuple[str, ...] = ()
    """Base classes, dotted, aliases resolved."""
    decorators: tuple[str, ...] = ()
    """Decorators, dotted, aliases resolved, without arguments."""
    parameters: tuple[str, ...] = ()
    docstring: str = ""
    reachable: bool = True
    uses: tuple[str, ...] = ()
    """Dotted names (aliases resolved) read in the body: attributes, classes passed as values, annotations excluded."""


@dataclass(frozen=True, slots=True)
class Import:
    """One imported name.

    Attributes:
        module: Dotted module, relative ones resolved to the workspace module where possible.
        name: Imported attribute, empty for ``import module``.
        alias: Name it is bound to in the file.
        used: Whether the bound name is read anywhere in the file.
        local: Workspace path of the imported file, or empty for an external package.
    """

    module: str
    name: str
    alias: str
    line: int
    used: bool
    local: str = ""


@dataclass(frozen=True, slots=True)
class StringLiteral:
    """A string constant that is no docstring."""

    value: str
    line: int
    scope: str
    reachable: bool = True


class Access(StrEnum):
    """What code does with a file."""

    READ = "reads"
    WRITE = "writes"
    DISPLAY = "displays"


@dataclass(frozen=True, slots=True)
class FileAccess:
    """A file or folder that code reads or writes.

    Attributes:
        access: Read or write.
        pattern: Workspace-relative path as the code gives it, ``{}`` for unknown parts; empty when nothing is known.
        call: Dotted target of the call that does it, such as ``matplotlib.pyplot.savefig``.
        line: 1-based line of that call.
        scope: Qualified name of the enclosing definition, empty at module level.
        reachable: Whether an entry point can get there.
        content: What is written or where it comes from, when known (origin of the value, or the constant text).
        anchored: Whether the pattern is sure to start at the workspace root, because code derives it from its place.
        folder: Whether the call works on a folder, so that everything below it counts.
    """

    access: Access
    pattern: str
    call: str
    line: int
    scope: str
    reachable: bool = True
    content: Value | None = None
    anchored: bool = False
    folder: bool = False


@dataclass(frozen=True, slots=True)
class Mention:
    """A path, or a configuration entry, in a file that is no code.

    Attributes:
        target: The path as written; empty for an entry that holds none.
        line: 1-based.
        display: Whether the file shows what the path names, rather than only naming it.
        key: Dotted key of the configuration entry; empty elsewhere.
        value: What the entry holds, at most 200 characters of a text.
    """

    target: str
    line: int
    display: bool = False
    key: str = ""
    value: str | int | float | bool | None = None


@dataclass(frozen=True, slots=True)
class CodeFile:
    """All facts of one source file (or one notebook, its code cells joined).

    Attributes:
        path: Workspace path.
        language: ``python``, ``javascript``, …
        module: Dotted module name, empty for other languages.
        source: Its text, as read.
        entry: Whether it runs by itself: ``__main__`` guard, module-level work, console script, notebook, app, test.
        entry_line: Line of the entry, 0 when there is none.
        imported_by: Workspace paths that import it.
        names: Identifiers (no strings, no comments) that occur in executable code, with their first line.
        comments: Text of comments and docstrings with their lines; claims, never evidence.
        assigned: Module-level and class-level names with a statically known value.
        error: Why it could not be parsed (what parses is still there), or empty.
    """

    path: str
    language: str
    module: str = ""
    source: str = ""
    definitions: tuple[Definition, ...] = ()
    calls: tuple[Call, ...] = ()
    imports: tuple[Import, ...] = ()
    strings: tuple[StringLiteral, ...] = ()
    accesses: tuple[FileAccess, ...] = ()
    entry: bool = False
    entry_line: int = 0
    imported_by: tuple[str, ...] = ()
    names: Mapping[str, int] = field(default_factory=dict)
    comments: tuple[tuple[int, str], ...] = ()
    assigned: Mapping[str, Value] = field(default_factory=dict)
    error: str = ""
