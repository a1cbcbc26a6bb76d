"""Files that belong to a file in question: what it imports of the workspace, and the settings it reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from judge.modules.locate.match import Hit

if TYPE_CHECKING:
    from judge.modules.base import Case

_SETTINGS = (".json", ".toml", ".yaml", ".yml", ".ini", ".cfg", ".conf", ".env", ".properties")
_DATABASES = (".db", ".db3", ".sqlite", ".sqlite3")
_SMALL = 20_000
_SETTINGS_FILES = 200
_DIRECT = 0.72
_SECOND = 0.56
_READ = 0.7
_ROWS = 0.66
_UNREACHED = 0.74
_OF_PRODUCER = 0.1
"""What a file loses when it belongs to code that makes a named artefact, and not to code that is itself named."""


def neighbours(case: Case, named: Iterable[str], producers: Iterable[str]) -> Iterator[Hit]:
    """Helpers and settings of code in question.

    Args:
        case: The requirement.
        named: Code files that the criterion names.
        producers: Code files that write a named artefact.

    Returns:
        Direct imports, what these import, small configuration files that any of them reads, and databases that any of
        them uses; for a named file of which nothing is reached, the code that imports it.
    """
    for path in dict.fromkeys(named):
        yield from _importers(case, path)
    for roots, less in ((dict.fromkeys(named), 0.0), (dict.fromkeys(producers), _OF_PRODUCER)):
        reached: dict[str, str] = {path: path for path in roots}
        for score in (_DIRECT, _SECOND):
            new: dict[str, str] = {}
            for path in list(reached):
                for other in _imports(case, path):
                    if other not in reached and other not in new:
                        new[other] = path
            for other, source in new.items():
                yield Hit(other, f"imported by {source}", score - less)
            reached |= new
        for path, source in _settings(case, reached):
            yield Hit(path, f"read by {source}", _READ - less)
        for path, source in _databases(case, reached):
            yield Hit(path, f"its rows are used by {source}", _ROWS - less)


def _importers(case: Case, path: str) -> Iterator[Hit]:
    """Code that imports a named file and yet reaches nothing in it: it shows what is done instead."""
    code = case.graph.files.get(path)
    if code is None or code.entry or any(item.reachable for item in code.definitions) or not code.definitions:
        return
    for other in code.imported_by:
        yield Hit(other, f"imports {path}", _UNREACHED)


def _imports(case: Case, path: str) -> Iterator[str]:
    """Workspace files that a file really uses; of a package that passes names on, the file they come from."""
    code = case.graph.files.get(path)
    for item in code.imports if code is not None else ():
        if not item.local or item.local == path or not (item.used or item.name == "*"):
            continue
        package = case.graph.files.get(item.local) if item.local.endswith("__init__.py") else None
        passed = [inner.local for inner in package.imports if item.name in (inner.alias, inner.name)] if package else []
        yield from (local for local in passed or [item.local] if local and local in case.graph.files)


def _settings(case: Case, code: Iterable[str]) -> Iterator[tuple[str, str]]:
    wanted = set(code)
    small = (entry for entry in case.workspace.files if entry.size <= _SMALL)
    files = [entry for entry in small if entry.path.lower().endswith(_SETTINGS)][:_SETTINGS_FILES]
    if not wanted:
        return
    for entry in files:
        # What a program also writes is a result and no setting.
        if case.graph.writers(entry.path):
            continue
        source = next((path for path, _ in case.graph.readers(entry.path) if path in wanted), None)
        if source is not None:
            yield entry.path, source


def _databases(case: Case, code: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Databases that code uses: what it exports or answers comes out of their rows."""
    wanted = set(code)
    if not wanted:
        return
    files = [entry for entry in case.workspace.files if entry.suffix in _DATABASES][:_SETTINGS_FILES]
    for entry in files:
        users = [*case.graph.readers(entry.path), *case.graph.writers(entry.path)]
        source = next((path for path, _ in users if path in wanted), None)
        if source is not None:
            yield entry.path, source
