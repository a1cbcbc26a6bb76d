"""The kinds of nodes, edges and entry points of the workspace graph, in one place."""

from __future__ import annotations

from enum import StrEnum


class NodeKind(StrEnum):
    """What a node stands for."""

    FOLDER = "folder"
    FILE = "file"
    MODULE = "module"
    CLASS = "class"
    FUNCTION = "function"
    METHOD = "method"
    CELL = "cell"
    CONFIG = "config"
    PACKAGE = "package"
    ARTEFACT = "artefact"


class EdgeKind(StrEnum):
    """What an edge says; it reads from source to target."""

    CONTAINS = "contains"
    IMPORTS = "imports"
    CALLS = "calls"
    INHERITS = "inherits"
    REFERENCES = "references"
    READS_FILE = "reads-file"
    WRITES_FILE = "writes-file"
    DISPLAYS = "displays"
    TESTS = "tests"


class EntryKind(StrEnum):
    """Why a file counts as running by itself."""

    MAIN_GUARD = "main guard"
    MAIN = "main function"
    PAGE = "web page"
    SCRIPT = "module-level work"
    NOTEBOOK = "notebook"
    CONSOLE_SCRIPT = "console script"
    APP = "app framework"
    MENTIONED = "run by another file"
    TEST = "test"


class Exactness(StrEnum):
    """How surely a path in code names a workspace path, from sure to vague."""

    EXACT = "exact"
    """The path as written, from the workspace root or anchored at the code's own folder."""
    CWD = "other working directory"
    """The same path when the code runs from another folder of the workspace."""
    PATTERN = "pattern"
    """Parts of the path are computed; what is known of it fits."""
    FOLDER = "folder"
    """The code writes or reads a whole folder that holds the path."""
    LOOSE = "loose"
    """Only the file extension or less is known of it."""
