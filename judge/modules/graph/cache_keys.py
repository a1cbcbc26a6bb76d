"""Keys of stored facts: what was analysed, and by which version of the analysis."""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from importlib import metadata
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from judge.modules.graph.reading import Source, Sources
    from judge.workspace import Workspace

_PARTS = (".py", ".scm", ".toml")


def file_key(source: Source) -> str:
    """The key of what one file says by itself; its path does not count."""
    language = source.language
    named = f"{analysis()} {language.name} {_grammar(language.package)} {source.path.endswith('.ipynb')}"
    return _digest(f"file {named} {source.hash}")


def workspace_key(workspace: Workspace, sources: Sources) -> str:
    """The key of the facts of a whole workspace."""
    from judge.modules.graph.reading import text_hash

    total = hashlib.sha256(f"workspace {analysis()}\n".encode())
    for folder in workspace.folders:
        total.update(f"d {folder}\n".encode("utf-8", "surrogatepass"))
    for entry in workspace.files:
        total.update(f"f {entry.path}\0{entry.size}\n".encode("utf-8", "surrogatepass"))
    for source in sources.files:
        named = f"s {source.path}\0{source.language.name} {_grammar(source.language.package)} {source.hash}\n"
        total.update(named.encode("utf-8", "surrogatepass"))
    for path, reason in sources.unparsed.items():
        total.update(f"u {path}\0{sources.languages[path]}\0{reason}\n".encode("utf-8", "surrogatepass"))
    for path, text in [*sources.runners.items(), *sources.documents.items()]:
        total.update(f"r {path}\0{text_hash(text)}\n".encode("utf-8", "surrogatepass"))
    return total.hexdigest()


@cache
def analysis() -> str:
    """A hash of everything that decides what is found: the code and tables of this folder, and the Python version."""
    total = hashlib.sha256(f"python {sys.version_info[0]}.{sys.version_info[1]}\n".encode())
    for name, data in sorted(_contents(files("judge.modules.graph"), "")):
        total.update(f"{name} {len(data)}\n".encode() + data)
    return total.hexdigest()


def _contents(folder: Traversable, above: str) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for item in folder.iterdir():
        name = f"{above}/{item.name}"
        if item.is_dir() and item.name != "__pycache__":
            found.extend(_contents(item, name))
        elif item.name.endswith(_PARTS):
            found.append((name, item.read_bytes()))
    return found


@cache
def _grammar(package: str) -> str:
    """Name and version of a grammar."""
    if not package:
        return "-"
    try:
        return f"{package}-{metadata.version(package.replace('_', '-'))}"
    except metadata.PackageNotFoundError:
        return package


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
