"""Code that does not parse, told as a problem of its document.

The state stays what it is: how a verdict weighs such code is told by what the graph found in it, and a script that is
cut off after its work was done is no damaged artefact.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from judge.modules.graph.facts import CodeFile
    from judge.readers import Document
    from judge.workspace import Workspace

_PYTHON = frozenset({"py", "pyi"})
_MOST = 4 * 1024 * 1024
"""Bytes of a file that is parsed for this alone."""


def with_known_syntax(document: Document, code: CodeFile | None) -> Document:
    """The document with what the graph found wrong with its Python code, if anything.

    Args:
        document: The file as it was read.
        code: What the graph knows of it.
    """
    return _with(document, code.error if code is not None and code.language == "python" else "")


def with_syntax(document: Document, workspace: Workspace) -> Document:
    """The document with why its Python code does not parse; the file is read again, whole, and parsed for that.

    Args:
        document: The file as it was read.
        workspace: Where it lies.
    """
    from judge.modules.graph.python.parse import syntax_problem

    entry = workspace.find(document.path)
    if entry is None or entry.size > _MOST or document.format not in _PYTHON:
        return document
    return _with(document, syntax_problem(workspace.read_text(entry, _MOST).text))


def _with(document: Document, error: str) -> Document:
    # What is only too big or too deep for this program's parser may be right all the same.
    if document.format not in _PYTHON or not error.startswith("line "):
        return document
    return replace(document, problems=(*document.problems, f"does not parse: {error}"))
